"""Writes receipts of the ledger: one on request, or one after another while a server runs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sanya.engines.receipts import SECRET_NAME, derive_public_key, read_receipts, write_receipt
from sanya.engines.vault import Vault
from sanya.kernel.clock import format_timestamp, read_clock
from sanya.kernel.ledger.anchors import Anchor
from sanya.kernel.ledger.chain import Ledger, LedgerStore
from sanya.kernel.ledger.receipts import BadReceipt, Receipt


@dataclass(frozen=True, slots=True)
class ReceiptWriter:
    ledger: Ledger
    store: LedgerStore
    vault: Vault

    async def write(self, folder: Path) -> Path:
        """Write a receipt of all chains into the folder and return its path."""
        return await self._write(folder, await self._read_heads())

    async def write_often(self, folder: Path, every_s: int) -> None:
        """Write a receipt now and then every `every_s`, unless no row was added."""
        written: list[Anchor] = []
        while True:
            heads = await self._read_heads()
            if heads and heads != written:
                await self._write(folder, heads)
                written = heads
            await asyncio.sleep(every_s)

    async def read(self, path: Path, public_key: str | None = None) -> list[Receipt]:
        """Return the receipts of a folder or a file, checked with this key or else the home's. Raise BadReceipt."""
        key = public_key or await self.find_public_key()
        if key is None:
            raise BadReceipt("this home has no key for receipts: they are of another home, or somebody removed the key")
        return await asyncio.to_thread(read_receipts, path, key)

    async def find_public_key(self) -> str | None:
        """Return the public key of this home's receipts, or None if it never wrote one."""
        seed = await self.vault.find_secret(SECRET_NAME)
        return None if seed is None else derive_public_key(seed)

    async def _read_heads(self) -> list[Anchor]:
        await self.ledger.flush()
        chains = sorted(await self.store.list_chains())
        return [Anchor(chain, *await self.store.read_head(chain)) for chain in chains]

    async def _write(self, folder: Path, heads: Sequence[Anchor]) -> Path:
        seed = await self.vault.get_secret(SECRET_NAME)
        return await asyncio.to_thread(write_receipt, folder, heads, format_timestamp(read_clock()), seed)
