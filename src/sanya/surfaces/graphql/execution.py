"""Executes an operation: every top-level field is one kernel call, and all run concurrently."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphql import GraphQLError, GraphQLSchema, execute_sync
from graphql.execution.values import VariableValues

from sanya.kernel.calls.call import Call, Outcome, Refused
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.contracts.dialect import find_code
from sanya.kernel.faults import DeadlineExceeded
from sanya.kernel.lru import LruCache
from sanya.surfaces.graphql.documents import INTROSPECTION_FIELDS, InvalidDocument, Operation, RootField
from sanya.surfaces.resource_shapes import build_content, describe_resource

SURFACE = "graphql"
INTROSPECTION_TIMEOUT_S = 30.0
_MAX_CACHED_INTROSPECTIONS = (
    4  # GraphiQL and code generators each send one fixed query; a result takes a few hundred kB
)


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The result of a query: the data, the errors, and the stamps by response key."""

    data: dict[str, Any]
    errors: list[dict[str, Any]]
    audit: dict[str, dict[str, Any]]


class Executor:
    def __init__(self, kernel: Kernel, schema: GraphQLSchema) -> None:
        self._kernel = kernel
        self._schema = schema
        self._introspection_cache: LruCache[Operation, dict[str, Any]] = LruCache(_MAX_CACHED_INTROSPECTIONS)
        self._introspection_limit = asyncio.Semaphore(1)

    async def run(self, operation: Operation, given: Mapping[str, Any], call: Call) -> QueryResult:
        """Run the operation. `call` is a template with the caller, ids and deadline of every call."""
        variables = operation.coerce_variables(given)
        roots = operation.list_roots(variables)
        calls = [(root, _build_call(root, variables, call)) for root in roots if _is_called(root)]
        if call.request_id is not None and len(calls) > 1:
            # A request id identifies one call, so with several calls each gets an id derived from it.
            calls = [(root, each._replace(request_id=f"{call.request_id}/{root.key}")) for root, each in calls]
        uris = {root.key: each.tool for root, each in calls}
        outcomes = await self._run_calls(calls)
        answer = QueryResult({}, [], {})
        introspected = await self._introspect(operation, roots, given)
        for root in roots:
            if root.key in outcomes:
                self._add(answer, root, uris[root.key], outcomes[root.key])
            elif root.node.name.value == "resources":
                answer.data[root.key] = [
                    root.project(describe_resource(resource)) for resource in self._kernel.catalogue.resources
                ]
            else:
                answer.data[root.key] = introspected.get(root.key, "Query")
        return answer

    async def _run_calls(self, calls: list[tuple[RootField, Call]]) -> dict[str, Outcome]:
        if len(calls) == 1:
            ((root, call),) = calls
            return {root.key: await self._run_call(root, call)}
        outcomes = await asyncio.gather(*(self._run_call(root, call) for root, call in calls))
        return {root.key: outcome for (root, _), outcome in zip(calls, outcomes, strict=True)}

    async def _run_call(self, root: RootField, call: Call) -> Outcome:
        return await (self._kernel.read(call) if root.tool is None else self._kernel.call(call))

    async def _introspect(
        self, operation: Operation, roots: list[RootField], given: Mapping[str, Any]
    ) -> dict[str, Any]:
        fields = [root for root in roots if root.node.name.value in INTROSPECTION_FIELDS]
        if not fields:
            return {}
        cached = self._introspection_cache.get(operation)
        if cached is not None:
            return cached
        # The whole schema takes a good part of a second: a thread, one at a time, so that calls are not delayed.
        try:
            async with asyncio.timeout(INTROSPECTION_TIMEOUT_S), self._introspection_limit:
                document = operation.build_introspection(fields)
                result = await asyncio.to_thread(execute_sync, self._schema, document, variable_values=dict(given))
        except TimeoutError:
            raise DeadlineExceeded(f"No introspection within {INTROSPECTION_TIMEOUT_S:g} s. Try again later.") from None
        if result.errors:
            raise InvalidDocument(result.errors, "GRAPHQL_VALIDATION_FAILED")
        data: dict[str, Any] = result.data or {}
        if operation.is_fixed:
            self._introspection_cache.put(operation, data)
        return data

    def _add(self, answer: QueryResult, root: RootField, uri: str, outcome: Outcome) -> None:
        answer.audit[root.key] = _describe_audit(outcome)
        if isinstance(outcome, Refused):
            answer.data[root.key] = None
            answer.errors.append(_describe_error(root, outcome))
        elif root.tool is None:
            answer.data[root.key] = root.project(build_content(self._kernel.catalogue, uri, outcome))
        else:
            answer.data[root.key] = root.project(outcome.body)


def _is_called(root: RootField) -> bool:
    return root.tool is not None or root.node.name.value == "resource"


def _build_call(root: RootField, variables: VariableValues, call: Call) -> Call:
    try:
        arguments = root.arguments(variables)
    except GraphQLError as error:
        raise InvalidDocument([error], "BAD_USER_INPUT") from None
    if root.tool is None:
        return call._replace(tool=arguments["uri"])
    return call._replace(tool=root.tool, arguments=arguments)


def _describe_audit(outcome: Outcome) -> dict[str, Any]:
    stamp = outcome.stamp.as_json()
    return {
        "tool": outcome.tool.name if outcome.tool else None,
        **stamp,
        "seed": str(stamp["seed"]),
        "call_id": outcome.id or None,
        "request_id": outcome.request_id,
        "replayed": outcome.replayed,
    }


def _describe_error(root: RootField, refused: Refused) -> dict[str, Any]:
    fault, tool = refused.fault, refused.tool
    place = root.node.loc
    locations = [] if place is None else [{"line": place.start_token.line, "column": place.start_token.column}]
    return {
        "message": refused.message,
        "path": [root.key],
        "locations": locations,
        "extensions": {
            "code": find_code(tool.dialect, fault, refused.error) if tool else "NOT_FOUND",
            "kind": fault.kind,
            "error": refused.error,
            "retry_after_ms": fault.retry_after_ms,
        },
    }
