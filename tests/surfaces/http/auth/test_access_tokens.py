"""OAuth tokens of a real issuer on loopback: valid ones are accepted, every other is refused in the same way."""

from __future__ import annotations

import base64
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import jwt
import orjson
import pytest

from sanya.kernel.faults import Unauthorized
from sanya.sources.egress import Destination, EgressClient
from sanya.sources.jwks import IssuerKeys, open_issuer_keys
from sanya.surfaces.http.auth.access_tokens import CACHE_S, LEEWAY_S, TokenReader, TokenRules, parse_scopes
from tests.sources.issuer import AUDIENCE, Issuer, local_issuer, private_key, public_jwk
from tests.sources.pages import Page
from tests.surfaces.http.conftest import DemoServer, OpenServer, bearer

MakeToken = Callable[[Issuer], str]


@pytest.fixture
async def issuer() -> AsyncIterator[Issuer]:
    async with local_issuer() as served:
        yield served


@pytest.fixture
async def server(open_server: OpenServer, issuer: Issuer) -> DemoServer:
    return await open_server(oauth_issuer=issuer.url, oauth_audience=AUDIENCE)


async def call(server: DemoServer, token: str) -> httpx.Response:
    return await server.client.post("/tools/demo.say", json={"args": {"text": "x"}}, headers=bearer(token))


def _b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _build_token(issuer: Issuer, header: dict[str, Any], signature: bytes = b"", **claims: Any) -> str:
    return ".".join((_b64(orjson.dumps(header)), _b64(orjson.dumps(issuer.claims(**claims))), _b64(signature)))


def _sign_with_public_key(issuer: Issuer) -> str:
    """Sign with the public key as a shared secret: the classic algorithm confusion attack."""
    import hashlib
    import hmac

    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    pem = private_key("RSA").public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    head = _b64(orjson.dumps({"alg": "HS256", "kid": "k1"})) + "." + _b64(orjson.dumps(issuer.claims()))
    return f"{head}.{_b64(hmac.new(pem, head.encode(), hashlib.sha256).digest())}"


def _alter_claims(issuer: Issuer) -> str:
    head, _, signature = issuer.token().split(".")
    return f"{head}.{_b64(orjson.dumps(issuer.claims(scope='*')))}.{signature}"


def _now() -> int:
    return int(time.time())


GOOD: dict[str, MakeToken] = {
    "plain": lambda issuer: issuer.token(),
    "a list of audiences": lambda issuer: issuer.token(aud=["https://other.example", AUDIENCE]),
    "the audience with a slash": lambda issuer: issuer.token(aud=AUDIENCE + "/"),
    "an endpoint as audience": lambda issuer: issuer.token(aud=AUDIENCE + "/mcp"),
    "scope as a list": lambda issuer: issuer.token(scope=["demo:read"]),
    "scp instead of scope": lambda issuer: issuer.token(scope=None, scp="demo:read other"),
    "no key id": lambda issuer: issuer.token(kid=None),
    "RS512": lambda issuer: issuer.token(algorithm="RS512"),
    "PS256": lambda issuer: issuer.token(algorithm="PS256"),
    "expired within the leeway": lambda issuer: issuer.token(exp=_now() - LEEWAY_S // 2),
    "valid soon, within the leeway": lambda issuer: issuer.token(nbf=_now() + LEEWAY_S // 2),
    "a client in place of a subject": lambda issuer: issuer.token(sub=None, client_id="robot"),
}

BAD: dict[str, MakeToken] = {
    "expired": lambda issuer: issuer.token(exp=_now() - LEEWAY_S - 5),
    "not valid yet": lambda issuer: issuer.token(nbf=_now() + 600),
    "issued in the future": lambda issuer: issuer.token(iat=_now() + 600),
    "another audience": lambda issuer: issuer.token(aud="https://other.example"),
    "an audience that begins like ours": lambda issuer: issuer.token(aud=AUDIENCE + ".evil.com"),
    "a path of ours that is no endpoint": lambda issuer: issuer.token(aud=AUDIENCE + "/tools"),
    "an empty list of audiences": lambda issuer: issuer.token(aud=[]),
    "no audience": lambda issuer: issuer.token(aud=None),
    "another issuer": lambda issuer: issuer.token(iss="https://evil.example"),
    "the issuer with a slash": lambda issuer: issuer.token(iss=issuer.url + "/"),
    "no issuer": lambda issuer: issuer.token(iss=None),
    "no end": lambda issuer: issuer.token(exp=None),
    "an end that is text": lambda issuer: issuer.token(exp="tomorrow"),
    "an end of 400 digits": lambda issuer: issuer.token(exp=10**400),
    "an end of 400 digits as text": lambda issuer: issuer.token(exp="9" * 400),
    "an end beyond all calendars": lambda issuer: issuer.token(exp=10**18),
    "an end as large as a number can be": lambda issuer: issuer.token(exp=1.7e308),
    "an infinite end": lambda issuer: issuer.token(exp=float("inf")),
    "an end that is no number": lambda issuer: issuer.token(exp=float("nan")),
    "an end that is a list": lambda issuer: issuer.token(exp=[1]),
    "a beginning of 400 digits": lambda issuer: issuer.token(nbf=10**400),
    "an issue of 400 digits": lambda issuer: issuer.token(iat=10**400),
    "no subject": lambda issuer: issuer.token(sub=None),
    "an empty subject": lambda issuer: issuer.token(sub=""),
    "a subject that is a number": lambda issuer: issuer.token(sub=7),
    "an endless subject": lambda issuer: issuer.token(sub="x" * 1000),
    "a scope that is a number": lambda issuer: issuer.token(scope=7),
    "scopes that are numbers": lambda issuer: issuer.token(scope=[1, 2]),
    "another key under a known id": lambda issuer: issuer.token(number=2),
    "an unknown key": lambda issuer: issuer.token(number=2, kid="k2"),
    "another kind of key": lambda issuer: issuer.token(kind="P-256", algorithm="ES256"),
    "no algorithm": lambda issuer: _build_token(issuer, {"alg": "none", "kid": "k1"}),
    "no algorithm, in capitals": lambda issuer: _build_token(issuer, {"alg": "NONE", "kid": "k1"}),
    "no algorithm, signed with nothing": lambda issuer: _build_token(issuer, {"alg": "", "kid": "k1"}, b"x"),
    "an algorithm that is a list": lambda issuer: _build_token(issuer, {"alg": ["RS256"], "kid": "k1"}, b"x"),
    "a key id that is a number": lambda issuer: _build_token(issuer, {"alg": "RS256", "kid": 1}, b"x"),
    "a key id that is an object": lambda issuer: _build_token(issuer, {"alg": "RS256", "kid": {}}, b"x"),
    "a shared secret": lambda issuer: jwt.encode(issuer.claims(), "x" * 64, "HS256", headers={"kid": "k1"}),
    "the public key as a secret": _sign_with_public_key,
    "a key that the token brings along": lambda issuer: jwt.encode(
        issuer.claims(), private_key("RSA", 2), "RS256", headers={"kid": "k1", "jwk": public_jwk("RSA", "k1", 2)}
    ),
    "keys at an address that the token names": lambda issuer: jwt.encode(
        issuer.claims(), private_key("RSA", 2), "RS256", headers={"kid": "k1", "jku": issuer.url + "/evil"}
    ),
    "an unknown critical header": lambda issuer: jwt.encode(
        issuer.claims(), private_key("RSA"), "RS256", headers={"kid": "k1", "crit": ["exp2"], "exp2": 1}
    ),
    "altered": _alter_claims,
    "without its signature": lambda issuer: issuer.token().rpartition(".")[0] + ".",
    "with a signature cut short": lambda issuer: issuer.token()[:-20],
    "in two parts": lambda issuer: issuer.token().rpartition(".")[0],
    "garbage": lambda issuer: "garbage",
    "three parts of garbage": lambda issuer: "a.b.c",
    "three empty parts": lambda issuer: "..",
    "a payload that is no JSON": lambda issuer: f"{issuer.token().split('.')[0]}.{_b64(b'nope')}.x",
    "a payload that is a list": lambda issuer: jwt.api_jws.PyJWS().encode(
        b"[]", private_key("RSA"), "RS256", headers={"kid": "k1"}
    ),
    "larger than any token": lambda issuer: issuer.token(extra="x" * 20_000),
}


@pytest.mark.parametrize("name", GOOD)
async def test_a_valid_token_is_accepted(server: DemoServer, issuer: Issuer, name: str) -> None:
    response = await call(server, GOOD[name](issuer))
    assert response.status_code == 200, response.text


@pytest.mark.parametrize("name", BAD)
@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
async def test_any_other_token_is_refused(server: DemoServer, issuer: Issuer, name: str) -> None:
    response = await call(server, BAD[name](issuer))
    assert response.status_code == 401, response.text
    assert response.json()["error"]["code"] == "UNAUTHORIZED"
    challenge = response.headers["www-authenticate"]
    assert challenge.startswith('Bearer realm="sanya", error="invalid_token"')
    assert f'resource_metadata="{AUDIENCE}/.well-known/oauth-protected-resource"' in challenge
    assert server.control.runs == []
    assert issuer.pages.count("/evil") == 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("expired", "The token has expired. Request a new one."),
        ("not valid yet", "The token is not valid yet."),
        ("another audience", "The token is for another audience."),
        ("another issuer", "The token is from another issuer."),
        ("altered", "The token cannot be verified."),
        ("an unknown key", "The token cannot be verified."),
    ],
)
async def test_a_client_learns_only_reasons_it_can_act_on(
    server: DemoServer, issuer: Issuer, name: str, message: str
) -> None:
    response = await call(server, BAD[name](issuer))
    assert response.json()["error"]["message"] == message


async def test_a_weak_key_of_the_issuer_is_not_trusted(server: DemoServer, issuer: Issuer) -> None:
    issuer.publish(public_jwk("weak RSA", "k1"))
    with pytest.warns(jwt.warnings.InsecureKeyLengthWarning):
        token = issuer.token(kind="weak RSA")
    assert (await call(server, token)).status_code == 401


@pytest.mark.parametrize(("kind", "algorithm"), [("P-256", "ES256"), ("P-384", "ES384"), ("Ed25519", "EdDSA")])
async def test_elliptic_curve_keys_are_accepted(server: DemoServer, issuer: Issuer, kind: str, algorithm: str) -> None:
    issuer.publish(public_jwk(kind, "k1"))
    assert (await call(server, issuer.token(kind=kind, algorithm=algorithm))).status_code == 200


async def test_the_caller_gets_the_scopes_of_the_token(server: DemoServer, issuer: Issuer) -> None:
    headers = bearer(issuer.token(scope="demo:read"))
    envelope = {"args": {"text": "x"}}
    assert (await server.client.post("/tools/demo.say", json=envelope, headers=headers)).status_code == 200
    assert (await server.client.post("/tools/demo.write", json=envelope, headers=headers)).status_code == 403
    assert (await call(server, issuer.token(scope=None))).status_code == 403


async def test_the_scope_of_everything_needs_a_setting(open_server: OpenServer, issuer: Issuer) -> None:
    oauth = {"oauth_issuer": issuer.url, "oauth_audience": AUDIENCE}
    for allowed, expected in ((False, 403), (True, 200)):
        server = await open_server(**oauth, oauth_allow_all_scopes=allowed)
        for scope in ("*", ["*"], "other:read *"):
            assert (await call(server, issuer.token(scope=scope))).status_code == expected
        assert (await call(server, issuer.token(scope="* demo:read"))).status_code == 200
        row = (await server.client.get("/console/api/ledger?limit=200", headers=bearer(issuer.token(scope="*")))).json()
        assert row["own_only"] is not allowed


async def test_a_withdrawn_key_stops_working_within_a_minute(issuer: Issuer) -> None:
    """The caller calls every second, so both caches are as warm as they can be."""
    clock = Clock()
    async with EgressClient("issuer", [Destination.from_url(issuer.url, private=True)]) as egress:
        keys = IssuerKeys(egress, issuer.url, monotonic=clock)
        reader = TokenReader(keys, TokenRules(issuer.url, (AUDIENCE,)), clock)
        token = issuer.token(exp=_now() + 3600)
        await reader.read(token)
        issuer.publish(public_jwk("RSA", "k2", 2))
        withdrawn_at = clock.now
        with pytest.raises(Unauthorized):
            while clock.now < withdrawn_at + 60:
                clock.now += 1
                await reader.read(token)
        assert clock.now - withdrawn_at <= 60


async def test_the_subject_of_the_token_is_in_the_ledger(server: DemoServer, issuer: Issuer) -> None:
    await call(server, issuer.token())
    await server.app.ledger.flush()
    rows = [link.entry async for link in server.app.ledger_store.read_links("main")]
    assert rows[-1].caller == "oauth:somchai"


async def test_a_bearer_key_works_beside_the_issuer(server: DemoServer) -> None:
    key = await server.app.keys.create("robot", ["demo:read"])
    assert (await call(server, key)).status_code == 200


async def test_an_issuer_that_is_down_is_an_upstream_failure(server: DemoServer, issuer: Issuer) -> None:
    issuer.pages.pages["/keys"] = Page(status=503)
    response = await call(server, issuer.token())
    assert (response.status_code, response.json()["error"]["code"]) == (502, "UNAVAILABLE")


async def test_missing_credentials_get_the_metadata_url_without_an_error(server: DemoServer) -> None:
    for path, suffix in (("/mcp", "/mcp"), ("/mcp/portable", "/mcp/portable"), ("/tools", "")):
        response = await server.client.post(path, json={})
        challenge = response.headers["www-authenticate"]
        metadata = f"{AUDIENCE}/.well-known/oauth-protected-resource{suffix}"
        assert response.status_code == 401
        assert challenge == f'Bearer realm="sanya", resource_metadata="{metadata}"'


@pytest.mark.parametrize("suffix", ["", "/mcp", "/mcp/portable"])
async def test_the_metadata_is_public_and_names_its_resource(server: DemoServer, issuer: Issuer, suffix: str) -> None:
    document = (await server.client.get(f"/.well-known/oauth-protected-resource{suffix}")).json()
    assert document["resource"] == AUDIENCE + suffix
    assert document["authorization_servers"] == [issuer.url]
    assert "demo:write" in document["scopes_supported"]
    assert document["bearer_methods_supported"] == ["header"]


async def test_there_is_no_metadata_for_other_paths(server: DemoServer) -> None:
    for suffix in ("/tools", "/mcp/other", "x"):
        assert (await server.client.get(f"/.well-known/oauth-protected-resource{suffix}")).status_code == 404


async def test_an_audience_that_is_not_a_url_works_and_metadata_uses_the_request_url(
    open_server: OpenServer, issuer: Issuer
) -> None:
    server = await open_server(oauth_issuer=issuer.url, oauth_audience="sanya-api")
    assert (await call(server, issuer.token(aud="sanya-api"))).status_code == 200
    assert (await call(server, issuer.token(aud="sanya-api/mcp"))).status_code == 401
    document = (await server.client.get("/.well-known/oauth-protected-resource/mcp")).json()
    assert document["resource"] == "http://127.0.0.1:8787/mcp"


class Clock:
    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def keys(issuer: Issuer) -> AsyncIterator[IssuerKeys]:
    async with open_issuer_keys(issuer.url) as opened:
        yield opened


class CountingKeys:
    """Counts key lookups, which equals the number of verified tokens."""

    def __init__(self, keys: IssuerKeys) -> None:
        self.keys = keys
        self.count = 0

    async def find(self, key_id: str | None, algorithm: str) -> jwt.PyJWK | None:
        self.count += 1
        return await self.keys.find(key_id, algorithm)


async def test_a_valid_token_is_cached_for_a_while_and_never_beyond_its_expiry(
    issuer: Issuer, keys: IssuerKeys
) -> None:
    clock, counted = Clock(), CountingKeys(keys)
    reader = TokenReader(counted, TokenRules(issuer.url, (AUDIENCE,), calls_per_minute=7), clock)
    long, short = issuer.token(), issuer.token(exp=_now() + 10)
    for _ in range(3):
        assert (await reader.read(long)).calls_per_minute == 7
        await reader.read(short)
    assert counted.count == 2
    clock.now += 11
    await reader.read(long)
    assert counted.count == 2
    await reader.read(short)
    assert counted.count == 3
    clock.now += CACHE_S
    await reader.read(long)
    assert counted.count == 4


async def test_an_invalid_token_is_not_cached(issuer: Issuer, keys: IssuerKeys) -> None:
    reader = TokenReader(keys, TokenRules(issuer.url, (AUDIENCE,)))
    token = issuer.token(number=2)
    for _ in range(2):
        with pytest.raises(Unauthorized):
            await reader.read(token)


@pytest.mark.parametrize(
    ("claims", "scopes"),
    [
        ({"scope": "a b  c"}, {"a", "b", "c"}),
        ({"scope": ["a", "b"]}, {"a", "b"}),
        ({"scp": ["a"]}, {"a"}),
        ({"scp": "a b"}, {"a", "b"}),
        ({"scope": "a", "scp": "b"}, {"a"}),
        ({"scope": ""}, set()),
        ({"scope": 'a "b" c\\d e\u0000f ยา a:read'}, {"a", "a:read"}),
        ({"scope": ["a b", "\ud800", "\u202e", "c"]}, {"c"}),
        ({}, set()),
    ],
)
def test_scopes_are_read_from_both_claims_and_both_forms(claims: dict[str, Any], scopes: set[str]) -> None:
    assert parse_scopes(claims) == scopes
