"""A server writes receipts on a schedule: one at its start, then one whenever rows were added."""

from __future__ import annotations

import asyncio
from pathlib import Path

import sanya
from sanya.kernel.ledger.chain import MAIN_CHAIN
from sanya.kernel.ledger.receipts import collect_heads
from sanya.kernel.ledger.verification import verify_ledger

TRIES = 3000


async def test_a_server_with_the_setting_writes_receipts(begun_home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "receipts"
    async with sanya.open(begun_home, receipts_folder=str(folder)) as app:
        await app.call("get_projects", {})
        async with app.run_background_work():
            for _ in range(TRIES):
                if folder.exists() and list(folder.glob("receipt-*")):
                    break
                await asyncio.sleep(0.01)
        (receipt,) = await app.receipts.read(folder)
        assert [head.chain for head in receipt.heads] == [MAIN_CHAIN]
        verdict = await verify_ledger(app.ledger_store, receipts=collect_heads([receipt]))
        assert verdict.problem is None


async def test_nothing_is_written_while_no_row_is_added(begun_home: Path, tmp_path: Path) -> None:
    async with sanya.open(begun_home) as app:
        await app.call("get_projects", {})
        writing = asyncio.create_task(app.receipts.write_often(tmp_path / "receipts", 0))
        await asyncio.wait([writing], timeout=1.0)
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        assert len(await app.receipts.read(tmp_path / "receipts")) == 1


async def test_two_processes_may_write_into_one_folder(begun_home: Path, tmp_path: Path) -> None:
    async with sanya.open(begun_home) as app:
        await app.call("get_projects", {})
        await asyncio.gather(*(app.receipts.write(tmp_path / "receipts") for _ in range(8)))
        assert [receipt.number for receipt in await app.receipts.read(tmp_path / "receipts")] == list(range(1, 9))
