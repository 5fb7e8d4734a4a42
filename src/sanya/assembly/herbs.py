"""The herbs suite, with the starter graph in it."""

from __future__ import annotations

from sanya.assembly.opened import Opened
from sanya.kernel.suite import Suite
from sanya.suites.herbs import suite
from sanya.suites.herbs.starter import load_starter
from sanya.suites.herbs.store import HerbStore


async def open_herbs(opened: Opened) -> Suite:
    await load_starter(opened.database)
    return suite.build(HerbStore(opened.database), opened.cursors)
