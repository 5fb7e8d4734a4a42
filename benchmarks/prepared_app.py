"""App whose measured tool returns a prepared answer, so that a call costs only the kernel and the server."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from benchmarks.wire import ARGUMENTS, TOOL
from sanya import App
from sanya.kernel.calls.call import OWNER, Context, ignore_progress
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.limits import LocalRateLimiter
from sanya.kernel.calls.prepared_bodies import PreparedBody
from sanya.kernel.calls.requests import RequestWindow
from sanya.kernel.contracts.shapes import Shape
from sanya.kernel.contracts.suite import Suite
from sanya.kernel.contracts.tool import Tool


async def make_ready_app(app: App) -> App:
    """Return the app with a kernel that has only the measured tool, with its contract, ledger and limits."""
    suite = await _build_suite(app.kernel)
    kernel = Kernel(
        [suite], ledger=app.ledger, limiter=LocalRateLimiter(), window=RequestWindow(), observers=app.observers
    )
    return replace(app, kernel=kernel)


async def _build_suite(kernel: Kernel) -> Suite:
    tool = kernel.catalogue.find_tool(TOOL)
    if tool is None:
        raise RuntimeError(f"Unknown tool {TOOL}")
    suite = next(candidate for candidate in kernel.catalogue.suites if tool in candidate.tools)
    context = Context("call_0", OWNER, datetime.now(UTC), 0, ignore_progress, "")
    page = await tool.handler(tool.input.model_validate(ARGUMENTS), context)
    return replace(suite, tools=(_replace_handler(tool, page),))


def _replace_handler(tool: Tool, page: Shape | PreparedBody) -> Tool:
    async def answer(_: Shape, __: Context) -> Shape | PreparedBody:
        return page

    return replace(tool, handler=answer)
