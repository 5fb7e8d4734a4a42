"""Bearer keys: when they are required, which are accepted, and that no response or log line shows one."""

from __future__ import annotations

import io
import logging
from dataclasses import dataclass

import httpx
import pytest

from sanya.kernel.calls.call import Caller
from sanya.kernel.faults import StoreUnavailable, Unauthorized
from sanya.logs import configure_logging
from sanya.surfaces.http.auth.authentication import RECHECK_S, Authenticator, build_anonymous, parse_bearer_token
from tests.sources.issuer import AUDIENCE, local_issuer
from tests.surfaces.http.conftest import SECRET, DemoServer, OpenServer, bearer

SAY = "/tools/demo.say"
CALL = {"args": {"text": "x"}}


async def test_loopback_needs_no_credentials_while_none_are_set_up(server: DemoServer) -> None:
    assert (await server.call("demo.write")).status_code == 200
    assert (await server.client.post(SAY, json=CALL, headers=bearer("left over"))).status_code == 200


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer two words",
        "Basic dXNlcjpwYXNz",
        "Token abc",
        "Bearerabc",
        "bearer\tabc",
        "Bearer wrong",
        "Bearer sanya_000000000000_" + "x" * 43,
        "Bearer sanya_",
        "Bearer ' OR 1=1 --",
        "Bearer " + "x" * 7000,
    ],
)
async def test_an_invalid_key_is_refused(server: DemoServer, authorization: str | None) -> None:
    await server.app.keys.create("somebody", ["*"])
    headers = {} if authorization is None else {"authorization": authorization}
    for path in (SAY, "/tools", "/mcp"):
        response = await server.client.post(path, json=CALL, headers=headers)
        assert response.status_code == 401
        assert response.headers["www-authenticate"].startswith('Bearer realm="sanya"')
        assert "resource_metadata" not in response.headers["www-authenticate"]


async def test_a_key_outside_ascii_is_refused(server: DemoServer) -> None:
    await server.app.keys.create("somebody", ["*"])
    response = await server.client.post(SAY, json=CALL, headers={b"authorization": "Bearer ก".encode()})
    assert response.status_code == 401


async def test_two_credentials_are_refused_even_if_one_is_good(server: DemoServer) -> None:
    key = await server.app.keys.create("somebody", ["*"])
    for order in ((key, "wrong"), ("wrong", key), (key, key)):
        headers = httpx.Headers([("authorization", f"Bearer {token}") for token in order])
        assert (await server.client.post(SAY, json=CALL, headers=headers)).status_code == 401


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
async def test_the_authorization_scheme_is_case_insensitive(server: DemoServer, scheme: str) -> None:
    key = await server.app.keys.create("somebody", ["*"])
    response = await server.client.post(SAY, json=CALL, headers={"authorization": f"{scheme} {key}"})
    assert response.status_code == 200


async def test_a_key_in_the_query_string_is_ignored(server: DemoServer) -> None:
    key = await server.app.keys.create("somebody", ["*"])
    assert (await server.client.post(f"{SAY}?access_token={key}&key={key}", json=CALL)).status_code == 401


async def test_a_revoked_key_is_refused_at_once(server: DemoServer) -> None:
    key = await server.app.keys.create("somebody", ["*"])
    assert (await server.client.post(SAY, json=CALL, headers=bearer(key))).status_code == 200
    [found] = await server.app.keys.list()
    await server.app.keys.revoke(found.id)
    assert (await server.client.post(SAY, json=CALL, headers=bearer(key))).status_code == 401
    assert (await server.client.post(SAY, json=CALL)).status_code == 401


async def test_a_server_that_starts_after_the_last_key_was_revoked_lets_nobody_in(open_server: OpenServer) -> None:
    before = await open_server()
    key = await before.app.keys.create("only", ["*"])
    await before.app.keys.revoke(key.split("_")[1])
    after = await open_server()
    for path in (SAY, "/mcp", "/graphql", "/console/api/verification"):
        assert (await after.client.post(path, json=CALL)).status_code == 401, path
    await after.app.keys.open_access()
    assert (await after.client.post(SAY, json=CALL)).status_code == 401, "a server stays closed as long as it runs"
    reopened = await open_server()
    assert (await reopened.client.post(SAY, json=CALL)).status_code == 200


async def test_require_auth_refuses_callers_before_there_is_a_key(open_server: OpenServer) -> None:
    server = await open_server(require_auth=True)
    assert (await server.call("demo.say")).status_code == 401
    key = await server.app.keys.create("first", ["*"])
    assert (await server.client.post(SAY, json=CALL, headers=bearer(key))).status_code == 200


async def test_a_public_address_always_needs_credentials(open_server: OpenServer) -> None:
    server = await open_server(host="0.0.0.0")
    assert (await server.call("demo.say")).status_code == 401


async def test_health_and_preflights_need_no_credentials(open_server: OpenServer) -> None:
    server = await open_server(require_auth=True)
    assert (await server.client.get("/health")).status_code == 200
    assert (await server.client.get("/health/live")).status_code == 200
    assert (await server.client.options("/tools")).status_code == 204
    for path in ("/tools", "/openapi.json", "/metrics", SAY):
        assert (await server.client.get(path)).status_code == 401


async def test_a_key_without_its_own_limit_has_the_default_limit(open_server: OpenServer) -> None:
    server = await open_server(rate_limit_per_minute=1)
    plain = await server.app.keys.create("plain", ["*"])
    fast = await server.app.keys.create("fast", ["*"], 6000)
    for key, expected in ((plain, [200, 429]), (fast, [200, 200])):
        found = [(await server.client.post(SAY, json=CALL, headers=bearer(key))).status_code for _ in range(2)]
        assert found == expected


async def test_anonymous_callers_have_their_own_limit(open_server: OpenServer) -> None:
    server = await open_server(rate_limit_anonymous_per_minute=1)
    assert [(await server.call("demo.say")).status_code for _ in range(2)] == [200, 429]


@dataclass
class StubKeys:
    active: bool = False
    lookups: int = 0
    failing: bool = False

    async def find(self, key: str) -> Caller | None:
        return Caller("key:1", frozenset({"*"})) if key == "good" else None

    async def has_any(self) -> bool:
        self.lookups += 1
        if self.failing:
            raise StoreUnavailable("no answer")
        return self.active


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_the_first_key_ends_anonymous_access_for_good() -> None:
    keys, clock = StubKeys(), Clock()
    door = Authenticator(keys, anonymous=build_anonymous(0), monotonic=clock)
    assert (await door.identify_caller({})).id == "anonymous"
    keys.active = True
    assert (await door.identify_caller({})).id == "anonymous"
    clock.now += RECHECK_S
    with pytest.raises(Unauthorized):
        await door.identify_caller({})
    keys.active = False
    clock.now += RECHECK_S
    with pytest.raises(Unauthorized):
        await door.identify_caller({})
    assert (await door.identify_caller({b"authorization": b"Bearer good"})).id == "key:1"


async def test_the_key_store_is_not_queried_on_every_request() -> None:
    keys, clock = StubKeys(), Clock()
    door = Authenticator(keys, anonymous=build_anonymous(0), monotonic=clock)
    for _ in range(10):
        await door.identify_caller({})
    assert keys.lookups == 1


async def test_anonymous_access_is_refused_while_the_key_store_fails() -> None:
    door = Authenticator(StubKeys(failing=True), anonymous=build_anonymous(0), monotonic=Clock())
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            await door.identify_caller({})


def test_blanks_around_a_key_are_stripped() -> None:
    assert parse_bearer_token(b"Bearer   abc ") == "abc"


async def test_no_refusal_shows_or_logs_a_secret(
    open_server: OpenServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Send every kind of refused request with a marker wherever a secret can be."""
    stream = io.StringIO()
    monkeypatch.setattr(logging.getLogger(), "handlers", list(logging.getLogger().handlers))
    async with local_issuer() as issuer:
        server = await open_server(oauth_issuer=issuer.url, oauth_audience=AUDIENCE, log_level="debug")
        configure_logging("debug", "json", stream)
        key = await server.app.keys.create("reader", ["other:read"])
        [kept] = await server.app.keys.list()
        token = issuer.token(aud=SECRET)
        authorizations = [
            f"Bearer {SECRET}",
            f"Bearer {SECRET}.{SECRET}.{SECRET}",
            f"Bearer sanya_{kept.id}_{SECRET}",
            f"Bearer {token}",
            f"Basic {SECRET}",
            f"{SECRET}",
            f"Bearer {key}",
        ]
        answers = []
        with caplog.at_level(logging.DEBUG, "sanya"), caplog.at_level(logging.DEBUG, "mcp"):
            for authorization in authorizations:
                for path in (SAY, "/tools", "/mcp", "/nowhere", "/metrics", f"/tools?token={SECRET}"):
                    headers = {"authorization": authorization, "cookie": SECRET, "x-api-key": SECRET}
                    answers.append(await server.client.post(path, json=CALL, headers=headers))
            for content in (f'{{"{SECRET}', f'{{"context": {{"trace_id": ["{SECRET}"]}}}}', f'{{"args": "{SECRET}"}}'):
                headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
                answers.append(await server.client.post(SAY, content=content, headers=headers))
            answers.append(await server.client.post("/tools/demo.lost", json=CALL, headers=bearer(issuer.token())))
    secrets = (SECRET, key, token)
    shown = "".join(answer.text + str(answer.headers) for answer in answers)
    assert {answer.status_code for answer in answers} == {400, 401, 403, 404, 405}
    assert not [secret for secret in secrets if secret in shown]
    logged = "".join(record.getMessage() for record in caplog.records) + stream.getvalue()
    assert not [secret for secret in secrets if secret in logged]
