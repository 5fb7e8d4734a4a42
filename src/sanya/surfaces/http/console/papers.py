"""The console's papers beside the tools: the corpus at a glance, and queries that a running server syncs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from sanya.kernel.clock import read_clock
from sanya.kernel.faults import Forbidden, InvalidArgument, NotFound
from sanya.kernel.ledger.owner_actions import record_owner_action
from sanya.kernel.storage.revisions import READ_REVISIONS, index_revisions
from sanya.surfaces.http.asgi import HttpRequest, HttpResponse
from sanya.surfaces.http.console.api import respond_json
from sanya.surfaces.http.console.ledger import read_query
from sanya.surfaces.http.console.owner import read_owner_document, read_text
from sanya.surfaces.http.console_client import name_surface

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.suites.papers.status.corpus_figures import CorpusFigures
    from sanya.suites.papers.sync.watches import Watches

READ_SCOPE = "papers:read"
_MOST_DIGITS = 20
_LEAST_S, _MOST_S = 60, 366 * 86_400


class ConsolePapers:
    def __init__(self, app: App) -> None:
        self._app = app
        self._figures: tuple[int, CorpusFigures] | None = None

    async def show_corpus(self, request: HttpRequest) -> HttpResponse:
        """Show papers by year and kind, and the newest ones. The figures are counted anew when the data has changed."""
        from sanya.suites.papers.status.corpus_figures import read_corpus_figures

        _require_read(request)
        revision = index_revisions(await self._app.database.fetch(READ_REVISIONS)).get("papers", 0)
        if self._figures is None or self._figures[0] != revision:
            self._figures = revision, await read_corpus_figures(self._app.database)
        return respond_json(asdict(self._figures[1]))

    async def show_holding(self, request: HttpRequest) -> HttpResponse:
        """Show what is here of a paper (`?pmid=`), so that its page asks the tools only for what exists."""
        from sanya.suites.papers.status.corpus_figures import describe_holding

        _require_read(request)
        pmid = read_query(request, {"pmid"}).get("pmid", "")
        if not (pmid.isascii() and pmid.isdigit() and len(pmid) <= _MOST_DIGITS):
            raise InvalidArgument("pmid must be a number", field="pmid")
        holding = await describe_holding(self._app.database, pmid)
        return respond_json({**holding, "in_graph": await self._is_in_graph(pmid, request)})

    async def _is_in_graph(self, pmid: str, request: HttpRequest) -> bool:
        from sanya.suites.herbs.graph.store import HerbStore

        if not request.caller.may("herbs:read"):
            return False
        return await HerbStore(self._app.database).get_node(f"pmid:{pmid}") is not None

    async def list_watches(self, request: HttpRequest) -> HttpResponse:
        _require_read(request)
        return respond_json({"watches": [asdict(watch) for watch in await self._watches.list_watches()]})

    async def change(self, request: HttpRequest) -> HttpResponse:
        """Watch a query, change its interval, or with `every_s` null stop watching it. Its papers stay."""
        document = await read_owner_document(request, self._app.settings, {"query", "every_s"})
        query = read_text(document, "query").strip()
        every_s = document.get("every_s")
        by = (name_surface(request.headers), request.caller.id)
        if every_s is None:
            async with record_owner_action(
                self._app.ledger, "papers.unwatch", "papers", {"query": query}, by=by
            ) as action:
                is_removed = await self._watches.remove(query)
                if not is_removed:
                    action.discard()
            if not is_removed:
                raise NotFound(f"{query[:80]!r} is not watched.")
        else:
            if not isinstance(every_s, int) or isinstance(every_s, bool) or not _LEAST_S <= every_s <= _MOST_S:
                raise InvalidArgument(f"every_s must be a number from {_LEAST_S} to {_MOST_S}", field="every_s")
            content = {"query": query, "every_s": every_s}
            async with record_owner_action(self._app.ledger, "papers.watch", "papers", content, by=by):
                await self._watches.add(query, every_s, read_clock())
        return await self.list_watches(request)

    @property
    def _watches(self) -> Watches:
        from sanya.suites.papers.sync.watches import Watches

        return Watches(self._app.database)


def _require_read(request: HttpRequest) -> None:
    if not request.caller.may(READ_SCOPE):
        raise Forbidden(f"Papers need the scope {READ_SCOPE}.", details={"scope": READ_SCOPE})
