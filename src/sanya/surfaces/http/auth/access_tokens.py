"""OAuth 2 resource server: verifies an access token (JWT) of the configured issuer and turns it into a caller."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from math import isfinite
from typing import Any, Protocol

import jwt

from sanya.kernel.calls.call import ALL_SCOPES, Caller
from sanya.kernel.faults import Unauthorized

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Public-key signatures only. `none` and shared-secret algorithms stay out: both allow forged tokens."""

LEEWAY_S = 30
# A withdrawn key must stop working within a minute: the keys are fresh for 30 seconds (sources/jwks.py), and a token
# that was verified with them right before that works for this much longer.
CACHE_S = 20.0
_LAST_EXPIRY_S = 253_402_300_800.0  # the year 10000; beyond it clocks and databases fail in their own ways
_SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+")  # RFC 6749, section 3.3
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


@dataclass(frozen=True, slots=True)
class TokenRules:
    """Defines what a token must say and what it may grant. Without `allows_all_scopes` the scope `*` of a token grants
    nothing: issuers hand out wildcards for reasons of their own, and here it means everything, other callers' jobs
    included."""

    issuer: str
    audiences: tuple[str, ...]
    calls_per_minute: int = 0
    allows_all_scopes: bool = False


class TokenReader:
    """Verifies tokens. A valid token is cached for `CACHE_S` at most, and never beyond its expiry."""

    def __init__(self, keys: SigningKeys, rules: TokenRules, now: Callable[[], float] = time.time) -> None:
        self._keys = keys
        self._rules = rules
        self._now = now
        self._cache: dict[bytes, tuple[float, Caller]] = {}

    async def read(self, token: str) -> Caller:
        digest = sha256(token.encode("utf-8")).digest()
        cached = self._cache.get(digest)
        if cached is not None and cached[0] > self._now():
            return cached[1]
        claims = await self._verify(token)
        caller = self._build_caller(claims)
        self._remember(digest, caller, claims["exp"])
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
            claims = jwt.decode(
                token,
                key,
                algorithms=[header["alg"]],
                audience=self._rules.audiences,
                issuer=self._rules.issuer,
                leeway=LEEWAY_S,
                options={"require": ["exp", "iss", "aud"], "enforce_minimum_key_length": True},
            )
            return {**claims, "exp": _parse_expiry(claims["exp"])}
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
        scopes = parse_scopes(claims)
        if not self._rules.allows_all_scopes:
            scopes -= {ALL_SCOPES}
        return Caller(f"oauth:{subject}", scopes, self._rules.calls_per_minute)


def _parse_expiry(claim: Any) -> float:
    """Return the expiry as seconds. Raises ValueError or OverflowError for a time that no clock shows."""
    expiry = float(claim)
    if not isfinite(expiry) or expiry >= _LAST_EXPIRY_S:
        raise ValueError("the token expires beyond all time")
    return expiry


def parse_scopes(claims: dict[str, Any]) -> frozenset[str]:
    """Read the `scope` claim of RFC 9068, or `scp` as some issuers name it; a space-separated string or a list. What is
    no scope by RFC 6749 grants nothing."""
    claim = claims.get("scope", claims.get("scp", ""))
    scopes = claim.split() if isinstance(claim, str) else claim
    if not isinstance(scopes, list) or not all(isinstance(scope, str) for scope in scopes):
        raise _build_refusal("The token's scope claim is neither a string nor a list of strings.")
    return frozenset(scope for scope in scopes if _SCOPE.fullmatch(scope))


def _build_refusal(reason: str | None = None) -> Unauthorized:
    return Unauthorized(reason or "The token cannot be verified.")
