"""The console's review of herb statements: the queue, a statement, decisions, and what is covered.

Reading needs the scope `herbs:read`. Deciding needs `herbs:review`, which no tool of an agent needs: a key that may
ingest documents may not silence a warning. A decision is JSON with the key in a header, and requests of other origins
are refused before they get here, so that no foreign page can decide in a reviewer's name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sanya.kernel.calls.arguments import read_shape
from sanya.kernel.calls.call import Caller
from sanya.kernel.faults import Forbidden, InvalidArgument
from sanya.surfaces.http.asgi import HttpRequest, HttpResponse
from sanya.surfaces.http.console.api import respond_json
from sanya.surfaces.http.console.ledger import read_query
from sanya.surfaces.http.console.owner import read_document
from sanya.surfaces.http.console_client import name_surface

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.suites.herbs.review.reading import ReviewReader
    from sanya.suites.herbs.review.recording import RecordedDesk

READ_SCOPE = "herbs:read"
REVIEW_SCOPE = "herbs:review"
_MOST_LABELS = 500
_FILTERS = ("state", "subject", "object", "severity", "evidence", "source")


class HerbReviewPages:
    def __init__(self, app: App) -> None:
        self._app = app
        self._opened: ReviewReader | None = None

    async def list_statements(self, request: HttpRequest) -> HttpResponse:
        from sanya.suites.herbs.review.contract import QueueQuery
        from sanya.suites.herbs.review.queue import QueueFilter

        _require(request.caller, READ_SCOPE)
        query = read_query(request, {*_FILTERS, "limit", "offset"})
        document: dict[str, Any] = dict(query)
        for name in ("limit", "offset"):
            if name in query:
                document[name] = _parse_number(name, query[name])
        given = read_shape(QueueQuery, document, "the list")
        wanted = QueueFilter(**given.model_dump(exclude={"limit", "offset"}))
        return respond_json(await self._reader.list_statements(wanted, given.limit, given.offset))

    async def show_statement(self, request: HttpRequest) -> HttpResponse:
        _require(request.caller, READ_SCOPE)
        card = await self._reader.describe(_read_id(request))
        return respond_json({**card, "may_decide": request.caller.may(REVIEW_SCOPE)})

    async def decide(self, request: HttpRequest) -> HttpResponse:
        """Record a decision and return the statement as it is now."""
        from sanya.suites.herbs.review.contract import DecisionInput

        _require(request.caller, REVIEW_SCOPE)
        statement = _read_id(request)
        given = read_shape(DecisionInput, await read_document(request, self._app.settings), "the decision")
        await self._open_desk(request).decide(statement, given)
        return await self.show_statement(request)

    async def undo(self, request: HttpRequest) -> HttpResponse:
        from sanya.suites.herbs.review.contract import UndoInput

        _require(request.caller, REVIEW_SCOPE)
        statement = _read_id(request)
        given = read_shape(UndoInput, await read_document(request, self._app.settings), "the request")
        await self._open_desk(request).undo(statement, given.reviewer, given.reason)
        return await self.show_statement(request)

    async def list_labels(self, request: HttpRequest) -> HttpResponse:
        """List the names of nodes (`?ids=`, separated by bars) in both languages, and the titles of sources
        (`?sources=`); unknown ids are left out."""
        _require(request.caller, READ_SCOPE)
        query = read_query(request, {"ids", "sources"})
        rows = await self._reader.store.read_labels(_read_ids(query, "ids"))
        sources = await self._reader.store.get_sources(_read_ids(query, "sources"))
        return respond_json(
            {
                "labels": {str(row[0]): {"th": row[2], "en": row[3]} for row in rows},
                "sources": [
                    {"id": source.id, "title": source.title, "year": source.year, "url": source.url}
                    for source in sources.values()
                ],
            }
        )

    async def show_coverage(self, request: HttpRequest) -> HttpResponse:
        from sanya.suites.herbs.review.coverage import ROW_TYPES

        _require(request.caller, READ_SCOPE)
        type = read_query(request, {"type"}).get("type", "herb")
        if type not in ROW_TYPES:
            raise InvalidArgument(f"type must be one of {', '.join(ROW_TYPES)}, got {type[:40]!r}", field="type")
        return respond_json(await self._reader.describe_coverage(type))

    @property
    def _reader(self) -> ReviewReader:
        """The reader, opened on first use: most servers never show these pages."""
        if self._opened is None:
            from sanya.suites.herbs.graph.store import HerbStore
            from sanya.suites.herbs.review.reading import ReviewReader

            self._opened = ReviewReader(HerbStore(self._app.database))
        return self._opened

    def _open_desk(self, request: HttpRequest) -> RecordedDesk:
        from sanya.suites.herbs.review.recording import RecordedDesk

        return RecordedDesk(self._reader.store, self._app.ledger, (name_surface(request.headers), request.caller.id))


def _require(caller: Caller, scope: str) -> None:
    if not caller.may(scope):
        what = "Deciding about statements" if scope == REVIEW_SCOPE else "The review of statements"
        raise Forbidden(f"{what} needs the scope {scope}.", details={"scope": scope})


def _read_id(request: HttpRequest) -> str:
    id = read_query(request, {"id"}).get("id", "")
    if not id:
        raise InvalidArgument("id is required: the id of a statement", field="id")
    return id


def _read_ids(query: dict[str, str], name: str) -> list[str]:
    ids = [id for id in query.get(name, "").split("|") if id]
    if len(ids) > _MOST_LABELS:
        raise InvalidArgument(f"{name} takes at most {_MOST_LABELS} ids", field=name)
    return [id for id in ids if id.isprintable()]


def _parse_number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise InvalidArgument(f"{name} must be a number, got {text[:40]!r}", field=name)
    return int(text)
