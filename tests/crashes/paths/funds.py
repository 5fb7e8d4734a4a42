"""`sanya funds import`: each import adds a day to the history of every fund, in one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from datetime import date, timedelta
from pathlib import Path

from sanya import App
from sanya.suites.funds.importing.files import read_funds
from sanya.suites.funds.importing.writer import import_funds
from tests.crashes.ground import Fact, Ground, call_tool
from tests.suites.funds.market import fund, nav, write_folder

_FUNDS = 6
_FIRST_DAY = date(2000, 1, 1)


class FundsImport:
    name = "funds import"
    tools: frozenset[str] = frozenset()

    async def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        day = (_FIRST_DAY + timedelta(days=number)).isoformat()
        points = nav(day, 10.0 + number)
        funds = [
            fund(f"F{at}", latest_nav=points, nav_history_30d=[points], data_fetched_at=f"{day}T06:00:00.000Z")
            for at in range(_FUNDS)
        ]
        await import_funds(app.database, read_funds(write_folder(Path(ground.folder) / "funds", *funds)).funds)
        yield {"day": day}

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        rows = await app.database.fetch("SELECT nav_date FROM nav_points WHERE symbol LIKE 'F_'")
        days = Counter(str(day) for (day,) in rows)
        assert set(days.values()) <= {_FUNDS}, "half an import"
        assert {fact["day"] for fact in facts} <= set(days), "an acknowledged import is lost"
        latest = await app.database.fetch("SELECT DISTINCT nav_date FROM funds WHERE symbol LIKE 'F_'")
        assert [tuple(row) for row in latest] == ([(max(days),)] if days else [])
        if days:
            detail = await call_tool(app, "get_rmf_fund_detail", {"fundCode": "F0"})
            assert detail.body["structuredContent"]["fund"]["nav_date"] == max(days)
