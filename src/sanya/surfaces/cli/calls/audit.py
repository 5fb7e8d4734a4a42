"""`sanya audit`: read the ledger and check that nobody changed it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.option_values import parse_positive
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import BAD, GOOD, paint, write_json, write_line, write_note

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.kernel.ledger.chain import LedgerLink
    from sanya.kernel.ledger.receipts import Receipt
    from sanya.kernel.ledger.verification import ChainState, LedgerVerdict

FILTERS = ("tool", "suite", "status", "fault", "caller", "surface", "request_id", "cites")
_FILTER_HELP = {"cites": "Only calls whose answer named this paper, by PMID."}

EXAMPLES = """examples:
  sanya audit list --tool get_tasks --status error
  sanya audit list --before 120
  sanya audit show call_0123456789abcdef
  sanya audit verify --expect HASH
  sanya audit anchor --to /mnt/elsewhere/receipts
  sanya audit verify --anchors /mnt/elsewhere/receipts"""


def add_arguments(parser: ArgumentParser) -> None:
    actions: _SubParsersAction[ArgumentParser] = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _add_list(actions.add_parser("list", help="List the latest calls, newest first.", allow_abbrev=False))
    show = actions.add_parser("show", help="Show the whole ledger row of one call.", allow_abbrev=False)
    show.add_argument("id", help="Id or number of the call.")
    verify = actions.add_parser(
        "verify", help="Check the chains and name the first row altered, removed or reordered.", allow_abbrev=False
    )
    verify.add_argument(
        "--expect", metavar="HASH", help="A last hash that you noted earlier; the chain must contain it."
    )
    verify.add_argument(
        "--anchors",
        type=Path,
        metavar="PATH",
        help="A folder of receipts, or one of them, that `sanya audit anchor` wrote; the chains must still have them.",
    )
    verify.add_argument(
        "--anchor-key", metavar="KEY", help="Public key of the receipts that you noted (default: the home's own)."
    )
    anchor = actions.add_parser(
        "anchor", help="Write a signed receipt of the last row of every chain.", allow_abbrev=False
    )
    anchor.add_argument(
        "--to",
        type=Path,
        metavar="FOLDER",
        help="Folder for the receipt, best where this home's owner cannot write later (default: receipts_folder).",
    )
    for action in (show, verify, anchor):
        action.add_argument("--json", action="store_true", help="Print JSON.")


def _add_list(listing: ArgumentParser) -> None:
    listing.add_argument("--limit", type=parse_positive, default=20, metavar="N", help="Number of calls (default 20).")
    listing.add_argument("--before", metavar="CALL", help="Only calls before this id or number.")
    for name in FILTERS:
        flag = "--" + name.replace("_", "-")
        listing.add_argument(flag, help=_FILTER_HELP.get(name, f"Only calls with this {name.replace('_', ' ')}."))
    listing.add_argument("--json", action="store_true", help="Print one JSON object per line.")


def run(options: Namespace) -> int:
    actions = {"list": _list, "show": _show, "verify": _verify, "anchor": _anchor}
    return actions[str(options.action)](options)


def _list(options: Namespace) -> int:
    filters = {name: value for name in FILTERS if (value := getattr(options, name)) is not None}

    async def work(app: App) -> list[LedgerLink]:
        before = None if options.before is None else (await _find_link(app, options.before)).entry.id
        return await app.ledger_store.page(options.limit, before, **filters)

    links = run_in_home(options, work)
    if options.json:
        for link in links:
            write_json(link.as_json())
        return OK
    write_table(
        ("number", "id", "at (UTC)", "tool", "surface", "caller", "ms", "status"), [_to_cells(link) for link in links]
    )
    if len(links) == options.limit:
        write_note(f"for older calls add --before {links[-1].place}")
    return OK


def _to_cells(link: LedgerLink) -> tuple[str, ...]:
    entry = link.entry
    status = entry.fault or entry.status
    at = entry.at[:19].replace("T", " ")
    return link.place, entry.id, at, entry.tool, entry.surface, entry.caller, str(entry.latency_ms), status


async def _find_link(app: App, id_or_place: str) -> LedgerLink:
    link = await app.ledger_store.find(id_or_place)
    if link is None:
        raise CommandFailed(f"the ledger has no call {id_or_place!r}; `sanya audit list` shows the latest calls")
    return link


def _show(options: Namespace) -> int:
    link = run_in_home(options, lambda app: _find_link(app, options.id))
    if options.json:
        write_json(link.as_json())
        return OK
    rows = [(name, "" if value is None else str(value)) for name, value in link.as_json().items()]
    write_table(("field", "value"), rows)
    if link.row_hash != link.compute_hash():
        write_note("this row was altered: its contents do not match its hash; run `sanya audit verify`")
        return FAULT
    return OK


def _verify(options: Namespace) -> int:
    path: Path | None = options.anchors and options.anchors.expanduser()

    async def work(app: App) -> tuple[LedgerVerdict, list[Receipt]]:
        from sanya.kernel.ledger.receipts import collect_heads
        from sanya.kernel.ledger.verification import verify_ledger

        receipts = [] if path is None else await app.receipts.read(path, options.anchor_key)
        verdict = await verify_ledger(app.ledger_store, expect=options.expect, receipts=collect_heads(receipts))
        return verdict, receipts

    verdict, receipts = run_in_home(options, work)
    if options.json:
        last = receipts[-1].at if receipts else None
        write_json({**verdict.as_json(), "receipts": {"count": len(receipts), "last_at": last}})
    elif verdict.problem is None:
        extent = f"{verdict.rows} rows" + (f" in {len(verdict.chains)} chains" if len(verdict.chains) > 1 else "")
        write_line(f"{paint('holds', GOOD)}: {extent}, the last hash is {verdict.head}")
        write_line(_describe_cover(receipts))
        if len(verdict.chains) > 1:
            rows = [_to_chain_cells(chain) for chain in verdict.chains]
            write_table(("chain", "rows", "anchored up to", "last hash"), rows)
    else:
        write_line(f"{paint('broken', BAD)}: {verdict.problem}")
    return OK if verdict.problem is None else FAULT


def _describe_cover(receipts: list[Receipt]) -> str:
    """Say what a whole rewrite would be found by: the receipts that were checked, or what to do to have some."""
    if not receipts:
        return (
            "Keep that hash somewhere else, for `--expect`, or let `sanya audit anchor` write receipts, for "
            "`--anchors`: either also detects a chain that was rewritten whole."
        )
    last = receipts[-1]
    ends = ", ".join(f"row {head.seq} of {head.chain}" for head in last.heads)
    agree = "1 receipt agrees" if len(receipts) == 1 else f"{len(receipts)} receipts agree"
    return f"{agree}. The last, of {last.at}, covers everything up to {ends}; rows after it are not covered."


def _anchor(options: Namespace) -> int:
    async def work(app: App) -> tuple[Path, str]:
        from sanya.kernel.ledger.owner_actions import record_owner_action

        folder = options.to or (Path(app.settings.receipts_folder) if app.settings.receipts_folder else None)
        if folder is None:
            raise CommandFailed("name a folder with --to, or set receipts_folder")
        path = await app.receipts.write(folder.expanduser())
        digest = sha256(path.read_bytes()).hexdigest()
        async with record_owner_action(app.ledger, "audit.anchor", "ledger", {"file": path.name, "sha256": digest}):
            pass
        return path, str(await app.receipts.find_public_key())

    path, public_key = run_in_home(options, work)
    if options.json:
        write_json({"file": str(path), "public_key": public_key})
        return OK
    write_line(f"Wrote {path}")
    write_note(f"Keep the receipts where nobody who can write to the home can change them. Their key is {public_key}")
    return OK


def _to_chain_cells(state: ChainState) -> tuple[str, ...]:
    return state.chain, str(state.rows), "" if state.anchored is None else str(state.anchored), state.head
