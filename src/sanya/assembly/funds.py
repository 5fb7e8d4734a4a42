"""The funds suite, with the demo set where nothing was imported."""

from __future__ import annotations

from sanya.assembly.opened import Opened
from sanya.console.widgets import widget
from sanya.kernel.suite import Suite
from sanya.suites.funds import suite
from sanya.suites.funds.demo import load_demo
from sanya.suites.funds.pages import CARD, CHART, COMPARISON, LIST, Page
from sanya.suites.funds.store import FundStore


async def open_funds(opened: Opened) -> Suite:
    await load_demo(opened.database)
    return suite.build(FundStore(opened.database), fund_pages())


def fund_pages() -> list[Page]:
    built = [widget(name) for name in (LIST, CARD, CHART, COMPARISON)]
    return [Page(one.name, one.html, one.digest) for one in built]
