"""`sanya parity`: the same calls on every surface, side by side."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from sanya.surfaces.cli.calls.call import make_call, read_json
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import FAULT, OK, UsageError
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line
from sanya.surfaces.clients import program

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.kernel.call import Outcome
    from sanya.parity.comparison import Case, Verdict

EXAMPLES = """It starts a server of its own on a free loopback port, with the same home, and stops it again.

examples:
  sanya parity
  sanya parity --tool get_tasks --args '{"limit": 3}'"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--tool", help="Only this tool; by default all examples of all tools that read, and all resources."
    )
    parser.add_argument("--args", metavar="JSON", help="Arguments for --tool, instead of its examples.")
    parser.add_argument("--json", action="store_true", help="Print the comparison as JSON.")


def run(options: Namespace) -> int:
    if options.args is not None and options.tool is None:
        raise UsageError("--args goes with --tool")
    arguments = None if options.args is None else read_json(options.args)
    if arguments is not None and not isinstance(arguments, dict):
        raise UsageError("--args takes a JSON object")

    async def work(app: App) -> list[Verdict]:
        cases = _cases(app, options.tool, arguments)
        if options.tool is None:
            cases += await _resource_cases(app)
        return await _compare(app, cases)

    verdicts = in_home(options, work)
    equal = all(verdict.equal for verdict in verdicts)
    if options.json:
        write_json({"equal": equal, "cases": [_as_json(verdict) for verdict in verdicts]})
    else:
        _show(verdicts)
    return OK if equal else FAULT


def _cases(app: App, name: str | None, arguments: dict[str, Any] | None) -> list[Case]:
    from sanya.parity.comparison import Case, cases_of

    catalogue = app.kernel.catalogue
    if name is None:
        return cases_of(catalogue.tools)
    tool = catalogue.tool(name)
    if tool is None:
        raise CommandFailed(catalogue.suggest(name))
    if tool.effect == "write":
        raise CommandFailed(f"{tool.name} writes, and would do so on every surface; parity only reads")
    return cases_of([tool]) if arguments is None else [Case(tool, "as given", arguments)]


async def _resource_cases(app: App) -> list[Case]:
    from sanya.parity.comparison import resource_cases

    return await resource_cases(app.kernel.catalogue)


async def _compare(app: App, cases: list[Case]) -> list[Verdict]:
    from sanya.kernel.call import Call
    from sanya.parity.comparison import WayFailed, compare
    from sanya.parity.ways import open_ways

    async def call(case: Case) -> Outcome:
        return await make_call(app, Call(case.name, case.arguments))

    try:
        async with open_ways(program(), app.settings.home.absolute()) as ways:
            with progress_bar("parity") as progress:
                return await compare(call, ways, cases, progress)
    except WayFailed as error:
        raise CommandFailed(str(error)) from None


def _as_json(verdict: Verdict) -> dict[str, Any]:
    return {
        "tool": verdict.case.tool.name,
        "uri": verdict.case.uri,
        "example": verdict.case.title,
        "out_hash": verdict.out_hash,
        "equal": verdict.equal,
        "differences": dict(verdict.differences),
    }


def _show(verdicts: list[Verdict]) -> None:
    ways = list(verdicts[0].differences) if verdicts else []
    rows = [(one.case.name, one.case.title, one.out_hash[:12], *(_mark(one, way) for way in ways)) for one in verdicts]
    write_table(("tool", "example", "out_hash", *ways), rows)
    for one in verdicts:
        for way, difference in one.differences.items():
            if difference:
                write_line(f"{one.case.name} ({one.case.title}) on {way}: {difference}")
    equal = sum(one.equal for one in verdicts)
    write_line(
        f"{equal} of {len(verdicts)} calls have the same answer in this process and on {len(ways)} other ways in"
    )


def _mark(verdict: Verdict, way: str) -> str:
    if way not in verdict.differences:
        return " "
    return "✗" if verdict.differences[way] else "✓"
