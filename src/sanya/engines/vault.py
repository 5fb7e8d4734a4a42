"""Secrets that a home makes for itself: made once, the same for every process that shares the home."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from sanya.kernel.database import Database

_SECRET_BYTES = 32
_FIND = "SELECT value FROM secrets WHERE name = ?"


class Vault:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def secret(self, name: str) -> bytes:
        """The secret of this name, 32 random bytes, made when it is first asked for."""
        found = await self._find(name)
        return found if found is not None else await self._make(name)

    async def _make(self, name: str) -> bytes:
        async with self._database.transaction() as transaction:
            # Another process may have been first; then its secret is the one.
            await transaction.execute(
                "INSERT INTO secrets (name, value, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING",
                (name, secrets.token_bytes(_SECRET_BYTES), datetime.now(UTC).isoformat(timespec="seconds")),
            )
        found = await self._find(name)
        assert found is not None
        return found

    async def _find(self, name: str) -> bytes | None:
        rows = await self._database.fetch(_FIND, (name,), touches=1)
        return bytes(rows[0][0]) if rows and isinstance(rows[0][0], bytes) else None
