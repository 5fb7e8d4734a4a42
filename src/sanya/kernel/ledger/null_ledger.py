"""A ledger store that keeps nothing, for calls that no caller made, such as those that only compare two engines."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from sanya.kernel.ledger.chain import GENESIS, CitedPaper, LedgerEntry, LedgerLink, StoredAnswer


class NullLedgerStore:
    async def append(
        self, entries: Sequence[LedgerEntry], answers: Sequence[StoredAnswer], cited: Sequence[CitedPaper] = ()
    ) -> None:
        """Discard everything."""

    async def find_answer(self, caller: str, request_id: str) -> StoredAnswer | None:
        del caller, request_id
        return None

    async def read_links(self, chain: str, *, after: int = 0, tool: str | None = None) -> AsyncIterator[LedgerLink]:
        del chain, after, tool
        nothing: Sequence[LedgerLink] = ()
        for link in nothing:
            yield link

    async def read_head(self, chain: str) -> tuple[int, str]:
        del chain
        return 0, GENESIS

    async def list_chains(self) -> set[str]:
        return set()
