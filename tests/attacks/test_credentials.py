"""Invalid keys and tokens are refused alike on every surface, and no refusal repeats them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.attacks.conftest import GuardedServer
from tests.attacks.grpc_client import GrpcClient
from tests.attacks.raw_http import HeaderList, RawConnection
from tests.surfaces.http.auth.test_access_tokens import BAD as BAD_TOKENS

Make = Callable[[GuardedServer], HeaderList]


def _bearer(key: str | bytes) -> HeaderList:
    return [("Authorization", b"Bearer " + (key if isinstance(key, bytes) else key.encode()))]


def _parts(key: str) -> tuple[str, str]:
    """Split a key into its id and its secret, which may contain underscores."""
    _, id, secret = key.split("_", 2)
    return id, secret


def _changed(key: str, place: int) -> str:
    return key[:place] + ("a" if key[place] != "a" else "b") + key[place + 1 :]


KEYS: dict[str, Make] = {
    "nothing": lambda server: [],
    "an empty header": lambda server: [("Authorization", "")],
    "the scheme alone": lambda server: [("Authorization", "Bearer")],
    "the scheme and blanks": lambda server: [("Authorization", "Bearer    ")],
    "the key alone": lambda server: [("Authorization", server.alice)],
    "another scheme": lambda server: [("Authorization", f"Token {server.alice}")],
    "basic": lambda server: [("Authorization", f"Basic {server.alice}")],
    "digest": lambda server: [("Authorization", f'Digest username="{server.alice}"')],
    "a scheme that begins alike": lambda server: [("Authorization", f"Bearers {server.alice}")],
    "a tab after the scheme": lambda server: [("Authorization", f"Bearer\t{server.alice}")],
    "a colon after the scheme": lambda server: [("Authorization", f"Bearer: {server.alice}")],
    "an equals sign": lambda server: [("Authorization", f"Bearer={server.alice}")],
    "the scheme twice": lambda server: [("Authorization", f"Bearer Bearer {server.alice}")],
    "two keys": lambda server: [("Authorization", f"Bearer {server.alice} {server.bob}")],
    "two keys with a comma": lambda server: [("Authorization", f"Bearer {server.alice}, Bearer {server.bob}")],
    "the header twice": lambda server: [*_bearer(server.alice), *_bearer(server.alice)],
    "a bad one and a good one": lambda server: [*_bearer("x"), *_bearer(server.alice)],
    "in quotes": lambda server: _bearer(f'"{server.alice}"'),
    "in angles": lambda server: _bearer(f"<{server.alice}>"),
    "percent-encoded": lambda server: _bearer(server.alice.replace("_", "%5F")),
    "a wildcard": lambda server: _bearer("*"),
    "a pattern": lambda server: _bearer("sanya_%_%"),
    "SQL": lambda server: _bearer("sanya_' OR '1'='1_x"),
    "very long": lambda server: _bearer("sanya_" + "a" * 10_000),
    "a long tail": lambda server: _bearer(server.alice + "a" * 5_000),
    "revoked": lambda server: _bearer(server.gone),
    "in capitals": lambda server: _bearer(server.alice.upper()),
    "another prefix": lambda server: _bearer(server.alice.replace("sanya_", "sanja_")),
    "no prefix": lambda server: _bearer(server.alice.removeprefix("sanya_")),
    "the id changed": lambda server: _bearer(_changed(server.alice, 6)),
    "the id's last digit changed": lambda server: _bearer(_changed(server.alice, 17)),
    "the secret changed": lambda server: _bearer(_changed(server.alice, 19)),
    "the secret's last letter changed": lambda server: _bearer(_changed(server.alice, len(server.alice) - 2)),
    "alice's id, bob's secret": lambda server: _bearer(f"sanya_{_parts(server.alice)[0]}_{_parts(server.bob)[1]}"),
    "bob's id, alice's secret": lambda server: _bearer(f"sanya_{_parts(server.bob)[0]}_{_parts(server.alice)[1]}"),
    "a revoked id, a good secret": lambda server: _bearer(f"sanya_{_parts(server.gone)[0]}_{_parts(server.alice)[1]}"),
    "a good id, a revoked secret": lambda server: _bearer(f"sanya_{_parts(server.alice)[0]}_{_parts(server.gone)[1]}"),
    "no secret": lambda server: _bearer(f"sanya_{_parts(server.alice)[0]}_"),
    "no id": lambda server: _bearer(f"sanya__{_parts(server.alice)[1]}"),
    "a secret cut short": lambda server: _bearer(server.alice[:-1]),
    "a secret and one more": lambda server: _bearer(server.alice + "A"),
    "a trailing dot": lambda server: _bearer(server.alice + "."),
    "letters of another script": lambda server: _bearer(server.alice.replace("s", "\u0455", 1)),
    "bytes that are no text": lambda server: _bearer(server.alice.encode() + b"\xff\xfe"),
    "a no-break space": lambda server: _bearer(server.alice.encode() + b"\xc2\xa0"),
    "a hash, not the secret": lambda server: _bearer(f"sanya_{_parts(server.alice)[0]}_{'0' * 43}"),
    "in other headers": lambda server: [("Cookie", f"key={server.alice}"), ("X-API-Key", server.alice)],
    "for a proxy": lambda server: [("Proxy-Authorization", f"Bearer {server.alice}")],
}  # fmt: skip
PATHS = ("/tools/get_projects", "/mcp", "/graphql", "/console/api/session", "/metrics", "/jobs", "/evaluations")


def test_there_are_more_than_forty_of_each() -> None:
    assert len(KEYS) >= 40
    assert len(BAD_TOKENS) >= 40


async def test_no_invalid_key_is_accepted_on_any_path(guarded: GuardedServer, connection: RawConnection) -> None:
    for number, (name, make) in enumerate(KEYS.items()):
        for path in (PATHS[number % len(PATHS)], *PATHS[:3]):
            reply = await connection.request("POST" if path in PATHS[:3] else "GET", path, make(guarded), b"{}")
            assert reply.status in (401, 400), (name, path, reply.status)
            assert reply.status == 401 or not reply.body, (name, path)
            _assert_says_nothing(reply.body + str(reply.headers).encode(), guarded, name)
    assert (await connection.call_tool("get_projects", {}, guarded.alice)).status == 200


@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
async def test_no_invalid_token_is_accepted_by_mcp_graphql_or_grpc(
    guarded: GuardedServer, connection: RawConnection, grpc: GrpcClient
) -> None:
    """Try the surfaces other than the gateway, which has its own test."""
    for name, make in BAD_TOKENS.items():
        token = make(guarded.issuer)
        for reply in (
            await connection.send_mcp("tools/call", {"name": "get_projects", "arguments": {}}, token),
            await connection.post("/graphql", {"query": "{ get_projects { next_cursor } }"}, token),
        ):
            assert reply.status == 401, name
            assert token.encode() not in reply.body + str(reply.headers).encode()
        if len(token) < 8_000:  # more does not fit into the metadata
            assert (await grpc.call("get_projects", token))[0] == "UNAUTHENTICATED", name
    assert guarded.issuer.pages.count("/evil") == 0
    good = guarded.issuer.token(scope="tasks:read")
    assert (await grpc.call("get_projects", good))[0] == "OK"
    assert (await connection.post("/graphql", {"query": "{ get_projects { next_cursor } }"}, good)).json["data"]


async def test_no_invalid_key_is_accepted_over_grpc(guarded: GuardedServer, grpc: GrpcClient) -> None:
    for name, make in KEYS.items():
        lines = [(header.lower(), value) for header, value in make(guarded)]
        texts = [(header, value.decode("latin-1") if isinstance(value, bytes) else value) for header, value in lines]
        if not all(value.isascii() and (value.isprintable() and len(value) < 8_000) for _, value in texts):
            continue  # grpcio does not send these
        status, said = await grpc.call("get_projects", metadata=tuple(texts))
        assert status == (
            "INVALID_ARGUMENT" if len(texts) > 1 and "cookie" not in dict(texts) else "UNAUTHENTICATED"
        ), name
        _assert_says_nothing(said.encode(), guarded, name)


async def test_token_scopes_apply_on_every_surface(
    guarded: GuardedServer, connection: RawConnection, grpc: GrpcClient
) -> None:
    token = guarded.issuer.token(scope="funds:read")
    assert (await connection.call_tool("get_projects", {}, token)).status == 403
    called = await connection.send_mcp("tools/call", {"name": "get_projects", "arguments": {}}, token)
    assert called.json["result"]["isError"]
    asked = await connection.post("/graphql", {"query": "{ get_projects { next_cursor } }"}, token)
    assert asked.json["errors"][0]["extensions"]["kind"] == "forbidden"
    assert (await grpc.call("get_projects", token))[0] == "PERMISSION_DENIED"
    assert (await grpc.read("tasks://task/1", token))[0] == "PERMISSION_DENIED"


def _assert_says_nothing(said: bytes, guarded: GuardedServer, name: str) -> None:
    for key in (guarded.alice, guarded.bob, guarded.gone):
        assert _parts(key)[1].encode() not in said, name
