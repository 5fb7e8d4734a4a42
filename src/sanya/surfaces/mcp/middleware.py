"""Middleware around the SDK's handlers: limits requests, restores extensions that it drops, hides exceptions."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Any

from mcp import MCPError, types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from pydantic import ValidationError

from sanya.kernel.calls.call import Caller
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.faults import RateLimited

log = logging.getLogger(__name__)

CALLING_METHODS = frozenset({"tools/call", "resources/read", "completion/complete"})
"""Methods that the kernel runs. It limits their rate and time, and writes a row of each."""
STREAMS = frozenset({"subscriptions/listen"})
"""Methods that have no end. Their number is limited for each caller, and the time that they are idle."""
REQUEST_TIMEOUT_S = 30.0


class ExtensionsMiddleware:
    """Adds `capabilities.extensions` to the older era's `initialize` result.

    The SDK removes them there, and without them Claude shows no widgets.
    """

    def __init__(self, extensions: dict[str, dict[str, Any]]) -> None:
        self._extensions = extensions

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        result = await call_next(ctx)
        if ctx.method == "initialize" and self._extensions and isinstance(result, dict):
            return {**result, "capabilities": {**result["capabilities"], "extensions": self._extensions}}
        return result


class LimitMiddleware:
    """Limits the rate and the time of requests that make no call: the handshake, listings, prompts, pings.

    The kernel limits the others.
    """

    def __init__(self, kernel: Kernel, read_caller: Callable[[ServerRequestContext[Any, Any]], Caller]) -> None:
        self._kernel = kernel
        self._read_caller = read_caller

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.request_id is None or ctx.method in CALLING_METHODS:
            return await call_next(ctx)
        try:
            await self._kernel.admit_request(self._read_caller(ctx))
            if ctx.method in STREAMS:
                return await call_next(ctx)
            async with asyncio.timeout(REQUEST_TIMEOUT_S):
                return await call_next(ctx)
        except RateLimited as fault:
            data = {"error": {"message": fault.message, "retry_after_ms": fault.retry_after_ms}}
            raise MCPError(types.INTERNAL_ERROR, fault.message, data) from None
        except TimeoutError:
            raise MCPError(types.INTERNAL_ERROR, f"{ctx.method} did not finish in {REQUEST_TIMEOUT_S:g} s.") from None


class ErrorMaskingMiddleware:
    """Replaces an exception by an error id, because the older era's wire would send its text to the client.

    The kernel already does this for calls and reads. This covers prompts, completions and bugs in the handlers.
    """

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        try:
            return await call_next(ctx)
        except (MCPError, ValidationError):
            raise
        except Exception as error:
            # Last resort: the client learns only the id under which the log has the details.
            error_id = "err_" + secrets.token_hex(8)
            log.error("%s failed", ctx.method, exc_info=error, extra={"error_id": error_id})
            message = "Internal error. The server's log has the details under this id."
            raise MCPError(types.INTERNAL_ERROR, message, {"error_id": error_id}) from None
