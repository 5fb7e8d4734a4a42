"""API keys of callers: `sanya_<id>_<secret>`, shown once when created, stored only as a hash."""

from __future__ import annotations

import hmac
import re
import secrets
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from sanya.kernel.calls.call import Caller
from sanya.kernel.faults import InvalidArgument, NotFound, StoreUnavailable
from sanya.kernel.storage.database import Database, Row

CACHE_SECONDS = 5.0
_MAX_CACHED = 10_000
_ID_BYTES = 6
_SECRET_BYTES = 32
_KEY = re.compile(r"sanya_([0-9a-f]{12})_([0-9A-Za-z_-]{43})")
_NO_HASH = "0" * 64
_FIND_ACTIVE = "SELECT 1 FROM keys WHERE revoked_at IS NULL LIMIT 1"
_COLUMNS = "id, name, secret_hash, scopes, calls_per_minute, created_at, last_used_at, revoked_at"


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A stored key without its secret. `last_used_at` is exact to the hour."""

    id: str
    name: str
    scopes: frozenset[str]
    calls_per_minute: int
    created_at: str
    last_used_at: str | None
    revoked_at: str | None

    @property
    def caller(self) -> Caller:
        return Caller(f"key:{self.id}", self.scopes, self.calls_per_minute)


class KeyStore:
    """Finds callers by their keys. A key is cached for `CACHE_SECONDS`, so that a call does not wait for the database.
    A revoked key therefore works at most that long in other processes; in this one it stops at once."""

    def __init__(self, database: Database, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._monotonic = monotonic
        self._cache: dict[bytes, tuple[float, Caller]] = {}

    async def create(self, name: str, scopes: Iterable[str], calls_per_minute: int = 0) -> str:
        """Create a key and return it. It cannot be shown again. `calls_per_minute` of 0 means no limit."""
        id, secret = secrets.token_hex(_ID_BYTES), secrets.token_urlsafe(_SECRET_BYTES)
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "INSERT INTO keys (id, name, secret_hash, scopes, calls_per_minute, created_at) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (id, name, _hash(secret), " ".join(sorted(set(scopes))), calls_per_minute, _format_now()),
            )
        return f"sanya_{id}_{secret}"

    async def find(self, key: str) -> Caller | None:
        """Return the caller of this key; None if the key is unknown or revoked."""
        digest = sha256(key.encode("utf-8", "replace")).digest()
        cached = self._cache.get(digest)
        if cached is not None and cached[0] > self._monotonic():
            return cached[1]
        stored = await self._look_up(key)
        if stored is None:
            self._cache.pop(digest, None)
            return None
        self._remember(digest, stored.caller)
        return stored.caller

    async def list(self) -> list[ApiKey]:
        rows = await self._database.fetch(f"SELECT {_COLUMNS} FROM keys ORDER BY created_at, id")  # noqa: S608
        return [_read_key(row) for row in rows]

    async def revoke(self, id: str) -> None:
        """Revoke a key for good. Raise NotFound if there is no active key of this id."""
        self._cache.clear()
        async with self._database.transaction() as transaction:
            changed = await transaction.execute(
                "UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", (_format_now(), id)
            )
        self._cache.clear()
        if not changed:
            raise NotFound(f"there is no active key {id!r}; run `sanya keys list` to see them")

    async def has_active(self) -> bool:
        return bool(await self._database.fetch(_FIND_ACTIVE, touches=1))

    async def has_any(self) -> bool:
        """Return whether a key was created since access was last open, even if it is revoked by now. Whoever revokes
        the last key wants to keep a caller out, not to let everybody in."""
        return bool(await self._database.fetch("SELECT 1 FROM keys WHERE reopened_at IS NULL LIMIT 1", touches=1))

    async def open_access(self) -> None:
        """Let callers in without credentials again, in servers that start from now on. Raise InvalidArgument while a
        key is active, NotFound if no key keeps them out."""
        async with self._database.transaction() as transaction:
            if await transaction.fetch(_FIND_ACTIVE):
                raise InvalidArgument("a key is still active; revoke it first (`sanya keys list` shows the keys)")
            sql = "UPDATE keys SET reopened_at = ? WHERE reopened_at IS NULL AND revoked_at IS NOT NULL"
            if not await transaction.execute(sql, (_format_now(),)):
                raise NotFound("access is open already: there is no key")

    async def _look_up(self, key: str) -> ApiKey | None:
        parts = _KEY.fullmatch(key)
        if parts is None:
            return None
        sql = f"SELECT {_COLUMNS} FROM keys WHERE id = ?"  # noqa: S608
        rows = await self._database.fetch(sql, (parts[1],), touches=1)
        # Compared even for an unknown id, so that it takes as long as a wrong secret.
        genuine = hmac.compare_digest(str(rows[0][2]) if rows else _NO_HASH, _hash(parts[2]))
        if not rows or not genuine or rows[0][7] is not None:
            return None
        stored = _read_key(rows[0])
        await self._note_use(stored)
        return stored

    async def _note_use(self, key: ApiKey) -> None:
        hour = f"{datetime.now(UTC):%Y-%m-%dT%H}:00:00Z"
        if key.last_used_at == hour:
            return
        # A caller may call even if its last use cannot be recorded.
        with suppress(StoreUnavailable):
            async with self._database.transaction() as transaction:
                await transaction.execute("UPDATE keys SET last_used_at = ? WHERE id = ?", (hour, key.id))

    def _remember(self, digest: bytes, caller: Caller) -> None:
        if len(self._cache) >= _MAX_CACHED:
            self._cache.clear()
        self._cache[digest] = (self._monotonic() + CACHE_SECONDS, caller)


def _hash(secret: str) -> str:
    # The secret has 256 random bits, so a plain hash is as strong as a slow one.
    return sha256(secret.encode("ascii")).hexdigest()


def _format_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _read_key(row: Row) -> ApiKey:
    id, name, _, scopes, calls_per_minute, created_at, last_used_at, revoked_at = row
    return ApiKey(
        id=str(id),
        name=str(name),
        scopes=frozenset(str(scopes).split()),
        calls_per_minute=calls_per_minute if isinstance(calls_per_minute, int) else 0,
        created_at=str(created_at),
        last_used_at=None if last_used_at is None else str(last_used_at),
        revoked_at=None if revoked_at is None else str(revoked_at),
    )
