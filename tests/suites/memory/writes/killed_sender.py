"""Sends memories into a home and prints the id of each that was acknowledged, until it is killed."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from sanya.engines.database import open_database
from sanya.kernel.calls.call import OWNER
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.writes.sending import MemoryDraft, Sender


async def main(home: str, database_url: str, run: str) -> None:
    async with open_database(database_url, Path(home)) as database:
        sender = Sender(MemoryStore(database))

        async def send(writer: int) -> None:
            for number in range(100_000):
                key = f"{run}-{writer}-{number}"
                draft = MemoryDraft(
                    key=key, namespace=OWNER.id, content=f"Note {key}.", created_at="2026-03-01T09:00:00.000Z"
                )
                memory = await sender.send(draft)
                sys.stdout.write(f"{memory.id}\n")
                sys.stdout.flush()

        await asyncio.gather(*map(send, range(4)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
