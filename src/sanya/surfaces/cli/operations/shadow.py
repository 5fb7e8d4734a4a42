"""`sanya shadow`: what a second engine answered otherwise, on live calls or on those of the ledger."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace, _SubParsersAction
from typing import TYPE_CHECKING

from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.option_values import positive
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import BAD, GOOD, WARNING, paint, write_json, write_line, write_note

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.kernel.call import Call
    from sanya.settings import Settings
    from sanya.shadow.recorded import Sides
    from sanya.shadow.report import Found, ToolReport, TrialReport

EXAMPLES = """The exit code is 0 when all that was compared was the same, 1 when it was not.

examples:
  sanya migrate --to postgresql://sanya@db.internal/sanya
  SANYA_SHADOW=postgresql://sanya@db.internal/sanya sanya serve
  sanya shadow report
  SANYA_SHADOW=postgresql://sanya@db.internal/sanya sanya shadow run --last 500"""

_SHOWN = 20


def add_arguments(parser: ArgumentParser) -> None:
    actions: _SubParsersAction[ArgumentParser] = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    report = actions.add_parser("report", help="What the shadow of a server found so far.", allow_abbrev=False)
    run = actions.add_parser("run", help="Ask both sides now, without a server.", allow_abbrev=False)
    run.add_argument("--last", type=positive, metavar="N", help="The last N calls of the ledger that only read.")
    run.add_argument("--examples", action="store_true", help="Every example of every tool that only reads.")
    for action in (report, run):
        action.add_argument("--json", action="store_true", help="Print JSON, with every difference that is kept.")
    actions.add_parser("clear", help="Forget what was found, to begin anew.", allow_abbrev=False)


def run(options: Namespace) -> int:
    return {"report": _report, "run": _run, "clear": _clear}[str(options.action)](options)


def _report(options: Namespace) -> int:
    async def work(app: App) -> list[TrialReport]:
        from sanya.shadow.report import ReportStore

        return await ReportStore(app.database).read()

    reports = in_home(options, work, lazily=True)
    if options.json:
        write_json([one.as_json() for one in reports])
    else:
        for one in reports:
            _show(one)
    if not reports:
        write_note("no shadow has followed yet: serve with SANYA_SHADOW, or use `sanya shadow run`")
    return OK if all(one.is_clean for one in reports) else FAULT


def _clear(options: Namespace) -> int:
    async def work(app: App) -> None:
        from sanya.shadow.report import ReportStore

        await ReportStore(app.database).clear()

    in_home(options, work, lazily=True)
    return OK


def _run(options: Namespace) -> int:
    from sanya.settings import load_settings
    from sanya.shadow.pair import NotAShadow

    try:
        report = asyncio.run(_compare(load_settings({"home": options.home}), options))
    except NotAShadow as problem:
        raise CommandFailed(str(problem)) from None
    if options.json:
        write_json(report.as_json())
    else:
        _show(report)
    return OK if report.is_clean else FAULT


async def _compare(settings: Settings, options: Namespace) -> TrialReport:
    from sanya.shadow.recorded import compare, open_sides

    async with open_sides(settings) as sides:
        calls = await _calls(sides, options)
        with progress_bar("comparing") as progress:
            return await compare(sides, calls, progress)


async def _calls(sides: Sides, options: Namespace) -> list[Call]:
    from sanya.kernel.call import Call
    from sanya.parity.comparison import cases_of, resource_cases
    from sanya.shadow.recorded import recorded_calls

    calls = []
    if options.last or not options.examples:
        calls += await recorded_calls(sides.primary, options.last or 100)
    if options.examples:
        catalogue = sides.primary.kernel.catalogue
        cases = cases_of(catalogue.tools) + await resource_cases(catalogue)
        calls += [Call(case.name, case.arguments) for case in cases]
    return calls


def _show(report: TrialReport) -> None:
    here, there = report.trial.split(" | ")
    write_line(f"{here} (primary) beside {there} (shadow), {report.began_at} to {report.last_at}")
    if report.problem:
        write_line(paint(report.problem, BAD))
    columns = ("tool", "calls", "equal", "rounding", "late", "raced", "different", "failed", "dropped", "unmirrored")
    times = ("primary p50", "p95", "shadow p50", "p95")
    write_table((*columns, *times), [_cells(one) for one in report.tools])
    for one in report.differences[:_SHOWN]:
        _show_difference(one)
    if len(report.differences) > _SHOWN:
        write_note(f"{len(report.differences) - _SHOWN} further calls that differ: `--json` has them")
    write_line(_verdict(report))


def _cells(one: ToolReport) -> tuple[str, ...]:
    counts = [str(calls or "") for calls in one.calls.values()]
    times = ["" if ms is None else f"{ms:.1f} ms" for ms in (*one.primary_ms, *one.shadow_ms)]
    return one.tool, str(sum(one.calls.values())), *counts, *times


def _show_difference(one: Found) -> None:
    write_line(f"{one.call_id} {one.tool} {paint(one.kind, WARNING if one.kind == 'raced' else BAD)}")
    for place in one.places:
        write_line(f"    {place.path}: {place.here} here, {place.there} in the shadow")


def _verdict(report: TrialReport) -> str:
    compared = report.calls("equal", "rounding", "late", "raced", "different", "failed")
    same = report.calls("equal", "rounding", "late")
    if not compared:
        return paint("nothing was compared", WARNING)
    told = f"{same} of {compared} calls that were compared have the same answer"
    lost = report.calls("dropped")
    return paint(told, GOOD if report.is_clean else BAD) + (f"; {lost} were not compared" if lost else "")
