"""Prints the figures of the safety check by kind of case and of name, and what fails.

`python -m benchmarks.herb_safety` shows the development sets; `--unseen` shows the counts of the others, without the
cases themselves, so that nobody tunes to them.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from tempfile import TemporaryDirectory

import sanya
from benchmarks.herb_safety.sets import CASE_FILES, NAME_FILES, NAME_KINDS, measure_cases, measure_names
from sanya.app import App

_OUTCOMES = ("right", "missed", "not_recorded", "unknown", "guessed", "false", "silent")
_STATUSES = ("known", "ambiguous", "unsure", "unknown")


async def show(split: str) -> None:
    with TemporaryDirectory() as home:
        async with sanya.open(home) as app:
            for file_name in CASE_FILES:
                outcomes, failures = await measure_cases(app, split, file_name)
                _print_table(f"{split} {file_name}", _OUTCOMES, outcomes)
                if split == "development":
                    print("\n".join(failures))
            for file_name in NAME_FILES:
                await _show_names(app, split, file_name)


async def _show_names(app: App, split: str, file_name: str) -> None:
    statuses = {}
    for kind in (*NAME_KINDS, "slip"):
        statuses[kind], failures = await measure_names(app, split, kind, file_name)
        if split == "development":
            print("\n".join(failures))
    _print_table(f"{split} {file_name}", _STATUSES, {kind: counts for kind, counts in statuses.items() if counts})


def _print_table(title: str, columns: tuple[str, ...], rows: dict[str, Counter[str]]) -> None:
    print(f"{title:30}" + "".join(f"{name:>13}" for name in ("all", *columns)))
    for kind, counts in [*rows.items(), ("all", sum(rows.values(), Counter()))]:
        print(f"{kind:30}{sum(counts.values()):>13}" + "".join(f"{counts[name]:>13}" for name in columns))


if __name__ == "__main__":
    asyncio.run(show("unseen" if "--unseen" in sys.argv[1:] else "development"))
