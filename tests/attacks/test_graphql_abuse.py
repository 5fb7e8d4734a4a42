"""GraphQL abuse: malformed, oversized and cross-site requests. Document limits are tested with the surface."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import orjson

from tests.attacks.conftest import GuardedServer
from tests.attacks.raw_http import HeaderList, RawConnection, bearer
from tests.surfaces.graphql.test_limits import ABUSES as DOCUMENTS

JSON = ("Content-Type", "application/json")
Q = "{ get_projects { next_cursor } }"
DEEP: Any = "x"
for _ in range(200):
    DEEP = [DEEP]

# Bodies of well-formed POST requests.
REQUESTS: dict[str, dict[str, Any] | list[Any]] = {
    "a batch": [{"query": Q}, {"query": Q}],
    "an empty batch": [],
    "no query": {},
    "a query that is null": {"query": None},
    "a query that is a list": {"query": [Q]},
    "a query that is an object": {"query": {"a": Q}},
    "variables that are a list": {"query": Q, "variables": [1]},
    "variables that are text": {"query": Q, "variables": "{}"},
    "an operation that is a number": {"query": Q, "operationName": 1},
    "an operation that is not there": {"query": "query A " + Q, "operationName": "B"},
    "two operations, none named": {"query": f"query A {Q} query B {Q}"},
    "two operations of one name": {"query": f"query A {Q} query A {Q}", "operationName": "A"},
    "a stored query": {"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "0" * 64}}},
    "extensions that are text": {"query": Q, "extensions": "x"},
    "a time below nothing": {"query": Q, "extensions": {"timeout_ms": -1}},
    "a time that is text": {"query": Q, "extensions": {"timeout_ms": "1000"}},
    "an id without end": {"query": Q, "extensions": {"request_id": "x" * 10_000}},
    "an unknown key": {"query": Q, "debug": True},
    "an unknown field": {"query": "{ keys { secret_hash } }"},
    "a field of Python": {"query": "{ __class__ }"},
    "an unknown argument": {"query": '{ get_projects(sql: "x") { next_cursor } }'},
    "a variable that is not declared": {"query": "{ search_tasks(query: $q) { next_cursor } }"},
    "a variable of another type": {
        "query": "query($q: Int!) { search_tasks(query: $q) { next_cursor } }",
        "variables": {"q": 1},
    },
    "a variable that is missing": {"query": "query($q: String!) { search_tasks(query: $q) { next_cursor } }"},
    "a variable that is a bomb": {
        "query": "query($q: String!) { search_tasks(query: $q) { next_cursor } }",
        "variables": {"q": DEEP},
    },
    "a number beyond 32 bits": {"query": "{ get_projects(limit: 99999999999) { next_cursor } }"},
    "a fragment on another type": {"query": "{ ...F } fragment F on Nothing { x }"},
    "a fragment that is not there": {"query": "{ ...F }"},
    "an unknown directive": {"query": "{ get_projects @deleteAll { next_cursor } }"},
    "a directive without its argument": {"query": "{ get_projects @skip { next_cursor } }"},
    "no selection of an object": {"query": "{ get_projects }"},
    "a selection of a text": {"query": "{ get_projects { next_cursor { x } } }"},
    "a write": {"query": 'mutation { send_memory(content: "x") { memory_id } }'},
    "a write as a query": {"query": '{ send_memory(content: "x") { memory_id } }'},
    "a subscription": {"query": "subscription { get_projects { next_cursor } }"},
    "a schema": {"query": "type Query { x: Int } schema { query: Query }"},
    "an escape of half a pair": {"query": '{ search_tasks(query: "\\ud800") { next_cursor } }'},
    "a zero": {"query": '{ search_tasks(query: "\\u0000") { next_cursor } }'},
    "eleven calls": {"query": "{" + " ".join(f"a{n}: get_projects {{ next_cursor }}" for n in range(11)) + "}"},
    "twenty reads of a log": {
        "query": "{" + " ".join(f'a{n}: resource(uri: "job://{n}/log") {{ text }}' for n in range(20)) + "}"
    },
}
# Query strings and headers.
KNOCKS: dict[str, tuple[str, str, HeaderList, bytes]] = {
    "a write by address": (
        "GET",
        "/graphql?query=" + quote('mutation { send_memory(content: "x") { memory_id } }'),
        [],
        b"",
    ),
    "a page of another site": ("GET", "/graphql?query=" + quote(Q), [("Sec-Fetch-Site", "cross-site")], b""),
    "a page of a neighbour": ("GET", "/graphql?query=" + quote(Q), [("Sec-Fetch-Site", "same-site")], b""),
    "two queries": ("GET", f"/graphql?query={quote(Q)}&query={quote(Q)}", [], b""),
    "nothing": ("GET", "/graphql", [], b""),
    "variables that are no JSON": ("GET", f"/graphql?query={quote(Q)}&variables=x", [], b""),
    "a form": (
        "POST",
        "/graphql",
        [("Content-Type", "application/x-www-form-urlencoded")],
        f"query={quote(Q)}".encode(),
    ),
    "a bare document": ("POST", "/graphql", [("Content-Type", "application/graphql")], Q.encode()),
    "files": ("POST", "/graphql", [("Content-Type", "multipart/form-data; boundary=x")], b"--x--"),
    "another method": ("PUT", "/graphql", [JSON], orjson.dumps({"query": Q})),
    "a socket": (
        "GET",
        "/graphql",
        [
            ("Connection", "Upgrade"),
            ("Upgrade", "websocket"),
            ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "eA=="),
        ],
        b"",
    ),
}


def test_there_are_more_than_twenty_of_each() -> None:
    assert len(DOCUMENTS) >= 20
    assert len(REQUESTS) + len(KNOCKS) >= 50


async def test_every_malformed_request_is_refused_and_changes_nothing(
    guarded: GuardedServer, connection: RawConnection
) -> None:
    for name, content in REQUESTS.items():
        reply = await connection.post("/graphql", content, guarded.alice)
        assert reply.status in (200, 400), (name, reply.status)
        assert reply.json["errors"], (name, reply.body)
        assert not reply.json.get("data") or not any(reply.json["data"].values()), name
        assert len(reply.body) < 20_000, name
        assert b"Traceback" not in reply.body, name
    assert (await connection.post("/graphql", {"query": Q}, guarded.alice)).json["data"]
    found = await connection.call_tool("get_memory", {"query": "x"}, guarded.alice)
    assert not any(memory["content"] == "x" for memory in found.json["data"]["memories"])


async def test_every_invalid_credential_is_refused(guarded: GuardedServer, connection: RawConnection) -> None:
    for name, (method, target, headers, body) in KNOCKS.items():
        reply = await connection.request(method, target, [*headers, *bearer(guarded.alice)], body)
        assert reply.status in (200, 400, 403, 405, 415), (name, reply.status)
        assert reply.status != 200 or "errors" in reply.json, (name, reply.body)
        await connection.close()
    assert (await connection.post("/graphql", {"query": Q}, guarded.alice)).json["data"]


async def test_the_schema_needs_credentials(guarded: GuardedServer, connection: RawConnection) -> None:
    for query in ("{ __schema { types { name } } }", '{ __type(name: "Query") { name } }', "{ __typename }", "{ x }"):
        reply = await connection.post("/graphql", {"query": query})
        assert reply.status == 401
        assert b"Query" not in reply.body
