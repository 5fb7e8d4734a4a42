"""Opens the funds suite, with demo funds until something is imported."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sanya.assembly.home_resources import HomeResources
from sanya.console.widgets import load_widget
from sanya.kernel.contracts.suite import Suite
from sanya.settings import BadSetting, Settings
from sanya.suites.funds import suite
from sanya.suites.funds.demo import load_demo
from sanya.suites.funds.open_data import OpenData
from sanya.suites.funds.pages import CARD, CHART, COMPARISON, LIST, FundWidget
from sanya.suites.funds.store import FundStore


async def open_funds(resources: HomeResources) -> Suite:
    await load_demo(resources.database)
    return suite.build(FundStore(resources.database), load_fund_pages())


@asynccontextmanager
async def open_open_data(settings: Settings) -> AsyncIterator[OpenData]:
    """Yield the Thai SEC's open data, accessed with the owner's key."""
    from sanya.sources.egress import BadDestination  # here: an HTTP client takes long to load
    from sanya.sources.pacing import get_process_budget
    from sanya.sources.thai_sec import REQUESTS_PER_SECOND, open_thai_sec

    if not settings.thai_sec_key:
        raise BadSetting(
            "thai_sec_key is not set. Get a subscription key at the Thai SEC's open data portal, then run: "
            "sanya settings set thai_sec_key KEY"
        )
    budget = get_process_budget("thai_sec", REQUESTS_PER_SECOND)
    try:
        async with open_thai_sec(settings.thai_sec_url, settings.thai_sec_key, budget) as source:
            yield source
    except BadDestination as problem:
        raise BadSetting(f"thai_sec_url: {problem}") from None


def load_fund_pages() -> list[FundWidget]:
    built = [load_widget(name) for name in (LIST, CARD, CHART, COMPARISON)]
    return [FundWidget(widget.name, widget.html, widget.digest) for widget in built]
