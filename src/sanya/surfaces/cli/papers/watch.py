"""`sanya papers watch`: queries that a running server keeps fresh."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace, _SubParsersAction
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import OK, UsageError
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.suites.papers.watching import Watch

_SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_EVERY = re.compile(r"([1-9]\d{0,3})([mhdw])")


def add_actions(actions: _SubParsersAction[ArgumentParser]) -> None:
    watch = actions.add_parser("watch", help="Keep queries fresh while a server runs.", allow_abbrev=False)
    watch.add_argument("query", nargs="?", metavar="QUERY", help="PubMed query to watch; without one, list them.")
    watch.add_argument("--every", default="1d", metavar="TIME", help="How often: 30m, 12h, 1d, 1w (default 1d).")
    watch.add_argument("--remove", action="store_true", help="Watch this query no more. Its papers stay.")
    watch.add_argument("--json", action="store_true", help="Print the list as JSON.")
    watch.set_defaults(act=_watch)


def _watch(options: Namespace) -> int:
    every_s = _seconds(options.every)
    query = options.query.strip() if options.query is not None else None
    if query == "" or (options.remove and query is None):
        raise UsageError("name the query, as `sanya papers watch` lists it")

    async def work(app: App) -> list[Watch]:
        from sanya.suites.papers.watching import Watches

        watches = Watches(app.database)
        if query is not None and options.remove:
            if not await watches.remove(query):
                raise CommandFailed(f"{query!r} is not watched; `sanya papers watch` lists what is")
        elif query is not None:
            await watches.add(query, every_s, datetime.now(UTC))
        return await watches.all()

    _show(in_home(options, work), as_json=options.json)
    return OK


def _show(watches: list[Watch], *, as_json: bool) -> None:
    if as_json:
        names = ("query", "every_s", "next_at", "last_at", "last_status")
        write_json([{name: getattr(watch, name) for name in names} for watch in watches])
    elif not watches:
        write_line("No query is watched.")
    else:
        rows = [
            (one.query, _span(one.every_s), one.next_at, one.last_at or "–", one.last_status or "–") for one in watches
        ]
        write_table(("query", "every", "next", "last", "how it went"), rows)
        write_line("They are synced while a server runs (`sanya serve` or `sanya mcp`).")


def _seconds(text: str) -> int:
    found = _EVERY.fullmatch(text)
    if found is None:
        raise UsageError(f"--every takes a time such as 30m, 12h, 1d or 1w, got {text!r}")
    return int(found[1]) * _SECONDS[found[2]]


def _span(seconds: int) -> str:
    unit = next(name for name in "wdhm" if seconds % _SECONDS[name] == 0)
    return f"{seconds // _SECONDS[unit]}{unit}"
