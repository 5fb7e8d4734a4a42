"""OAuth 2 resource server: verifies an access token (JWT) of the configured issuer and turns it into a caller."""

from __future__ import annotations

import time
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Protocol

import jwt

from sanya.kernel.call import Caller
from sanya.kernel.faults import Unauthorized

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Public-key signatures only. `none` and shared-secret algorithms stay out: both allow forged tokens."""

LEEWAY_S = 30
CACHE_S = 60.0
_MAX_CACHED = 10_000
_MAX_TOKEN_CHARS = 16_384
_MAX_SUBJECT_CHARS = 200

# The only reasons that a client learns. Every other failure gets one general message, which helps no attacker.
_REASONS: dict[type[jwt.PyJWTError], str] = {
    jwt.ExpiredSignatureError: "The token has expired. Request a new one.",
    jwt.ImmatureSignatureError: "The token is not valid yet.",
    jwt.InvalidAudienceError: "The token is for another audience.",
    jwt.InvalidIssuerError: "The token is from another issuer.",
}


class SigningKeys(Protocol):
    async def find(self, key_id: str | None, algorithm: str) -> jwt.PyJWK | None:
        """Return the issuer's public key with this id for this algorithm, or None."""
        ...


class TokenReader:
    """Verifies tokens. A valid token is cached for a minute at most, and never beyond its expiry."""

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
        cached = self._cache.get(digest)
        if cached is not None and cached[0] > self._now():
            return cached[1]
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
            # PyJWT raises these for claims of unexpected types: a date of 1e400, an object as issuer.
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
            raise _build_refusal("The token names no subject.")
        return Caller(f"oauth:{subject}", parse_scopes(claims), self._calls_per_minute)


def parse_scopes(claims: dict[str, Any]) -> frozenset[str]:
    """Read the `scope` claim of RFC 9068, or `scp` as some issuers name it; a space-separated string or a list."""
    claim = claims.get("scope", claims.get("scp", ""))
    scopes = claim.split() if isinstance(claim, str) else claim
    if not isinstance(scopes, list) or not all(isinstance(scope, str) for scope in scopes):
        raise _build_refusal("The token's scope claim is neither a string nor a list of strings.")
    return frozenset(scopes)


def _build_refusal(reason: str | None = None) -> Unauthorized:
    return Unauthorized(reason or "The token cannot be verified.")
