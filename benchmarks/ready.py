"""An app whose measured tool has its answer ready: what is left of a call is what the house itself costs."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from benchmarks.wire import ARGUMENTS, TOOL
from sanya import App
from sanya.kernel.call import OWNER, Context, ignore_progress
from sanya.kernel.dispatch import Kernel
from sanya.kernel.limits import LocalRateLimiter
from sanya.kernel.requests import RequestWindow
from sanya.kernel.shapes import Shape
from sanya.kernel.suite import Suite
from sanya.kernel.tool import Tool


async def ready(app: App) -> App:
    """The same app with a kernel of the measured tool alone: its contract, ledger and limits, and no work to do."""
    suite = await _ready_suite(app.kernel)
    kernel = Kernel(
        [suite], ledger=app.ledger, limiter=LocalRateLimiter(), window=RequestWindow(), observers=app.observers
    )
    return replace(app, kernel=kernel)


async def _ready_suite(kernel: Kernel) -> Suite:
    tool = kernel.catalogue.find_tool(TOOL)
    if tool is None:
        raise RuntimeError(f"there is no tool {TOOL}")
    suite = next(candidate for candidate in kernel.catalogue.suites if tool in candidate.tools)
    context = Context("call_0", OWNER, datetime.now(UTC), 0, ignore_progress, "")
    page = await tool.handler(tool.input.model_validate(ARGUMENTS), context)
    return replace(suite, tools=(_answering(tool, page),))


def _answering(tool: Tool, page: Shape) -> Tool:
    async def handler(_: Shape, __: Context) -> Shape:
        return page

    return replace(tool, handler=handler)
