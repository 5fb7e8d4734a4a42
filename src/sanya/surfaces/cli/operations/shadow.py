"""`sanya shadow`: report where a second engine answers differently, on live calls or on calls of the ledger."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace, _SubParsersAction
from typing import TYPE_CHECKING

from sanya.kernel.ledger.owner_actions import record_owner_action
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.option_values import parse_positive
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import BAD, GOOD, WARNING, paint, write_json, write_line, write_note

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.kernel.calls.call import Call
    from sanya.settings import Settings
    from sanya.shadow.ledger_comparison import EnginePair
    from sanya.shadow.report import CallComparison, ToolReport, TrialReport

EXAMPLES = """The exit code is 0 if all compared answers are the same, 1 if any differs.

examples:
  sanya migrate --to postgresql://sanya@db.internal/sanya
  SANYA_SHADOW=postgresql://sanya@db.internal/sanya sanya serve
  sanya shadow report
  SANYA_SHADOW=postgresql://sanya@db.internal/sanya sanya shadow run --last 500"""

_SHOWN = 20


def add_arguments(parser: ArgumentParser) -> None:
    actions: _SubParsersAction[ArgumentParser] = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    report = actions.add_parser("report", help="Show what a server's shadow found so far.", allow_abbrev=False)
    run = actions.add_parser("run", help="Compare both engines now, without a server.", allow_abbrev=False)
    run.add_argument("--last", type=parse_positive, metavar="N", help="Compare the last N read calls of the ledger.")
    run.add_argument("--examples", action="store_true", help="Compare every example of every read tool.")
    for action in (report, run):
        action.add_argument("--json", action="store_true", help="Print JSON, with every stored difference.")
    actions.add_parser("clear", help="Delete all results and start over.", allow_abbrev=False)


def run(options: Namespace) -> int:
    return {"report": _report, "run": _run, "clear": _clear}[str(options.action)](options)


def _report(options: Namespace) -> int:
    async def work(app: App) -> list[TrialReport]:
        from sanya.shadow.report import ReportStore

        return await ReportStore(app.database).read()

    reports = run_in_home(options, work, lazily=True)
    if options.json:
        write_json([report.as_json() for report in reports])
    else:
        for report in reports:
            _show(report)
    if not reports:
        write_note("there are no results yet: serve with SANYA_SHADOW, or run `sanya shadow run`")
    return OK if all(report.is_clean for report in reports) else FAULT


def _clear(options: Namespace) -> int:
    async def work(app: App) -> None:
        from sanya.shadow.report import ReportStore

        async with record_owner_action(app.ledger, "shadow.clear", "shadow", {}):
            await ReportStore(app.database).clear()

    run_in_home(options, work, lazily=True)
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
    from sanya.shadow.ledger_comparison import compare, open_pair

    async with open_pair(settings) as sides:
        calls = await _collect_calls(sides, options)
        with progress_bar("comparing") as progress:
            return await compare(sides, calls, progress)


async def _collect_calls(sides: EnginePair, options: Namespace) -> list[Call]:
    from sanya.kernel.calls.call import Call
    from sanya.parity.comparison import list_resource_cases, list_tool_cases
    from sanya.shadow.ledger_comparison import list_recorded_calls

    calls = []
    if options.last or not options.examples:
        calls += await list_recorded_calls(sides.primary, options.last or 100)
    if options.examples:
        catalogue = sides.primary.kernel.catalogue
        cases = list_tool_cases(catalogue.tools) + await list_resource_cases(catalogue)
        calls += [Call(case.name, case.arguments) for case in cases]
    return calls


def _show(report: TrialReport) -> None:
    here, there = report.trial.split(" | ")
    write_line(f"{here} (primary) beside {there} (shadow), {report.began_at} to {report.last_at}")
    if report.problem:
        write_line(paint(report.problem, BAD))
    columns = ("tool", "calls", "equal", "rounding", "late", "raced", "different", "failed", "dropped", "unmirrored")
    times = ("primary p50", "p95", "shadow p50", "p95")
    write_table((*columns, *times), [_to_cells(tool) for tool in report.tools])
    for difference in report.differences[:_SHOWN]:
        _show_difference(difference)
    if len(report.differences) > _SHOWN:
        write_note(f"{len(report.differences) - _SHOWN} more calls differ: `--json` lists them")
    write_line(_format_verdict(report))


def _to_cells(report: ToolReport) -> tuple[str, ...]:
    counts = [str(calls or "") for calls in report.calls.values()]
    times = ["" if ms is None else f"{ms:.1f} ms" for ms in (*report.primary_ms, *report.shadow_ms)]
    return report.tool, str(sum(report.calls.values())), *counts, *times


def _show_difference(difference: CallComparison) -> None:
    colour = WARNING if difference.kind == "raced" else BAD
    write_line(f"{difference.call_id} {difference.tool} {paint(difference.kind, colour)}")
    for place in difference.places:
        write_line(f"    {place.path}: {place.here} in the primary, {place.there} in the shadow")


def _format_verdict(report: TrialReport) -> str:
    compared = report.count_calls("equal", "rounding", "late", "raced", "different", "failed")
    same = report.count_calls("equal", "rounding", "late")
    if not compared:
        return paint("nothing was compared", WARNING)
    summary = f"{same} of {compared} compared calls have the same answer"
    dropped = report.count_calls("dropped")
    return paint(summary, GOOD if report.is_clean else BAD) + (f"; {dropped} were not compared" if dropped else "")
