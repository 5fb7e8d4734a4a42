"""A ledger that keeps nothing: for calls that nobody made, such as those that only compare two engines."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from sanya.kernel.ledger import GENESIS, Answer, Entry, Link


class Unrecorded:
    async def append(self, entries: Sequence[Entry], answers: Sequence[Answer]) -> None:
        """Nothing is kept."""

    async def answer(self, caller: str, request_id: str) -> Answer | None:
        del caller, request_id
        return None

    async def links(self, chain: str, *, after: int = 0, tool: str | None = None) -> AsyncIterator[Link]:
        del chain, after, tool
        nothing: Sequence[Link] = ()
        for link in nothing:
            yield link

    async def head(self, chain: str) -> tuple[int, str]:
        del chain
        return 0, GENESIS

    async def chains(self) -> set[str]:
        return set()
