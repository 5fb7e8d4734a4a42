"""OAuth 2 resource server: reads an access token (JWT) of the configured issuer into a caller."""

from __future__ import annotations

import time
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Protocol

import jwt

from sanya.kernel.call import Caller
from sanya.kernel.faults import Unauthorized

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures with a public key only: `none` and shared secrets are not among them."""

LEEWAY_S = 30
CACHE_S = 60.0
_MAX_CACHED = 10_000
_MAX_TOKEN_CHARS = 16_384
_MAX_SUBJECT_CHARS = 200

# What a client may know about its token; everything else is one sentence.
_REASONS: dict[type[jwt.PyJWTError], str] = {
    jwt.ExpiredSignatureError: "the token has expired",
    jwt.ImmatureSignatureError: "the token is not valid yet",
    jwt.InvalidAudienceError: "the token is for another audience",
    jwt.InvalidIssuerError: "the token is from another issuer",
}


class SigningKeys(Protocol):
    async def find(self, key_id: str | None, algorithm: str) -> jwt.PyJWK | None:
        """The issuer's public key of this id for this algorithm; None where it has none."""
        ...


class TokenReader:
    """`read` gives the caller of a good token and raises Unauthorized for any other. A token that was good is
    remembered for a minute, never beyond its end."""

    def __init__(
        self,
        keys: SigningKeys,
        *,
        issuer: str,
        audiences: tuple[str, ...],
        calls_per_minute: int,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._keys = keys
        self._issuer = issuer
        self._audiences = audiences
        self._calls_per_minute = calls_per_minute
        self._now = now
        self._cache: dict[bytes, tuple[float, Caller]] = {}

    async def read(self, token: str) -> Caller:
        digest = sha256(token.encode("utf-8")).digest()
        kept = self._cache.get(digest)
        if kept is not None and kept[0] > self._now():
            return kept[1]
        claims = await self._verify(token)
        caller = self._build_caller(claims)
        self._remember(digest, caller, float(claims["exp"]))
        return caller

    def _remember(self, digest: bytes, caller: Caller, expires: float) -> None:
        if len(self._cache) >= _MAX_CACHED:
            self._cache.clear()
        self._cache[digest] = (min(expires, self._now() + CACHE_S), caller)

    async def _verify(self, token: str) -> dict[str, Any]:
        if len(token) > _MAX_TOKEN_CHARS:
            raise _build_refusal()
        try:
            header = jwt.get_unverified_header(token)
            key = await self._find_key(header)
            return jwt.decode(
                token,
                key,
                algorithms=[header["alg"]],
                audience=self._audiences,
                issuer=self._issuer,
                leeway=LEEWAY_S,
                options={"require": ["exp", "iss", "aud"], "enforce_minimum_key_length": True},
            )
        except jwt.PyJWTError as error:
            raise _build_refusal(_REASONS.get(type(error))) from None
        except (ValueError, TypeError, OverflowError):
            # What PyJWT makes of claims whose types nobody expects (a date of 1e400, an object as issuer).
            raise _build_refusal() from None

    async def _find_key(self, header: dict[str, Any]) -> jwt.PyJWK:
        algorithm, key_id = header.get("alg"), header.get("kid")
        if algorithm not in ALGORITHMS or not isinstance(key_id, str | None):
            raise _build_refusal()
        key = await self._keys.find(key_id, algorithm)
        if key is None:
            raise _build_refusal()
        return key

    def _build_caller(self, claims: dict[str, Any]) -> Caller:
        subject = claims.get("sub") or claims.get("client_id") or claims.get("azp")
        if not isinstance(subject, str) or len(subject) > _MAX_SUBJECT_CHARS:
            raise _build_refusal("the token names no subject")
        return Caller(f"oauth:{subject}", parse_scopes(claims), self._calls_per_minute)


def parse_scopes(claims: dict[str, Any]) -> frozenset[str]:
    """`scope` as RFC 9068 has it, or `scp` as some issuers do; words in a string, or a list."""
    given = claims.get("scope", claims.get("scp", ""))
    words = given.split() if isinstance(given, str) else given
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise _build_refusal("the token's scope cannot be read")
    return frozenset(words)


def _build_refusal(reason: str | None = None) -> Unauthorized:
    return Unauthorized(reason or "the token cannot be verified")
