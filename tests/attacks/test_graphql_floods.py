"""Floods of aliases, fragments and directives in one GraphQL document: each is refused before it costs much.

Beyond the single documents of the surface's tests these hide the flood: in fragments, behind conditions, in variables.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from sanya.surfaces.graphql.limits import MAX_CALLS, MAX_SPREADS
from tests.attacks.conftest import GuardedServer
from tests.attacks.raw_http import RawConnection

CALL = "get_projects { next_cursor }"
FINE = "{ get_projects { next_cursor } }"
EMPTY = "fragment {} on Query {{ __typename }}"


def _spread(count: int, body: str = "__typename") -> str:
    names = [f"F{number}" for number in range(count)]
    defined = " ".join(f"fragment {name} on Query {{ {body} }}" for name in names)
    return "{ " + " ".join(f"...{name}" for name in names) + " } " + defined


def _alias(count: int, wrap: str = "{}") -> str:
    return " ".join(wrap.format(f"a{number}: {CALL}") for number in range(count))


def _chain(levels: int, width: int, body: str) -> str:
    spread = [f"fragment F{n} on Query {{ {f'...F{n + 1} ' * width}}}" for n in range(levels)]
    return " ".join(["{ ...F0 }", *spread, f"fragment F{levels} on Query {{ {body} }}"])


# Documents over a limit.
FLOODS: dict[str, str] = {
    "hundreds of fragments of one field": _spread(450),
    "hundreds of fragments of unknown fields": "{ "
    + " ".join(f"...F{n}" for n in range(400))
    + " } "
    + " ".join(f"fragment F{n} on Query {{ x{n} }}" for n in range(400)),
    "a thousand inline fragments of one field": "{ " + "... { __typename } " * 1_000 + "}",
    "a thousand inline fragments behind conditions": "{ " + "... @include(if: false) { __typename } " * 500 + "}",
    "inline fragments below a call": "{ get_projects { " + "... { next_cursor } " * 1_000 + "} }",
    "fragments below a call": "{ get_projects { "
    + " ".join(f"...F{n}" for n in range(300))
    + " } } "
    + " ".join(f"fragment F{n} on GetProjects {{ next_cursor }}" for n in range(300)),
    "a fragment used twice on each of twelve levels": _chain(12, 2, CALL),
    "a fragment used fifty times on each of four levels": _chain(4, 50, CALL),
    "fragments that nobody uses": "{ __typename } " + _spread(450).partition(" } ")[2],
    "calls under aliases in inline fragments": "{ " + _alias(11, "... {{ {} }}") + " }",
    "calls under aliases in fragments of their own": "{ "
    + " ".join(f"...F{n}" for n in range(11))
    + " } "
    + " ".join(f"fragment F{n} on Query {{ a{n}: {CALL} }}" for n in range(11)),
    "calls under aliases that are all included": "{ " + _alias(11, "... @include(if: true) {{ {} }}") + " }",
    "calls under aliases behind a variable": "query($v: Boolean = true) { "
    + _alias(11, "... @include(if: $v) {{ {} }}")
    + " }",
    "sixty aliases that are all skipped": "{ " + _alias(60, "... @skip(if: true) {{ {} }}") + " }",
    "aliases below a call": "{ get_projects { " + " ".join(f"a{n}: next_cursor" for n in range(51)) + " } }",
    "aliases spread over fragments below a call": "{ get_projects { ...A ...B } } "
    + " ".join(
        f"fragment {name} on GetProjects {{ " + " ".join(f"{name}{n}: next_cursor" for n in range(26)) + " }"
        for name in "AB"
    ),
    "one call under thousands of conditions": "{ get_projects "
    + "@include(if: true) @skip(if: false) " * 400
    + "{ next_cursor } }",
    "thousands of unknown directives": "{ get_projects " + "".join(f"@d{n} " for n in range(2_000)) + CALL[12:] + " }",
    "directives on the operation": "query " + "".join(f"@d{n} " for n in range(2_000)) + FINE,
    "directives on a fragment": "{ ...F } fragment F on Query " + "@include(if: true) " * 700 + FINE,
    "directives on every spread": "{ " + "...F @include(if: true) @skip(if: false) " * 200 + "} " + EMPTY.format("F"),
    "directives on every variable": "query(" + " ".join(f"$v{n}: Int @d" for n in range(900)) + ") { __typename }",
    "variables that all have lists for defaults": "query("
    + " ".join(f"$v{n}: [Int] = [{'1 ' * 50}]" for n in range(90))
    + ") { __typename }",
    "one argument a thousand times": "{ get_projects(" + "limit: 1 " * 1_000 + ") { next_cursor } }",
    "arguments that nobody knows": "{ get_projects("
    + " ".join(f"x{n}: 1" for n in range(1_500))
    + ") { next_cursor } }",
    "introspection through fragments": "{ __schema { types { ...T } } } fragment T on __Type "
    "{ fields { type { ...U } } } fragment U on __Type { fields { name } }",
    "introspection under aliases through a fragment": "{ "
    + " ".join(f"a{n}: __schema {{ ...S }}" for n in range(11))
    + " } fragment S on __Schema { types { name } }",
}


@pytest.mark.parametrize("name", FLOODS)
async def test_every_flood_is_refused_and_the_next_query_is_answered(
    guarded: GuardedServer, connection: RawConnection, name: str
) -> None:
    reply = await connection.post("/graphql", {"query": FLOODS[name]}, guarded.alice)
    assert reply.status in (200, 400), reply.status
    assert reply.json["errors"], reply.body
    assert not reply.json.get("data"), reply.body[:300]
    assert len(reply.body) < 20_000
    assert (await connection.post("/graphql", {"query": FINE}, guarded.alice)).json["data"]


@pytest.mark.parametrize("name", [name for name in FLOODS if "hundreds" in name or "inline fragments " in name])
async def test_a_flood_of_fragments_is_refused_before_validation(
    guarded: GuardedServer, connection: RawConnection, name: str
) -> None:
    """Validation compares fragments pair by pair: 450 of them held the server for nearly half a second."""
    reply = await connection.post("/graphql", {"query": FLOODS[name]}, guarded.alice)
    assert [error["extensions"]["code"] for error in reply.json["errors"]] == ["OVER_LIMIT"], reply.body[:300]


async def test_as_many_fragments_and_calls_as_are_allowed_are_answered(
    guarded: GuardedServer, connection: RawConnection
) -> None:
    for document in (_spread(MAX_SPREADS), "{ " + _alias(MAX_CALLS, "... @include(if: true) {{ {} }}") + " }"):
        reply = await connection.post("/graphql", {"query": document}, guarded.alice)
        assert "errors" not in reply.json, reply.body[:300]


async def test_floods_at_once_leave_another_caller_answered(guarded: GuardedServer, connection: RawConnection) -> None:
    async def send(document: str) -> Any:
        async with RawConnection(guarded.port) as attacker:
            return (await attacker.post("/graphql", {"query": document}, guarded.alice)).json

    sent = asyncio.gather(*(send(document) for document in FLOODS.values()))
    for _ in range(10):
        assert (await connection.call_tool("get_projects", {}, guarded.bob)).status == 200
    assert all(answer["errors"] for answer in await sent)
