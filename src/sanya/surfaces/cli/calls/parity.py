"""`sanya parity`: make the same calls on every surface and compare the answers."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from sanya.surfaces.cli.calls.call import read_json
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import FAULT, OK, UsageError
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line, write_note
from sanya.surfaces.cli.tool_calls import make_call
from sanya.surfaces.clients import find_program

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.kernel.calls.call import Outcome
    from sanya.kernel.contracts.tool import Tool
    from sanya.parity.comparison import Case, CaseResult

_KEY_NAME = "parity"
EXAMPLES = """The command starts its own server on a free loopback port, with the same home, and stops it afterwards.
Where the home has keys, it makes one of its own for the calls and revokes it at the end.

examples:
  sanya parity
  sanya parity --tool get_tasks --args '{"limit": 3}'"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--tool", help="Only this tool (default: every example of every read tool, and every resource)."
    )
    parser.add_argument("--args", metavar="JSON", help="Arguments for --tool, instead of its examples.")
    parser.add_argument("--json", action="store_true", help="Print the comparison as JSON.")


def run(options: Namespace) -> int:
    if options.args is not None and options.tool is None:
        raise UsageError("--args needs --tool")
    arguments = None if options.args is None else read_json(options.args)
    if arguments is not None and not isinstance(arguments, dict):
        raise UsageError("--args takes a JSON object")

    waits: dict[str, float] = {}

    async def work(app: App) -> list[CaseResult]:
        cases = _list_cases(app, options.tool, arguments)
        if options.tool is None:
            cases += await _list_resource_cases(app)
        return await _compare(app, cases, waits)

    verdicts = run_in_home(options, work)
    equal = all(verdict.equal for verdict in verdicts)
    if options.json:
        write_json({"equal": equal, "waited_s": waits, "cases": [_as_json(verdict) for verdict in verdicts]})
    else:
        _show(verdicts)
        write_note("Waited for: " + ", ".join(f"{name} {seconds:.1f} s" for name, seconds in waits.items()))
    return OK if equal else FAULT


async def find_parity_problems(app: App, tools: Sequence[Tool]) -> list[str]:
    """Return where the examples of these tools are answered differently on a surface."""
    from sanya.parity.comparison import list_tool_cases

    verdicts = await _compare(app, list_tool_cases(tools), {})
    return [difference for verdict in verdicts for difference in _list_differences(verdict)]


def _list_differences(verdict: CaseResult) -> list[str]:
    return [
        f"{verdict.case.name} ({verdict.case.title}) on {transport}: {difference}"
        for transport, difference in verdict.differences.items()
        if difference
    ]


def _list_cases(app: App, name: str | None, arguments: dict[str, Any] | None) -> list[Case]:
    from sanya.parity.comparison import Case, list_tool_cases

    catalogue = app.kernel.catalogue
    if name is None:
        return list_tool_cases(catalogue.tools)
    tool = catalogue.find_tool(name)
    if tool is None:
        raise CommandFailed(catalogue.suggest(name))
    if tool.effect == "write":
        raise CommandFailed(f"{tool.name} writes, and would write once per surface; name a tool that only reads")
    return list_tool_cases([tool]) if arguments is None else [Case(tool, "as given", arguments)]


async def _list_resource_cases(app: App) -> list[Case]:
    from sanya.parity.comparison import list_resource_cases

    return await list_resource_cases(app.kernel.catalogue)


async def _compare(app: App, cases: list[Case], waits: dict[str, float]) -> list[CaseResult]:
    from sanya.kernel.calls.call import Call
    from sanya.parity.comparison import TransportFailed, compare
    from sanya.parity.transports import TransportOptions, open_transports

    async def call(case: Case) -> Outcome:
        return await make_call(app, Call(case.name, case.arguments))

    try:
        async with _create_key(app, cases) as key:
            options = TransportOptions(key, write_note, waits)
            async with open_transports(find_program(), app.settings.home.absolute(), options) as ways:
                with progress_bar("parity") as progress:
                    return await compare(call, ways, cases, progress)
    except TransportFailed as error:
        raise CommandFailed(str(error)) from None


@asynccontextmanager
async def _create_key(app: App, cases: list[Case]) -> AsyncIterator[str | None]:
    """Yield a key for the cases and revoke it afterwards; None where the home lets callers in without.

    A first key would close such a home to everybody else.
    """
    from sanya.kernel.ledger.owner_actions import record_owner_action

    if not await app.keys.has_any():
        yield None
        return
    scopes = sorted({scope for case in cases for scope in case.tool.required_scopes})
    content = {"name": _KEY_NAME, "scopes": scopes, "calls_per_minute": 0}
    async with record_owner_action(app.ledger, "keys.create", "keys", content) as action:
        key = await app.keys.create(_KEY_NAME, scopes, 0)
        id = key.split("_")[1]
        action.add(id=id)
    try:
        yield key
    finally:
        async with record_owner_action(app.ledger, "keys.revoke", "keys", {"id": id}):
            await app.keys.revoke(id)


def _as_json(verdict: CaseResult) -> dict[str, Any]:
    return {
        "tool": verdict.case.tool.name,
        "uri": verdict.case.uri,
        "example": verdict.case.title,
        "out_hash": verdict.out_hash,
        "equal": verdict.equal,
        "differences": dict(verdict.differences),
    }


def _show(verdicts: list[CaseResult]) -> None:
    transports = list(verdicts[0].differences) if verdicts else []
    rows = [_to_row(verdict, transports) for verdict in verdicts]
    write_table(("tool", "example", "out_hash", *transports), rows)
    for verdict in verdicts:
        for difference in _list_differences(verdict):
            write_line(difference)
    equal = sum(verdict.equal for verdict in verdicts)
    write_line(
        f"{equal} of {len(verdicts)} calls have the same answer in this process and on {len(transports)} transports"
    )


def _to_row(verdict: CaseResult, transports: list[str]) -> tuple[str, ...]:
    marks = (_format_mark(verdict, transport) for transport in transports)
    return verdict.case.name, verdict.case.title, verdict.out_hash[:12], *marks


def _format_mark(verdict: CaseResult, transport: str) -> str:
    if transport not in verdict.differences:
        return " "
    return "✗" if verdict.differences[transport] else "✓"
