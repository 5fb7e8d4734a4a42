"""Calls GraphQL as a client would: reads the schema by introspection, selects every field, rebuilds the body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx

from sanya.kernel.contracts.schema_types import (
    ContractType,
    ListType,
    RecordType,
    StampType,
    read_record,
    to_identifier,
)
from sanya.parity.comparison import Case, Transport, TransportAnswer, TransportFailed

_RESOURCE = "query($uri: String!) { answer: resource(uri: $uri) { uri mime_type json text } }"


async def open_graphql(client: httpx.AsyncClient) -> Transport:
    from graphql import GraphQLSchema, build_client_schema, get_introspection_query  # here: it takes long to load

    async def send(query: str, variables: Mapping[str, Any]) -> Any:
        try:
            response = await client.post("/graphql", json={"query": query, "variables": dict(variables)})
            return response.json()
        except (httpx.HTTPError, ValueError) as error:
            raise TransportFailed(f"GraphQL gave no JSON ({type(error).__name__}: {error})") from error

    introspected = await send(get_introspection_query(), {})
    if not introspected.get("data"):
        raise TransportFailed(f"GraphQL gave no schema: {str(introspected)[:500]}")
    schema: GraphQLSchema = build_client_schema(introspected["data"])
    queries: dict[str, str] = {}

    async def ask(case: Case) -> TransportAnswer:
        if case.uri is not None:
            return _read_answer(await send(_RESOURCE, {"uri": case.uri}), None)
        names = ",".join(sorted(case.arguments))
        key = f"{case.tool.name} {names}"
        if key not in queries:
            queries[key] = _build_query(schema, to_identifier(case.tool.portable_name), case.arguments)
        return _read_answer(await send(queries[key], case.arguments), read_record(case.tool.output_schema))

    return Transport("GraphQL", ask)


def _build_query(schema: Any, name: str, arguments: Mapping[str, Any]) -> str:
    """Build a query that selects the whole answer, with these arguments as its variables."""
    field = schema.query_type.fields[name]
    declared = ", ".join(f"${argument}: {field.args[argument].type}" for argument in arguments)
    passed = ", ".join(f"{argument}: ${argument}" for argument in arguments)
    head, call = (f"({declared})", f"({passed})") if arguments else ("", "")
    return f"query{head} {{ answer: {name}{call} {_select_all(field.type)} }}"


def _select_all(kind: Any) -> str:
    from graphql import get_named_type, is_object_type

    named = get_named_type(kind)
    if not is_object_type(named):
        return ""
    return "{ " + " ".join(f"{name} {_select_all(field.type)}" for name, field in named.fields.items()) + " }"


def _read_answer(answer: Any, record: RecordType | None) -> TransportAnswer:
    try:
        stamp = answer["extensions"]["audit"]["answer"]
        if answer.get("errors"):
            return TransportAnswer(answer["errors"][0]["extensions"]["error"], stamp["out_hash"])
        body = answer["data"]["answer"]
    except (KeyError, TypeError, IndexError) as error:
        raise TransportFailed(f"GraphQL gave no answer: {str(answer)[:500]}") from error
    if record is not None:
        return TransportAnswer(_rebuild_record(record, body), stamp["out_hash"])
    content = body["json"] if body["text"] is None else {"text": body["text"], "mime_type": body["mime_type"]}
    return TransportAnswer(content, stamp["out_hash"])


def _rebuild_record(record: RecordType, value: Mapping[str, Any]) -> dict[str, Any]:
    """Rebuild a record under the contract's names. GraphQL has null for an absent member."""
    rebuilt = {}
    for member in record.members:
        found = value[to_identifier(member.name)]
        if found is not None or member.required or member.type.nullable:
            rebuilt[member.name] = _rebuild_value(member.type, found)
    return rebuilt


def _rebuild_value(typed: ContractType, value: Any) -> Any:
    if value is None:
        return None
    match typed.kind:
        case RecordType() as record:
            return _rebuild_record(record, value)
        case ListType(item):
            return [_rebuild_value(item, element) for element in value]
        case StampType():
            return {**value, "seed": int(value["seed"])}
    return value
