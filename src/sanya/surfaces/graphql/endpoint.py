"""`/graphql`: POST with JSON or GET with a query string; responses follow the GraphQL over HTTP specification."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

import orjson
from graphql import GraphQLError

from sanya.kernel.calls.call import Call
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.traceparent import read_traceparent
from sanya.kernel.faults import Fault, Forbidden, InvalidArgument
from sanya.kernel.strict_json import DuplicateName, parse_json
from sanya.surfaces.graphql.documents import DocumentCache, InvalidDocument
from sanya.surfaces.graphql.execution import SURFACE, Executor, QueryResult
from sanya.surfaces.graphql.limits import MAX_LOCATIONS
from sanya.surfaces.graphql.schema import build_valid_schema
from sanya.surfaces.guest_names import build_with_guests
from sanya.surfaces.http.asgi import DATA_HEADERS, JSON, HttpRefusal, HttpRequest, HttpResponse
from sanya.surfaces.http.body import check_json_type, read_body
from sanya.surfaces.http.disconnects import cancel_on_disconnect
from sanya.surfaces.http.envelope import build_fault_headers, find_status

GRAPHQL_JSON = b"application/graphql-response+json"
MAX_ID_CHARS = 128
_KEYS = {"query", "variables", "operationName", "extensions"}
_OTHER_SITES = (b"cross-site", b"same-site")


class GraphQLEndpoint:
    def __init__(self, kernel: Kernel, *, max_body_bytes: int, body_timeout_s: float) -> None:
        schema = build_with_guests(kernel.catalogue, build_valid_schema, "GraphQL")
        self._documents = DocumentCache(schema)
        self._executor = Executor(kernel, schema)
        self._max_body_bytes = max_body_bytes
        self._body_timeout_s = body_timeout_s

    async def post(self, request: HttpRequest) -> HttpResponse:
        try:
            check_json_type(request.headers)
            given = _require_object(await self._read_body(request), "The body")
            return await self._answer(request, given)
        except (Fault, HttpRefusal) as refused:
            return _refuse(refused)

    async def get(self, request: HttpRequest) -> HttpResponse:
        try:
            _refuse_other_sites(request)
            return await self._answer(request, _parse_query_string(request.scope["query_string"]))
        except (Fault, HttpRefusal) as refused:
            return _refuse(refused)

    async def _read_body(self, request: HttpRequest) -> Any:
        length = request.headers.get(b"content-length")
        body = await read_body(request.receive, self._max_body_bytes, length=length, timeout_s=self._body_timeout_s)
        return _parse_json(body, "The body")

    async def _answer(self, request: HttpRequest, given: Mapping[str, Any]) -> HttpResponse:
        query, variables, name = _read_request(given)
        as_graphql = GRAPHQL_JSON in request.headers.get(b"accept", b"")
        try:
            operation = self._documents.get_operation(query, name)
            call = _build_call_template(request, _require_object(given.get("extensions") or {}, "extensions"))
            answer = await cancel_on_disconnect(self._executor.run(operation, variables, call), request.receive)
        except InvalidDocument as bad:
            # Clients of the older media type expect 200 for any well-formed request, and look for `errors`.
            return _respond(400 if as_graphql else 200, {"errors": _describe_errors(bad)}, as_graphql)
        return _respond(200, _as_json(answer), as_graphql)


def _refuse_other_sites(request: HttpRequest) -> None:
    """Refuse GET queries from other sites' pages: they need no CORS preflight and would use up the reader's limits."""
    if request.headers.get(b"sec-fetch-site") in _OTHER_SITES:
        raise HttpRefusal(Forbidden("Pages of other sites may not query with GET. Use POST with JSON."))


def _parse_query_string(query_string: bytes) -> dict[str, Any]:
    try:
        pairs = parse_qsl(query_string.decode("ascii"), keep_blank_values=True, max_num_fields=8, errors="strict")
    except ValueError:
        raise InvalidArgument("The query string is not valid. Percent-encode its values as UTF-8.") from None
    parameters: dict[str, Any] = dict(pairs)
    if len(parameters) != len(pairs):
        raise InvalidArgument("A query parameter was sent more than once. Send it once.")
    for name in ("variables", "extensions"):
        if name in parameters:
            parameters[name] = _parse_json(parameters[name], name) if parameters[name] else None
    return parameters


def _read_request(given: Mapping[str, Any]) -> tuple[str, Mapping[str, Any], str | None]:
    if unknown := sorted(given.keys() - _KEYS):
        raise InvalidArgument(f"Unknown field {unknown[0][:100]!r}. Use {', '.join(sorted(_KEYS))}.")
    query, name = given.get("query"), given.get("operationName")
    if not isinstance(query, str):
        raise InvalidArgument("query is required, as a string; persisted queries are not supported", field="query")
    if not isinstance(name, str | None):
        raise InvalidArgument("operationName must be a string", field="operationName")
    return query, _require_object(given.get("variables") or {}, "variables"), name or None


def _build_call_template(request: HttpRequest, extensions: Mapping[str, Any]) -> Call:
    request_id, timeout_ms = extensions.get("request_id"), extensions.get("timeout_ms")
    if request_id is not None and not (isinstance(request_id, str) and 0 < len(request_id.strip()) <= MAX_ID_CHARS):
        raise InvalidArgument(f"extensions.request_id must be a string of 1 to {MAX_ID_CHARS} characters")
    if timeout_ms is not None and not (type(timeout_ms) is int and timeout_ms > 0):
        raise InvalidArgument("extensions.timeout_ms must be an integer above 0")
    parent = request.headers.get(b"traceparent")
    trace_id, span_id = (None, None) if parent is None else read_traceparent(parent.decode("latin-1"))
    return Call(
        "",
        {},
        caller=request.caller,
        surface=SURFACE,
        request_id=request_id,
        trace_id=trace_id,
        parent_span_id=span_id,
        timeout_ms=timeout_ms,
    )


def _parse_json(content: str | bytes, what: str) -> Any:
    try:
        return parse_json(content)
    except DuplicateName as duplicate:
        raise InvalidArgument(f"{what} is ambiguous: {duplicate}. Send each name once.") from None
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InvalidArgument(f"{what} is not valid JSON ({where}).") from None


def _require_object(value: Any, what: str) -> dict[str, Any]:
    if isinstance(value, list):
        raise InvalidArgument(f"{what} must be a JSON object; batches are not supported")
    if not isinstance(value, dict):
        raise InvalidArgument(f"{what} must be a JSON object")
    return value


def _as_json(answer: QueryResult) -> dict[str, Any]:
    made: dict[str, Any] = {"data": answer.data}
    if answer.errors:
        made["errors"] = answer.errors
    if answer.audit:
        made["extensions"] = {"audit": answer.audit}
    return made


def _describe_errors(bad: InvalidDocument) -> list[dict[str, Any]]:
    return [_describe_error(error, bad.code) for error in bad.errors]


def _describe_error(error: GraphQLError, code: str) -> dict[str, Any]:
    made: dict[str, Any] = {"message": error.message, "extensions": {"code": code}}
    if error.locations:
        places = error.locations[:MAX_LOCATIONS]
        made["locations"] = [{"line": location.line, "column": location.column} for location in places]
    return made


def _refuse(refused: Fault | HttpRefusal) -> HttpResponse:
    fault = refused.fault if isinstance(refused, HttpRefusal) else refused
    status = (refused.status if isinstance(refused, HttpRefusal) else None) or find_status(fault)
    error = {"message": fault.message, "extensions": {"code": "BAD_REQUEST", "kind": fault.kind}}
    more = refused.headers if isinstance(refused, HttpRefusal) else ()
    return HttpResponse(
        status, orjson.dumps({"errors": [error]}), headers=DATA_HEADERS + more + build_fault_headers(fault)
    )


def _respond(status: int, content: Mapping[str, Any], as_graphql: bool) -> HttpResponse:
    return HttpResponse(status, orjson.dumps(content), GRAPHQL_JSON if as_graphql else JSON)
