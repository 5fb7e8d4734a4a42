"""Keys at the door: when they are asked for, which are taken, and that nothing of them is ever shown."""

from __future__ import annotations

import io
import logging
from dataclasses import dataclass

import httpx
import pytest

from sanya.kernel.call import Caller
from sanya.kernel.faults import StoreUnavailable, Unauthorized
from sanya.logs import configure_logging
from sanya.surfaces.http.auth.authentication import RECHECK_S, Authenticator, build_anonymous, parse_bearer_token
from tests.sources.issuer import AUDIENCE, local_issuer
from tests.surfaces.http.conftest import SECRET, House, OpenHouse, bearer

SAY = "/tools/demo.say"
CALL = {"args": {"text": "x"}}


async def test_nobody_is_asked_for_credentials_on_loopback_while_none_are_set_up(house: House) -> None:
    assert (await house.call("demo.write")).status_code == 200
    assert (await house.client.post(SAY, json=CALL, headers=bearer("left over"))).status_code == 200


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
async def test_without_a_good_key_nothing_opens(house: House, authorization: str | None) -> None:
    await house.app.keys.create("somebody", ["*"])
    headers = {} if authorization is None else {"authorization": authorization}
    for path in (SAY, "/tools", "/mcp"):
        response = await house.client.post(path, json=CALL, headers=headers)
        assert response.status_code == 401
        assert response.headers["www-authenticate"].startswith('Bearer realm="sanya"')
        assert "resource_metadata" not in response.headers["www-authenticate"]


async def test_a_key_outside_ascii_is_refused(house: House) -> None:
    await house.app.keys.create("somebody", ["*"])
    response = await house.client.post(SAY, json=CALL, headers={b"authorization": "Bearer ก".encode()})
    assert response.status_code == 401


async def test_two_credentials_are_refused_even_if_one_is_good(house: House) -> None:
    key = await house.app.keys.create("somebody", ["*"])
    for order in ((key, "wrong"), ("wrong", key), (key, key)):
        headers = httpx.Headers([("authorization", f"Bearer {one}") for one in order])
        assert (await house.client.post(SAY, json=CALL, headers=headers)).status_code == 401


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
async def test_a_good_key_opens_however_the_scheme_is_written(house: House, scheme: str) -> None:
    key = await house.app.keys.create("somebody", ["*"])
    response = await house.client.post(SAY, json=CALL, headers={"authorization": f"{scheme} {key}"})
    assert response.status_code == 200


async def test_a_key_in_the_address_is_not_read(house: House) -> None:
    key = await house.app.keys.create("somebody", ["*"])
    assert (await house.client.post(f"{SAY}?access_token={key}&key={key}", json=CALL)).status_code == 401


async def test_a_revoked_key_is_refused_at_once(house: House) -> None:
    key = await house.app.keys.create("somebody", ["*"])
    assert (await house.client.post(SAY, json=CALL, headers=bearer(key))).status_code == 200
    [found] = await house.app.keys.list()
    await house.app.keys.revoke(found.id)
    assert (await house.client.post(SAY, json=CALL, headers=bearer(key))).status_code == 401
    assert (await house.client.post(SAY, json=CALL)).status_code == 401


async def test_require_auth_closes_the_door_before_there_is_a_key(open_house: OpenHouse) -> None:
    house = await open_house(require_auth=True)
    assert (await house.call("demo.say")).status_code == 401
    key = await house.app.keys.create("first", ["*"])
    assert (await house.client.post(SAY, json=CALL, headers=bearer(key))).status_code == 200


async def test_another_address_than_loopback_always_asks(open_house: OpenHouse) -> None:
    house = await open_house(host="0.0.0.0")
    assert (await house.call("demo.say")).status_code == 401


async def test_health_and_preflights_need_no_credentials(open_house: OpenHouse) -> None:
    house = await open_house(require_auth=True)
    assert (await house.client.get("/health")).status_code == 200
    assert (await house.client.get("/health/live")).status_code == 200
    assert (await house.client.options("/tools")).status_code == 204
    for path in ("/tools", "/openapi.json", "/metrics", SAY):
        assert (await house.client.get(path)).status_code == 401


async def test_a_key_without_its_own_limit_has_the_limit_of_the_house(open_house: OpenHouse) -> None:
    house = await open_house(rate_limit_per_minute=1)
    plain = await house.app.keys.create("plain", ["*"])
    fast = await house.app.keys.create("fast", ["*"], 6000)
    for key, expected in ((plain, [200, 429]), (fast, [200, 200])):
        found = [(await house.client.post(SAY, json=CALL, headers=bearer(key))).status_code for _ in range(2)]
        assert found == expected


async def test_anonymous_callers_have_their_own_limit(open_house: OpenHouse) -> None:
    house = await open_house(rate_limit_anonymous_per_minute=1)
    assert [(await house.call("demo.say")).status_code for _ in range(2)] == [200, 429]


@dataclass
class FewKeys:
    active: bool = False
    looked: int = 0
    failing: bool = False

    async def find(self, key: str) -> Caller | None:
        return Caller("key:1", frozenset({"*"})) if key == "good" else None

    async def has_active(self) -> bool:
        self.looked += 1
        if self.failing:
            raise StoreUnavailable("no answer")
        return self.active


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_the_first_key_closes_the_open_door_for_good() -> None:
    keys, clock = FewKeys(), Clock()
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


async def test_the_store_is_not_asked_on_every_request() -> None:
    keys, clock = FewKeys(), Clock()
    door = Authenticator(keys, anonymous=build_anonymous(0), monotonic=clock)
    for _ in range(10):
        await door.identify_caller({})
    assert keys.looked == 1


async def test_the_door_stays_shut_while_the_store_cannot_say_whether_there_are_keys() -> None:
    door = Authenticator(FewKeys(failing=True), anonymous=build_anonymous(0), monotonic=Clock())
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            await door.identify_caller({})


def test_blanks_around_a_key_do_not_belong_to_it() -> None:
    assert parse_bearer_token(b"Bearer   abc ") == "abc"


async def test_no_refusal_shows_or_logs_a_secret(
    open_house: OpenHouse, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Every way to a refusal, with a marker in every place where a secret can stand."""
    stream = io.StringIO()
    monkeypatch.setattr(logging.getLogger(), "handlers", list(logging.getLogger().handlers))
    async with local_issuer() as issuer:
        house = await open_house(oauth_issuer=issuer.url, oauth_audience=AUDIENCE, log_level="debug")
        configure_logging("debug", "json", stream)
        key = await house.app.keys.create("reader", ["other:read"])
        [kept] = await house.app.keys.list()
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
                    answers.append(await house.client.post(path, json=CALL, headers=headers))
            for content in (f'{{"{SECRET}', f'{{"context": {{"trace_id": ["{SECRET}"]}}}}', f'{{"args": "{SECRET}"}}'):
                headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
                answers.append(await house.client.post(SAY, content=content, headers=headers))
            answers.append(await house.client.post("/tools/demo.lost", json=CALL, headers=bearer(issuer.token())))
    secrets = (SECRET, key, token)
    shown = "".join(one.text + str(one.headers) for one in answers)
    assert {one.status_code for one in answers} == {400, 401, 403, 404, 405}
    assert not [one for one in secrets if one in shown]
    logged = "".join(record.getMessage() for record in caplog.records) + stream.getvalue()
    assert not [one for one in secrets if one in logged]
