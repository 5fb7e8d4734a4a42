"""Identifies the caller: a bearer key, an OAuth access token, or anonymous where neither is set up."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from sanya.kernel.calls.call import ALL_SCOPES, Caller
from sanya.kernel.faults import Unauthorized
from sanya.surfaces.http.asgi import Headers
from sanya.surfaces.http.auth.access_tokens import TokenReader

RECHECK_S = 5.0
ANONYMOUS = "anonymous"


class KeyLookup(Protocol):
    async def find(self, key: str) -> Caller | None: ...

    async def has_any(self) -> bool: ...


def build_anonymous(calls_per_minute: int) -> Caller:
    return Caller(ANONYMOUS, frozenset({ALL_SCOPES}), calls_per_minute)


class Authenticator:
    """Turns an Authorization header into a caller.

    `anonymous` is the caller while no credentials are set up; with None, everybody needs credentials. The first key
    that is created ends anonymous access. Revoking the last key does not bring it back, in this process or another:
    only the owner does, with `sanya keys open` and a restart.
    """

    def __init__(
        self,
        keys: KeyLookup,
        *,
        anonymous: Caller | None,
        tokens: TokenReader | None = None,
        calls_per_minute: int = 0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._keys = keys
        self._anonymous = None if tokens is not None else anonymous
        self._tokens = tokens
        self._calls_per_minute = calls_per_minute
        self._monotonic = monotonic
        self._checked_at = -RECHECK_S
        self._limited: dict[Caller, Caller] = {}

    async def identify_caller(self, headers: Headers) -> Caller:
        """Return the caller. Raises Unauthorized with what is wrong with the credentials."""
        if self._anonymous is not None:
            await self._look_for_keys()
            if self._anonymous is not None:
                return self._anonymous
        token = parse_bearer_token(headers.get(b"authorization"))
        if self._tokens is not None and token.count(".") == 2:
            return await self._tokens.read(token)
        key_holder = await self._keys.find(token)
        if key_holder is None:
            raise Unauthorized("The key is unknown or revoked. Create one with `sanya keys create`.")
        return self._with_limit(key_holder)

    async def _look_for_keys(self) -> None:
        now = self._monotonic()
        if now - self._checked_at < RECHECK_S:
            return
        if await self._keys.has_any():
            self._anonymous = None
        self._checked_at = now

    def _with_limit(self, caller: Caller) -> Caller:
        """Apply the server's default rate limit to a key that has none of its own."""
        if caller.calls_per_minute or not self._calls_per_minute:
            return caller
        limited = self._limited.get(caller)
        if limited is None:
            limited = self._limited[caller] = replace(caller, calls_per_minute=self._calls_per_minute)
        return limited


def parse_bearer_token(authorization: bytes | None) -> str:
    if authorization is None:
        raise Unauthorized("Credentials are required. Send `Authorization: Bearer KEY` (see `sanya keys create`).")
    scheme, _, token = authorization.partition(b" ")
    token = token.strip(b" ")
    if scheme.lower() != b"bearer" or not token or not token.isascii() or b" " in token:
        raise Unauthorized("The Authorization header must be `Bearer` followed by one key or token.")
    return token.decode("ascii")
