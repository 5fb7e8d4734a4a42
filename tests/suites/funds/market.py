"""The funds suite on its own kernel, and builders of fund files."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from sanya.assembly.funds import load_fund_pages
from sanya.kernel.calls.call import Answered, Call, Refused
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.limits import LocalRateLimiter
from sanya.kernel.calls.requests import RequestWindow
from sanya.kernel.ledger.chain import Ledger
from sanya.kernel.storage.database import Database
from sanya.suites.funds import suite
from sanya.suites.funds.store import FundStore
from tests.kernel.conftest import InMemoryLedgerStore

NOW = datetime(2025, 11, 12, 10, 0, tzinfo=UTC)


@dataclass
class Market:
    kernel: Kernel

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        outcome = await self.kernel.call(Call(tool, arguments))
        assert isinstance(outcome, Answered), outcome
        return outcome.body

    async def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its structured content."""
        found: dict[str, Any] = (await self.call(tool, **arguments))["structuredContent"]
        return found

    async def refusal(self, tool: str, arguments: Any) -> dict[str, Any]:
        outcome = await self.kernel.call(Call(tool, arguments))
        assert isinstance(outcome, Refused), outcome
        return outcome.error


@asynccontextmanager
async def open_market(database: Database) -> AsyncIterator[Market]:
    ledger = Ledger(InMemoryLedgerStore(), group_ms=1)
    kernel = Kernel(
        [suite.build(FundStore(database), load_fund_pages())],
        ledger=ledger,
        limiter=LocalRateLimiter(),
        window=RequestWindow(),
        clock=lambda: NOW,
    )
    ledger.start()
    try:
        yield Market(kernel)
    finally:
        await ledger.close()


def nav(day: str, value: float) -> dict[str, Any]:
    return {"nav_date": day, "last_val": value, "previous_val": 0, "buy_price": value, "sell_price": value + 0.0001}


def fund(symbol: str, **fields: Any) -> dict[str, Any]:
    """Build a fund file. `metadata` overrides its columns."""
    metadata = {
        "fund_classification": "EQGEN",
        "management_style": "AM",
        "dividend_policy": "No",
        "risk_level": 6,
        "fund_type": "RMF",
    } | fields.pop("metadata", {})
    return {
        "fund_id": f"M_{symbol}",
        "symbol": symbol,
        "fund_name": f"Fund {symbol}",
        "amc": "ONE ASSET MANAGEMENT LIMITED",
        "metadata": metadata,
        "latest_nav": nav("2025-11-07", 10.0),
        "nav_history_30d": [nav("2025-11-06", 9.5), nav("2025-11-07", 10.0)],
        "performance": {"ytd": 1.0, "1y": 2.0},
        "data_fetched_at": "2025-11-11T06:00:00.000Z",
    } | fields


def write_folder(folder: Path, *funds: dict[str, Any]) -> Path:
    folder.mkdir(exist_ok=True)
    for number, content in enumerate(funds):
        (folder / f"{number:03d}.json").write_bytes(orjson.dumps(content))
    return folder
