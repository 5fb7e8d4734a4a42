"""The public keys of a token issuer: found through its metadata, kept for a while, fetched again for an unknown key."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import jwt
import orjson

from sanya.kernel.faults import UpstreamFailed
from sanya.sources.egress import BadDestination, Destination, Outside

log = logging.getLogger(__name__)

FRESH_S = 600.0
STALE_S = 24 * 3600.0
RETRY_S = 10.0

_ALGORITHMS_OF = {
    "RSA": ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    "P-256": ("ES256",),
    "P-384": ("ES384",),
    "P-521": ("ES512",),
    "Ed25519": ("EdDSA",),
}


@asynccontextmanager
async def open_issuer_keys(issuer: str, jwks_url: str = "") -> AsyncIterator[IssuerKeys]:
    """The keys of the issuer that the owner has set. Its address may be a private one, since the owner wrote it."""
    destinations = [Destination.of(url, private=True) for url in (issuer, jwks_url) if url]
    async with Outside("the token issuer", destinations) as outside:
        yield IssuerKeys(outside, issuer, jwks_url)


class IssuerKeys:
    """Keys are fresh for ten minutes; while the issuer does not answer, known keys serve for a day. Whatever callers
    send, the issuer is asked at most once in ten seconds."""

    def __init__(
        self, outside: Outside, issuer: str, jwks_url: str = "", monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._outside = outside
        self._issuer = issuer
        self._jwks_url = jwks_url
        self._monotonic = monotonic
        self._keys: list[dict[str, Any]] = []
        self._fetched_at = -STALE_S
        self._tried_at = -STALE_S
        self._failure: UpstreamFailed | None = None
        self._lock = asyncio.Lock()

    async def find(self, key_id: str | None, algorithm: str) -> jwt.PyJWK | None:
        """The issuer's key of this id, if it may be used with this algorithm."""
        if self._age() > FRESH_S or not self._has(key_id):
            await self._refresh(key_id)
        found = [one for one in self._keys if key_id is None or one.get("kid") == key_id]
        fitting = [one for one in found if algorithm in _algorithms_of(one)]
        if not fitting or (key_id is None and len(fitting) > 1):  # without an id there must be no choice
            return None
        try:
            return jwt.PyJWK(fitting[0], algorithm)
        except jwt.PyJWTError:
            return None

    def _age(self) -> float:
        return self._monotonic() - self._fetched_at

    def _has(self, key_id: str | None) -> bool:
        return key_id is None or any(one.get("kid") == key_id for one in self._keys)

    async def _refresh(self, key_id: str | None) -> None:
        async with self._lock:
            if self._age() <= FRESH_S and self._has(key_id):
                return  # somebody else fetched while we waited
            if self._monotonic() - self._tried_at >= RETRY_S:
                await self._try_fetch()
            if self._failure is not None and self._age() > STALE_S:
                raise self._failure

    async def _try_fetch(self) -> None:
        self._tried_at = self._monotonic()
        try:
            self._keys = await self._fetch()
        except UpstreamFailed as failure:
            log.warning("the issuer's keys cannot be fetched: %s", failure.message)
            self._failure = failure
        else:
            self._fetched_at = self._monotonic()
            self._failure = None

    async def _fetch(self) -> list[dict[str, Any]]:
        document = await self._json(self._jwks_url or await self._discover())
        keys = document.get("keys")
        if not isinstance(keys, list):
            raise self._failed("gave no list of keys")
        return [one for one in keys if isinstance(one, dict)]

    async def _discover(self) -> str:
        """Where the issuer's own metadata says its keys are; another host must be a public one."""
        document = await self._metadata()
        url = document.get("jwks_uri")
        if document.get("issuer") != self._issuer or not isinstance(url, str):
            raise self._failed("has metadata for another issuer or without jwks_uri")
        if urlsplit(url)[:2] != urlsplit(self._issuer)[:2]:
            try:
                self._outside.also(Destination.of(url))
            except BadDestination as problem:
                raise self._failed(f"names keys at a bad address: {problem}") from None
        return url

    async def _metadata(self) -> dict[str, Any]:
        openid, oauth = metadata_urls(self._issuer)
        try:
            return await self._json(openid)
        except UpstreamFailed:
            return await self._json(oauth)

    async def _json(self, url: str) -> dict[str, Any]:
        try:
            document = orjson.loads(await self._outside.get(url))
        except orjson.JSONDecodeError:
            raise self._failed("answered with something that is not JSON") from None
        if not isinstance(document, dict):
            raise self._failed("answered with something that is not a JSON object")
        return document

    def _failed(self, what: str) -> UpstreamFailed:
        return UpstreamFailed(f"{self._outside.source} {what}", source=self._outside.source)


def metadata_urls(issuer: str) -> tuple[str, str]:
    """Where an issuer's metadata may be: OpenID Connect puts its suffix last, RFC 8414 puts its own before the path."""
    scheme, netloc, path, _, _ = urlsplit(issuer)
    path = path.rstrip("/")
    return (
        urlunsplit((scheme, netloc, f"{path}/.well-known/openid-configuration", "", "")),
        urlunsplit((scheme, netloc, f"/.well-known/oauth-authorization-server{path}", "", "")),
    )


def _algorithms_of(key: dict[str, Any]) -> tuple[str, ...]:
    """What a key may sign with: never a shared secret, never what the key itself is not made for."""
    if key.get("use", "sig") != "sig":
        return ()
    kind = key.get("kty")
    possible = _ALGORITHMS_OF.get(str(kind if kind == "RSA" else key.get("crv")), ())
    named = key.get("alg")
    return possible if named is None else tuple(one for one in possible if one == named)
