from __future__ import annotations

from pathlib import Path

from sanya.engines.database import open_database
from sanya.engines.vault import Vault
from sanya.kernel.storage.database import Database


async def test_a_secret_is_made_once_and_has_32_bytes(database: Database) -> None:
    first = await Vault(database).get_secret("cursors")
    assert len(first) == 32
    assert await Vault(database).get_secret("cursors") == first


async def test_secrets_of_two_names_differ(database: Database) -> None:
    vault = Vault(database)
    assert await vault.get_secret("cursors") != await vault.get_secret("sessions")


async def test_a_secret_survives_closing(database_url: str, home: Path) -> None:
    async with open_database(database_url, home) as database:
        first = await Vault(database).get_secret("cursors")
    async with open_database(database_url, home) as database:
        assert await Vault(database).get_secret("cursors") == first
