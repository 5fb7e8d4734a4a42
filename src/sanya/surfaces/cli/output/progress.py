"""A progress bar on stderr. Rich is imported with the first report, and only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sanya.kernel.calls.call import Progress, ProgressSink, ignore_progress
from sanya.surfaces.cli.output.terminal import can_show_colour, remove_control_characters


@contextmanager
def progress_bar(label: str) -> Iterator[ProgressSink]:
    """Draw a bar from the first report on. Draw nothing if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield ignore_progress
        return
    closers: list[Callable[[], None]] = []
    report: ProgressSink | None = None

    def show(progress: Progress) -> None:
        nonlocal report
        report = report or _open_rich_bar(label, closers)
        report(progress)

    try:
        yield show
    finally:
        for close in closers:
            close()


def _open_rich_bar(label: str, closers: list[Callable[[], None]]) -> ProgressSink:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    bars = Bars(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True, no_color=not can_show_colour(sys.stderr)),
        transient=True,
    )
    closers.append(bars.stop)
    bar = bars.add_task(label, total=None)

    def show(progress: Progress) -> None:
        description = f"{label}: {remove_control_characters(progress.message)}" if progress.message else label
        bars.update(bar, completed=progress.done, total=progress.total, description=description)
        bars.start()

    return show
