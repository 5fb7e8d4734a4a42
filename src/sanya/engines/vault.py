"""Secrets of a home, created once and shared by all its processes."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from sanya.kernel.storage.database import Database

_SECRET_BYTES = 32
_FIND = "SELECT value FROM secrets WHERE name = ?"


class Vault:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_secret(self, name: str) -> bytes:
        """Return the secret of this name, 32 random bytes, and create it on the first call."""
        value = await self._find(name)
        return value if value is not None else await self._make(name)

    async def find_secret(self, name: str) -> bytes | None:
        """Return the secret of this name, or None if nothing asked for it yet."""
        return await self._find(name)

    async def _make(self, name: str) -> bytes:
        async with self._database.transaction() as transaction:
            # If another process was first, its secret stays.
            await transaction.execute(
                "INSERT INTO secrets (name, value, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING",
                (name, secrets.token_bytes(_SECRET_BYTES), datetime.now(UTC).isoformat(timespec="seconds")),
            )
        value = await self._find(name)
        assert value is not None
        return value

    async def _find(self, name: str) -> bytes | None:
        rows = await self._database.fetch(_FIND, (name,), touches=1)
        return bytes(rows[0][0]) if rows and isinstance(rows[0][0], bytes) else None
