"""Keys and tokens that are not what they say: refused on every surface, alike, and without a word of them repeated."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.attacks.conftest import Guarded
from tests.attacks.grpc_client import GrpcClient
from tests.attacks.wire import HeaderList, Wire
from tests.surfaces.http.auth.test_access_tokens import BAD as BAD_TOKENS

Make = Callable[[Guarded], HeaderList]


def _bearer(key: str | bytes) -> HeaderList:
    return [("Authorization", b"Bearer " + (key if isinstance(key, bytes) else key.encode()))]


def _parts(key: str) -> tuple[str, str]:
    """The id of a key and its secret, which may hold underscores."""
    _, id, secret = key.split("_", 2)
    return id, secret


def _changed(key: str, place: int) -> str:
    return key[:place] + ("a" if key[place] != "a" else "b") + key[place + 1 :]


KEYS: dict[str, Make] = {
    "nothing": lambda one: [],
    "an empty header": lambda one: [("Authorization", "")],
    "the scheme alone": lambda one: [("Authorization", "Bearer")],
    "the scheme and blanks": lambda one: [("Authorization", "Bearer    ")],
    "the key alone": lambda one: [("Authorization", one.alice)],
    "another scheme": lambda one: [("Authorization", f"Token {one.alice}")],
    "basic": lambda one: [("Authorization", f"Basic {one.alice}")],
    "digest": lambda one: [("Authorization", f'Digest username="{one.alice}"')],
    "a scheme that begins alike": lambda one: [("Authorization", f"Bearers {one.alice}")],
    "a tab after the scheme": lambda one: [("Authorization", f"Bearer\t{one.alice}")],
    "a colon after the scheme": lambda one: [("Authorization", f"Bearer: {one.alice}")],
    "an equals sign": lambda one: [("Authorization", f"Bearer={one.alice}")],
    "the scheme twice": lambda one: [("Authorization", f"Bearer Bearer {one.alice}")],
    "two keys": lambda one: [("Authorization", f"Bearer {one.alice} {one.bob}")],
    "two keys with a comma": lambda one: [("Authorization", f"Bearer {one.alice}, Bearer {one.bob}")],
    "the header twice": lambda one: [*_bearer(one.alice), *_bearer(one.alice)],
    "a bad one and a good one": lambda one: [*_bearer("x"), *_bearer(one.alice)],
    "in quotes": lambda one: _bearer(f'"{one.alice}"'),
    "in angles": lambda one: _bearer(f"<{one.alice}>"),
    "percent-encoded": lambda one: _bearer(one.alice.replace("_", "%5F")),
    "a wildcard": lambda one: _bearer("*"),
    "a pattern": lambda one: _bearer("sanya_%_%"),
    "SQL": lambda one: _bearer("sanya_' OR '1'='1_x"),
    "very long": lambda one: _bearer("sanya_" + "a" * 10_000),
    "a long tail": lambda one: _bearer(one.alice + "a" * 5_000),
    "revoked": lambda one: _bearer(one.gone),
    "in capitals": lambda one: _bearer(one.alice.upper()),
    "another prefix": lambda one: _bearer(one.alice.replace("sanya_", "sanja_")),
    "no prefix": lambda one: _bearer(one.alice.removeprefix("sanya_")),
    "the id changed": lambda one: _bearer(_changed(one.alice, 6)),
    "the id's last digit changed": lambda one: _bearer(_changed(one.alice, 17)),
    "the secret changed": lambda one: _bearer(_changed(one.alice, 19)),
    "the secret's last letter changed": lambda one: _bearer(_changed(one.alice, len(one.alice) - 2)),
    "one's id and the other's secret": lambda one: _bearer(f"sanya_{_parts(one.alice)[0]}_{_parts(one.bob)[1]}"),
    "the other way about": lambda one: _bearer(f"sanya_{_parts(one.bob)[0]}_{_parts(one.alice)[1]}"),
    "a revoked id, a good secret": lambda one: _bearer(f"sanya_{_parts(one.gone)[0]}_{_parts(one.alice)[1]}"),
    "a good id, a revoked secret": lambda one: _bearer(f"sanya_{_parts(one.alice)[0]}_{_parts(one.gone)[1]}"),
    "no secret": lambda one: _bearer(f"sanya_{_parts(one.alice)[0]}_"),
    "no id": lambda one: _bearer(f"sanya__{_parts(one.alice)[1]}"),
    "a secret cut short": lambda one: _bearer(one.alice[:-1]),
    "a secret and one more": lambda one: _bearer(one.alice + "A"),
    "a trailing dot": lambda one: _bearer(one.alice + "."),
    "letters of another script": lambda one: _bearer(one.alice.replace("s", "\u0455", 1)),
    "bytes that are no text": lambda one: _bearer(one.alice.encode() + b"\xff\xfe"),
    "a no-break space": lambda one: _bearer(one.alice.encode() + b"\xc2\xa0"),
    "a hash, not the secret": lambda one: _bearer(f"sanya_{_parts(one.alice)[0]}_{'0' * 43}"),
    "in other headers": lambda one: [("Cookie", f"key={one.alice}"), ("X-API-Key", one.alice)],
    "for a proxy": lambda one: [("Proxy-Authorization", f"Bearer {one.alice}")],
}  # fmt: skip
PATHS = ("/tools/get_projects", "/mcp", "/graphql", "/console/api/session", "/metrics", "/jobs", "/evaluations")


def test_there_are_more_than_forty_of_each() -> None:
    assert len(KEYS) >= 40
    assert len(BAD_TOKENS) >= 40


async def test_no_false_key_opens_any_path(guarded: Guarded, wire: Wire) -> None:
    for number, (name, make) in enumerate(KEYS.items()):
        for path in (PATHS[number % len(PATHS)], *PATHS[:3]):
            reply = await wire.request("POST" if path in PATHS[:3] else "GET", path, make(guarded), b"{}")
            assert reply.status in (401, 400), (name, path, reply.status)
            assert reply.status == 401 or not reply.body, (name, path)
            _assert_says_nothing(reply.body + str(reply.headers).encode(), guarded, name)
    assert (await wire.tool("get_projects", {}, guarded.alice)).status == 200


@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
async def test_no_false_token_opens_mcp_graphql_or_grpc(guarded: Guarded, wire: Wire, grpc: GrpcClient) -> None:
    """What the gateway does with them has its own test; here are the other surfaces."""
    for name, make in BAD_TOKENS.items():
        token = make(guarded.issuer)
        for reply in (
            await wire.mcp("tools/call", {"name": "get_projects", "arguments": {}}, token),
            await wire.post("/graphql", {"query": "{ get_projects { next_cursor } }"}, token),
        ):
            assert reply.status == 401, name
            assert token.encode() not in reply.body + str(reply.headers).encode()
        if len(token) < 8_000:  # more does not fit into the metadata
            assert (await grpc.call("get_projects", token))[0] == "UNAUTHENTICATED", name
    assert guarded.issuer.pages.count("/evil") == 0
    good = guarded.issuer.token(scope="tasks:read")
    assert (await grpc.call("get_projects", good))[0] == "OK"
    assert (await wire.post("/graphql", {"query": "{ get_projects { next_cursor } }"}, good)).json["data"]


async def test_no_false_key_opens_grpc(guarded: Guarded, grpc: GrpcClient) -> None:
    for name, make in KEYS.items():
        lines = [(one.lower(), value) for one, value in make(guarded)]
        texts = [(one, value.decode("latin-1") if isinstance(value, bytes) else value) for one, value in lines]
        if not all(value.isascii() and (value.isprintable() and len(value) < 8_000) for _, value in texts):
            continue  # grpcio does not send these
        status, said = await grpc.call("get_projects", metadata=tuple(texts))
        assert status == (
            "INVALID_ARGUMENT" if len(texts) > 1 and "cookie" not in dict(texts) else "UNAUTHENTICATED"
        ), name
        _assert_says_nothing(said.encode(), guarded, name)


async def test_the_scopes_of_a_token_hold_on_every_surface(guarded: Guarded, wire: Wire, grpc: GrpcClient) -> None:
    token = guarded.issuer.token(scope="funds:read")
    assert (await wire.tool("get_projects", {}, token)).status == 403
    called = await wire.mcp("tools/call", {"name": "get_projects", "arguments": {}}, token)
    assert called.json["result"]["isError"]
    asked = await wire.post("/graphql", {"query": "{ get_projects { next_cursor } }"}, token)
    assert asked.json["errors"][0]["extensions"]["kind"] == "forbidden"
    assert (await grpc.call("get_projects", token))[0] == "PERMISSION_DENIED"
    assert (await grpc.read("tasks://task/1", token))[0] == "PERMISSION_DENIED"


def _assert_says_nothing(said: bytes, guarded: Guarded, name: str) -> None:
    for key in (guarded.alice, guarded.bob, guarded.gone):
        assert _parts(key)[1].encode() not in said, name
