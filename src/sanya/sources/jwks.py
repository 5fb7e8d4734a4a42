"""Fetches the public keys of a token issuer: found through its metadata, cached, fetched again for an unknown key."""

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
from sanya.sources.egress import BadDestination, Destination, EgressClient

log = logging.getLogger(__name__)

# A withdrawn key must stop working within a minute; a verified token is cached for another 20 seconds.
FRESH_S = 30.0
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
    """Open the keys of the issuer in the settings. The owner wrote the address, so it may be private."""
    destinations = [Destination.from_url(url, private=True) for url in (issuer, jwks_url) if url]
    async with EgressClient("the token issuer", destinations) as egress:
        keys = IssuerKeys(egress, issuer, jwks_url)
        try:
            yield keys
        finally:
            await keys.close()


class IssuerKeys:
    """Cache of the keys: fresh for half a minute; while the issuer is down, known keys are used for a day, and nobody
    waits for it. The issuer gets at most one request in ten seconds, whatever callers send."""

    def __init__(
        self, egress: EgressClient, issuer: str, jwks_url: str = "", monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._egress = egress
        self._issuer = issuer
        self._jwks_url = jwks_url
        self._monotonic = monotonic
        self._keys: list[dict[str, Any]] = []
        self._fetched_at = -STALE_S
        self._tried_at = -STALE_S
        self._failure: UpstreamFailed | None = None
        self._lock = asyncio.Lock()
        self._retry: asyncio.Task[None] | None = None

    async def close(self) -> None:
        if self._retry is not None:
            self._retry.cancel()
            await asyncio.gather(self._retry, return_exceptions=True)

    async def find(self, key_id: str | None, algorithm: str) -> jwt.PyJWK | None:
        """Return the issuer's key of this id if it may be used with this algorithm."""
        if not self._is_usable(key_id):
            await self._refresh(key_id)
        found = [key for key in self._keys if key_id is None or key.get("kid") == key_id]
        fitting = [key for key in found if algorithm in _list_algorithms(key)]
        if not fitting or (key_id is None and len(fitting) > 1):  # without an id only one key may match
            return None
        try:
            return jwt.PyJWK(fitting[0], algorithm)
        except jwt.PyJWTError:
            return None

    def _is_usable(self, key_id: str | None) -> bool:
        """Return whether a known key can be used at once. Behind an issuer that is down, fetch in the background."""
        age_s = self._measure_age_s()
        if not self._has(key_id) or age_s > STALE_S:
            return False
        if age_s > FRESH_S and self._failure is not None:
            if self._retry is None or self._retry.done():
                self._retry = asyncio.create_task(self._refresh(key_id), name="issuer keys")
            return True
        return age_s <= FRESH_S

    def _measure_age_s(self) -> float:
        return self._monotonic() - self._fetched_at

    def _has(self, key_id: str | None) -> bool:
        return key_id is None or any(key.get("kid") == key_id for key in self._keys)

    async def _refresh(self, key_id: str | None) -> None:
        async with self._lock:
            if self._measure_age_s() <= FRESH_S and self._has(key_id):
                return  # another call fetched while this one waited
            if self._monotonic() - self._tried_at >= RETRY_S:
                await self._try_fetch()
            if self._failure is not None and self._measure_age_s() > STALE_S:
                raise self._failure

    async def _try_fetch(self) -> None:
        self._tried_at = self._monotonic()
        try:
            self._keys = await self._fetch()
        except UpstreamFailed as failure:
            log.warning("cannot fetch the keys of the issuer: %s", failure.message)
            self._failure = failure
        else:
            self._fetched_at = self._monotonic()
            self._failure = None

    async def _fetch(self) -> list[dict[str, Any]]:
        document = await self._fetch_json(self._jwks_url or await self._discover())
        keys = document.get("keys")
        if not isinstance(keys, list):
            raise self._make_fault("gave no list of keys")
        return [key for key in keys if isinstance(key, dict)]

    async def _discover(self) -> str:
        """Return the key address from the issuer's metadata. Another host must be public."""
        document = await self._fetch_metadata()
        url = document.get("jwks_uri")
        if document.get("issuer") != self._issuer or not isinstance(url, str):
            raise self._make_fault("has metadata for another issuer or without jwks_uri")
        if urlsplit(url)[:2] != urlsplit(self._issuer)[:2]:
            try:
                self._egress.allow(Destination.from_url(url))
            except BadDestination as problem:
                raise self._make_fault(f"names keys at a bad address: {problem}") from None
        return url

    async def _fetch_metadata(self) -> dict[str, Any]:
        openid, oauth = list_metadata_urls(self._issuer)
        try:
            return await self._fetch_json(openid)
        except UpstreamFailed:
            return await self._fetch_json(oauth)

    async def _fetch_json(self, url: str) -> dict[str, Any]:
        try:
            document = orjson.loads(await self._egress.get(url))
        except orjson.JSONDecodeError:
            raise self._make_fault("answered with something that is not JSON") from None
        if not isinstance(document, dict):
            raise self._make_fault("answered with something that is not a JSON object")
        return document

    def _make_fault(self, what: str) -> UpstreamFailed:
        return UpstreamFailed(f"{self._egress.source} {what}", source=self._egress.source)


def list_metadata_urls(issuer: str) -> tuple[str, str]:
    """Return both places of an issuer's metadata: OpenID Connect appends its suffix, RFC 8414 inserts its own."""
    scheme, netloc, path, _, _ = urlsplit(issuer)
    path = path.rstrip("/")
    return (
        urlunsplit((scheme, netloc, f"{path}/.well-known/openid-configuration", "", "")),
        urlunsplit((scheme, netloc, f"/.well-known/oauth-authorization-server{path}", "", "")),
    )


def _list_algorithms(key: dict[str, Any]) -> tuple[str, ...]:
    """Return the algorithms that a key may verify: never a shared secret, never one the key is not made for."""
    if key.get("use", "sig") != "sig":
        return ()
    kind = key.get("kty")
    possible = _ALGORITHMS_OF.get(str(kind if kind == "RSA" else key.get("crv")), ())
    named = key.get("alg")
    return possible if named is None else tuple(algorithm for algorithm in possible if algorithm == named)
