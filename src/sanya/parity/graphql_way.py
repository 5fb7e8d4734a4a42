"""GraphQL as a stranger asks it: the schema by introspection, every field asked for, the body put together again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx

from sanya.kernel.contract_types import Listed, Record, Stamped, Typed, plain_name, record_of
from sanya.parity.comparison import Case, Heard, Way, WayFailed

_RESOURCE = "query($uri: String!) { answer: resource(uri: $uri) { uri mime_type json text } }"


async def open_graphql_way(client: httpx.AsyncClient) -> Way:
    from graphql import GraphQLSchema, build_client_schema, get_introspection_query  # here: it takes long to load

    async def send(query: str, variables: Mapping[str, Any]) -> Any:
        try:
            response = await client.post("/graphql", json={"query": query, "variables": dict(variables)})
            return response.json()
        except (httpx.HTTPError, ValueError) as error:
            raise WayFailed(f"GraphQL gave no JSON ({type(error).__name__}: {error})") from error

    told = await send(get_introspection_query(), {})
    schema: GraphQLSchema = build_client_schema(told["data"])
    queries: dict[str, str] = {}

    async def ask(case: Case) -> Heard:
        if case.uri is not None:
            return _heard(await send(_RESOURCE, {"uri": case.uri}), None)
        names = ",".join(sorted(case.arguments))
        key = f"{case.tool.name} {names}"
        if key not in queries:
            queries[key] = _query(schema, plain_name(case.tool.portable_name), case.arguments)
        return _heard(await send(queries[key], case.arguments), record_of(case.tool.output_schema))

    return Way("GraphQL", ask)


def _query(schema: Any, name: str, arguments: Mapping[str, Any]) -> str:
    """A query for all there is in the answer, with these arguments as its variables."""
    field = schema.query_type.fields[name]
    declared = ", ".join(f"${one}: {field.args[one].type}" for one in arguments)
    passed = ", ".join(f"{one}: ${one}" for one in arguments)
    head, call = (f"({declared})", f"({passed})") if arguments else ("", "")
    return f"query{head} {{ answer: {name}{call} {_everything(field.type)} }}"


def _everything(kind: Any) -> str:
    from graphql import get_named_type, is_object_type

    named = get_named_type(kind)
    if not is_object_type(named):
        return ""
    return "{ " + " ".join(f"{name} {_everything(field.type)}" for name, field in named.fields.items()) + " }"


def _heard(answer: Any, record: Record | None) -> Heard:
    try:
        stamp = answer["extensions"]["audit"]["answer"]
        if answer.get("errors"):
            return Heard(answer["errors"][0]["extensions"]["error"], stamp["out_hash"])
        body = answer["data"]["answer"]
    except (KeyError, TypeError, IndexError) as error:
        raise WayFailed(f"GraphQL gave no answer: {str(answer)[:500]}") from error
    if record is not None:
        return Heard(_record(record, body), stamp["out_hash"])
    content = body["json"] if body["text"] is None else {"text": body["text"], "mime_type": body["mime_type"]}
    return Heard(content, stamp["out_hash"])


def _record(record: Record, value: Mapping[str, Any]) -> dict[str, Any]:
    """Under the contract's own names. GraphQL says null for a member that is absent."""
    made = {}
    for member in record.members:
        found = value[plain_name(member.name)]
        if found is not None or member.required or member.typed.nullable:
            made[member.name] = _value(member.typed, found)
    return made


def _value(typed: Typed, value: Any) -> Any:
    if value is None:
        return None
    match typed.kind:
        case Record() as record:
            return _record(record, value)
        case Listed(item):
            return [_value(item, one) for one in value]
        case Stamped():
            return {**value, "seed": int(value["seed"])}
    return value
