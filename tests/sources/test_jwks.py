"""The issuer's keys: where they are found, how long they serve, and how seldom the issuer is asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from sanya.kernel.faults import UpstreamFailed
from sanya.sources.egress import BadDestination, Destination, EgressClient
from sanya.sources.jwks import FRESH_S, RETRY_S, STALE_S, IssuerKeys, list_metadata_urls, open_issuer_keys
from tests.sources.issuer import Issuer, local_issuer, public_jwk
from tests.sources.pages import Page


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def issuer() -> AsyncIterator[Issuer]:
    async with local_issuer() as served:
        yield served


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def keys(issuer: Issuer, clock: Clock) -> AsyncIterator[IssuerKeys]:
    async with EgressClient("issuer", [Destination.from_url(issuer.url, private=True)]) as outside:
        yield IssuerKeys(outside, issuer.url, monotonic=clock)


async def test_a_key_is_found_through_the_issuers_metadata(issuer: Issuer, keys: IssuerKeys) -> None:
    found = await keys.find("k1", "RS256")
    assert found is not None
    assert found.key_id == "k1"


async def test_a_second_question_does_not_ask_the_issuer(issuer: Issuer, keys: IssuerKeys) -> None:
    for _ in range(5):
        assert await keys.find("k1", "RS256")
    assert issuer.pages.count("/keys") == 1


async def test_the_configured_address_needs_no_metadata(issuer: Issuer) -> None:
    issuer.pages.pages.pop("/.well-known/openid-configuration")
    async with open_issuer_keys(issuer.url, f"{issuer.url}/keys") as keys:
        assert await keys.find("k1", "RS256")


async def test_the_metadata_of_rfc_8414_serves_as_well(issuer: Issuer, keys: IssuerKeys) -> None:
    page = issuer.pages.pages.pop("/.well-known/openid-configuration")
    issuer.pages.pages["/.well-known/oauth-authorization-server"] = page
    assert await keys.find("k1", "RS256")


def test_the_path_of_an_issuer_stands_where_each_standard_wants_it() -> None:
    assert list_metadata_urls("https://id.example/realms/a/") == (
        "https://id.example/realms/a/.well-known/openid-configuration",
        "https://id.example/.well-known/oauth-authorization-server/realms/a",
    )


async def test_a_new_key_is_fetched_once_the_pause_is_over(issuer: Issuer, keys: IssuerKeys, clock: Clock) -> None:
    assert await keys.find("k1", "RS256")
    issuer.publish(public_jwk("RSA", "k1"), public_jwk("RSA", "k2", 2))
    clock.now += RETRY_S
    assert await keys.find("k2", "RS256")
    assert issuer.pages.count("/keys") == 2


async def test_unknown_keys_do_not_make_us_ask_again_and_again(issuer: Issuer, keys: IssuerKeys, clock: Clock) -> None:
    for number in range(20):
        assert await keys.find(f"unknown-{number}", "RS256") is None
    assert issuer.pages.count("/keys") == 1
    clock.now += RETRY_S
    assert await keys.find("unknown", "RS256") is None
    assert issuer.pages.count("/keys") == 2


async def test_a_withdrawn_key_is_gone_when_the_keys_are_no_longer_fresh(
    issuer: Issuer, keys: IssuerKeys, clock: Clock
) -> None:
    assert await keys.find("k1", "RS256")
    issuer.publish(public_jwk("RSA", "k2", 2))
    clock.now += FRESH_S + 1
    assert await keys.find("k1", "RS256") is None


async def test_known_keys_serve_for_a_day_while_the_issuer_is_down(
    issuer: Issuer, keys: IssuerKeys, clock: Clock
) -> None:
    assert await keys.find("k1", "RS256")
    issuer.pages.pages["/keys"] = Page(status=503)
    clock.now += FRESH_S + 1
    assert await keys.find("k1", "RS256")
    clock.now += STALE_S
    with pytest.raises(UpstreamFailed, match="answered 503"):
        await keys.find("k1", "RS256")


async def test_nobody_waits_for_an_issuer_that_is_known_to_be_down(
    issuer: Issuer, keys: IssuerKeys, clock: Clock
) -> None:
    assert await keys.find("k1", "RS256")
    issuer.pages.pages["/keys"] = Page(status=503)
    clock.now += FRESH_S + 1
    assert await keys.find("k1", "RS256"), "the first caller waits and finds it down"
    issuer.publish(public_jwk("RSA", "k2", 2))
    clock.now += RETRY_S
    before = issuer.pages.count("/keys")
    assert await keys.find("k1", "RS256"), "the next gets the known key at once"
    assert issuer.pages.count("/keys") == before
    await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == "issuer keys"))
    assert await keys.find("k1", "RS256") is None
    assert await keys.find("k2", "RS256"), "the keys were fetched meanwhile"
    await keys.close()


@pytest.mark.parametrize(
    "page",
    [
        Page(status=404),
        Page(b"not json"),
        Page(b"[]"),
        Page(b'{"keys": {}}'),
        Page(b"{}"),
        Page(b" " * 2_000_000),
    ],
    ids=["missing", "not JSON", "a list", "keys not a list", "no keys", "too large"],
)
async def test_an_issuer_that_gives_no_keys_is_a_fault_of_the_source(
    issuer: Issuer, keys: IssuerKeys, page: Page
) -> None:
    issuer.pages.pages["/keys"] = page
    with pytest.raises(UpstreamFailed) as failed:
        await keys.find("k1", "RS256")
    assert failed.value.source == "issuer"
    with pytest.raises(UpstreamFailed):
        await keys.find("k1", "RS256")
    assert issuer.pages.count("/keys") == 1


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://evil.example", "jwks_uri": "https://evil.example/keys"},
        {"issuer": "SELF"},
        {"issuer": "SELF", "jwks_uri": 7},
        {"issuer": "SELF", "jwks_uri": "http://169.254.169.254/keys"},
        {"issuer": "SELF", "jwks_uri": "https://127.0.0.1:1/keys"},
        {"issuer": "SELF", "jwks_uri": "file:///etc/passwd"},
    ],
)
async def test_metadata_cannot_lead_to_another_issuer_or_into_our_network(
    issuer: Issuer, keys: IssuerKeys, metadata: dict[str, object]
) -> None:
    told = {name: issuer.url if value == "SELF" else value for name, value in metadata.items()}
    issuer.pages.put_json("/.well-known/openid-configuration", told)
    with pytest.raises(UpstreamFailed):
        await keys.find("k1", "RS256")


@pytest.mark.parametrize(
    ("key", "algorithm", "usable"),
    [
        (public_jwk("RSA", "k"), "RS256", True),
        (public_jwk("RSA", "k"), "PS512", True),
        (public_jwk("RSA", "k", alg="RS256"), "RS256", True),
        (public_jwk("RSA", "k", use="sig"), "RS256", True),
        (public_jwk("P-256", "k"), "ES256", True),
        (public_jwk("P-384", "k"), "ES384", True),
        (public_jwk("Ed25519", "k"), "EdDSA", True),
        (public_jwk("RSA", "k", alg="RS256"), "RS512", False),
        (public_jwk("RSA", "k", alg="HS256"), "HS256", False),
        (public_jwk("RSA", "k"), "HS256", False),
        (public_jwk("RSA", "k"), "none", False),
        (public_jwk("RSA", "k", use="enc"), "RS256", False),
        (public_jwk("P-256", "k"), "RS256", False),
        (public_jwk("P-256", "k"), "ES384", False),
        ({"kty": "oct", "k": "c2VjcmV0", "kid": "k"}, "HS256", False),
        ({"kty": "oct", "k": "c2VjcmV0", "kid": "k", "alg": "HS256"}, "HS256", False),
        ({"kty": "RSA", "kid": "k", "n": "AA"}, "RS256", False),
        ({"kid": "k"}, "RS256", False),
    ],
)
async def test_a_key_serves_only_what_it_is_made_for(
    issuer: Issuer, keys: IssuerKeys, key: dict[str, object], algorithm: str, usable: bool
) -> None:
    issuer.publish(key)
    assert (await keys.find("k", algorithm) is not None) is usable


async def test_a_token_without_a_key_id_needs_an_issuer_with_one_key(issuer: Issuer, keys: IssuerKeys) -> None:
    assert await keys.find(None, "RS256")


async def test_a_token_without_a_key_id_is_refused_where_there_is_a_choice(issuer: Issuer, keys: IssuerKeys) -> None:
    issuer.publish(public_jwk("RSA", "k1"), public_jwk("RSA", "k2", 2))
    assert await keys.find(None, "RS256") is None


@pytest.mark.parametrize("url", ["not an address", "ftp://id.example", "https://"])
async def test_an_issuer_must_be_an_address(url: str) -> None:
    with pytest.raises(BadDestination):
        async with open_issuer_keys(url):
            pass
