"""Carries out an operation: every field of the query is one call of the kernel, side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphql import GraphQLError, GraphQLSchema, execute_sync
from graphql.execution.values import VariableValues

from sanya.kernel.call import Call, Outcome, Refused
from sanya.kernel.dispatch import Kernel
from sanya.kernel.lru import LruCache
from sanya.surfaces.graphql.documents import INTROSPECTION_FIELDS, InvalidDocument, Operation, RootField
from sanya.surfaces.resource_shapes import build_content, describe_resource

SURFACE = "graphql"
_MAX_CACHED_INTROSPECTIONS = 4  # the queries of the usual tools; each answer is a few hundred kilobytes


@dataclass(frozen=True, slots=True)
class QueryResult:
    """What goes back: the data, the errors beside it, and the stamps by response key."""

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
        """`call` is the pattern of every call: who makes it, under which ids, in which time."""
        variables = operation.coerce_variables(given)
        roots = operation.list_roots(variables)
        asked = [(root, _build_call(root, variables, call)) for root in roots if _is_called(root)]
        if call.request_id is not None and len(asked) > 1:
            # One id means one call; with several, each has its own below it.
            asked = [(root, one._replace(request_id=f"{call.request_id}/{root.key}")) for root, one in asked]
        uris = {root.key: one.tool for root, one in asked}
        outcomes = await self._run_calls(asked)
        answer = QueryResult({}, [], {})
        told = await self._introspect(operation, roots, given)
        for root in roots:
            if root.key in outcomes:
                self._add(answer, root, uris[root.key], outcomes[root.key])
            elif root.node.name.value == "resources":
                answer.data[root.key] = [
                    root.project(describe_resource(one)) for one in self._kernel.catalogue.resources
                ]
            else:
                answer.data[root.key] = told.get(root.key, "Query")
        return answer

    async def _run_calls(self, asked: list[tuple[RootField, Call]]) -> dict[str, Outcome]:
        if len(asked) == 1:
            ((root, call),) = asked
            return {root.key: await self._run_call(root, call)}
        outcomes = await asyncio.gather(*(self._run_call(root, call) for root, call in asked))
        return {root.key: outcome for (root, _), outcome in zip(asked, outcomes, strict=True)}

    async def _run_call(self, root: RootField, call: Call) -> Outcome:
        return await (self._kernel.read(call) if root.tool is None else self._kernel.call(call))

    async def _introspect(
        self, operation: Operation, roots: list[RootField], given: Mapping[str, Any]
    ) -> dict[str, Any]:
        asked = [root for root in roots if root.node.name.value in INTROSPECTION_FIELDS]
        if not asked:
            return {}
        known = self._introspection_cache.get(operation)
        if known is not None:
            return known
        # It takes a good part of a second for the whole schema, and calls must go on meanwhile: one at a time.
        async with self._introspection_limit:
            document = operation.build_introspection(asked)
            result = await asyncio.to_thread(execute_sync, self._schema, document, variable_values=dict(given))
        if result.errors:
            raise InvalidDocument(result.errors, "GRAPHQL_VALIDATION_FAILED")
        told: dict[str, Any] = result.data or {}
        if operation.is_fixed:
            self._introspection_cache.put(operation, told)
        return told

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
            "code": tool.dialect.code_of(type(fault)) if tool else "NOT_FOUND",
            "kind": fault.kind,
            "error": refused.error,
            "retry_after_ms": fault.retry_after_ms,
        },
    }
