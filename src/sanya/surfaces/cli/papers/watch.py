"""`sanya papers watch`: manage the queries that a running server syncs regularly."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace, _SubParsersAction
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sanya.kernel.ledger.owner_actions import record_owner_action
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import OK, UsageError
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.suites.papers.sync.watches import QueryWatch, Watches

_SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_EVERY = re.compile(r"([1-9]\d{0,3})([mhdw])")


def add_actions(actions: _SubParsersAction[ArgumentParser]) -> None:
    watch = actions.add_parser("watch", help="Sync queries regularly while a server runs.", allow_abbrev=False)
    watch.add_argument("query", nargs="?", metavar="QUERY", help="PubMed query to watch; without it, list all.")
    watch.add_argument("--every", default="1d", metavar="TIME", help="Interval: 30m, 12h, 1d, 1w (default 1d).")
    watch.add_argument("--remove", action="store_true", help="Stop watching this query and keep its papers.")
    watch.add_argument("--json", action="store_true", help="Print the list as JSON.")
    watch.set_defaults(act=_watch)


def _watch(options: Namespace) -> int:
    every_s = _parse_interval(options.every)
    query = options.query.strip() if options.query is not None else None
    if query == "" or (options.remove and query is None):
        raise UsageError("name the query as `sanya papers watch` lists it")

    async def work(app: App) -> list[QueryWatch]:
        from sanya.suites.papers.sync.watches import Watches

        watches = Watches(app.database)
        if query is not None and options.remove:
            await _remove(app, watches, query)
        elif query is not None:
            content = {"query": query, "every_s": every_s}
            async with record_owner_action(app.ledger, "papers.watch", "papers", content):
                await watches.add(query, every_s, datetime.now(UTC))
        return await watches.list_watches()

    _show(run_in_home(options, work), as_json=options.json)
    return OK


async def _remove(app: App, watches: Watches, query: str) -> None:
    async with record_owner_action(app.ledger, "papers.unwatch", "papers", {"query": query}) as action:
        is_removed = await watches.remove(query)
        if not is_removed:
            action.discard()
    if not is_removed:
        raise CommandFailed(f"{query!r} is not watched; `sanya papers watch` lists the watched queries")


def _show(watches: list[QueryWatch], *, as_json: bool) -> None:
    if as_json:
        names = ("query", "every_s", "next_at", "last_at", "last_status")
        write_json([{name: getattr(watch, name) for name in names} for watch in watches])
    elif not watches:
        write_line("There are no watched queries.")
    else:
        write_table(("query", "every", "next", "last", "last status"), [_to_row(watch) for watch in watches])
        write_line("A running server syncs them (`sanya serve` or `sanya mcp`).")


def _to_row(watch: QueryWatch) -> tuple[str, ...]:
    every = _format_interval(watch.every_s)
    return watch.query, every, watch.next_at, watch.last_at or "–", watch.last_status or "–"


def _parse_interval(text: str) -> int:
    match = _EVERY.fullmatch(text)
    if match is None:
        raise UsageError(f"--every takes an interval such as 30m, 12h, 1d or 1w, got {text!r}")
    return int(match[1]) * _SECONDS[match[2]]


def _format_interval(seconds: int) -> str:
    unit = next(name for name in "wdhm" if seconds % _SECONDS[name] == 0)
    return f"{seconds // _SECONDS[unit]}{unit}"
