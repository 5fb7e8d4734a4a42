"""`sanya audit`: reads the ledger and checks that nobody changed it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from typing import TYPE_CHECKING

from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.option_values import positive
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import BAD, GOOD, paint, write_json, write_line, write_note

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.kernel.ledger import Link
    from sanya.kernel.verification import ChainState, Verdict

FILTERS = ("tool", "suite", "status", "fault", "caller", "surface", "request_id")

EXAMPLES = """examples:
  sanya audit list --tool get_tasks --status error
  sanya audit list --before 120
  sanya audit show call_0123456789abcdef
  sanya audit verify --expect HASH"""


def add_arguments(parser: ArgumentParser) -> None:
    actions: _SubParsersAction[ArgumentParser] = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _add_list(actions.add_parser("list", help="The latest calls, newest first.", allow_abbrev=False))
    show = actions.add_parser("show", help="Everything that the ledger keeps of one call.", allow_abbrev=False)
    show.add_argument("id", help="Id or number of the call.")
    verify = actions.add_parser(
        "verify", help="Check the chains; name the first row altered, removed or reordered.", allow_abbrev=False
    )
    verify.add_argument(
        "--expect", metavar="HASH", help="The last hash as you noted it elsewhere; the chain must hold it."
    )
    for action in (show, verify):
        action.add_argument("--json", action="store_true", help="Print JSON.")


def _add_list(listing: ArgumentParser) -> None:
    listing.add_argument("--limit", type=positive, default=20, metavar="N", help="How many (default 20).")
    listing.add_argument("--before", metavar="CALL", help="Only calls before the one with this id or number.")
    for name in FILTERS:
        flag = "--" + name.replace("_", "-")
        listing.add_argument(flag, help=f"Only calls with this {name.replace('_', ' ')}.")
    listing.add_argument("--json", action="store_true", help="Print one JSON object a line.")


def run(options: Namespace) -> int:
    return {"list": _list, "show": _show, "verify": _verify}[str(options.action)](options)


def _list(options: Namespace) -> int:
    wanted = {name: value for name in FILTERS if (value := getattr(options, name)) is not None}

    async def work(app: App) -> list[Link]:
        before = None if options.before is None else (await _found(app, options.before)).entry.id
        return await app.ledger_store.page(options.limit, before, **wanted)

    links = in_home(options, work)
    if options.json:
        for link in links:
            write_json(link.as_json())
        return OK
    write_table(
        ("number", "id", "at (UTC)", "tool", "surface", "caller", "ms", "status"), [_cells(link) for link in links]
    )
    if len(links) == options.limit:
        write_note(f"older ones: add --before {links[-1].place}")
    return OK


def _cells(link: Link) -> tuple[str, ...]:
    entry = link.entry
    status = entry.fault or entry.status
    at = entry.at[:19].replace("T", " ")
    return link.place, entry.id, at, entry.tool, entry.surface, entry.caller, str(entry.latency_ms), status


async def _found(app: App, id_or_place: str) -> Link:
    link = await app.ledger_store.find(id_or_place)
    if link is None:
        raise CommandFailed(f"the ledger has no call {id_or_place!r}; `sanya audit list` shows the latest")
    return link


def _show(options: Namespace) -> int:
    link = in_home(options, lambda app: _found(app, options.id))
    if options.json:
        write_json(link.as_json())
        return OK
    rows = [(name, "" if value is None else str(value)) for name, value in link.as_json().items()]
    write_table(("field", "value"), rows)
    if link.row_hash != link.expected_hash():
        write_note("this row was altered: its contents do not give its hash; see `sanya audit verify`")
        return FAULT
    return OK


def _verify(options: Namespace) -> int:
    async def work(app: App) -> Verdict:
        from sanya.kernel.verification import verify

        return await verify(app.ledger_store, expect=options.expect)

    verdict = in_home(options, work)
    if options.json:
        write_json(verdict.as_json())
    elif verdict.problem is None:
        counted = f"{verdict.rows} rows" + (f" in {len(verdict.chains)} chains" if len(verdict.chains) > 1 else "")
        write_line(f"{paint('holds', GOOD)}: {counted}, the last hash is {verdict.head}")
        write_line("Note that hash somewhere else: with it, `--expect` also finds a chain that was rewritten whole.")
        if len(verdict.chains) > 1:
            write_table(("chain", "rows", "anchored up to", "last hash"), [_chain_cells(one) for one in verdict.chains])
    else:
        write_line(f"{paint('broken', BAD)}: {verdict.problem}")
    return OK if verdict.problem is None else FAULT


def _chain_cells(state: ChainState) -> tuple[str, ...]:
    return state.chain, str(state.rows), "" if state.anchored is None else str(state.anchored), state.head
