"""Middleware around every message that the SDK handles: what it drops, and what it would let slip."""

from __future__ import annotations

import logging
import secrets
from typing import Any

from mcp import MCPError, types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from pydantic import ValidationError

log = logging.getLogger(__name__)


class ExtensionsMiddleware:
    """The SDK sieves `capabilities.extensions` out of the legacy `initialize` answer; without it Claude shows no
    widgets."""

    def __init__(self, extensions: dict[str, dict[str, Any]]) -> None:
        self._extensions = extensions

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        result = await call_next(ctx)
        if ctx.method == "initialize" and self._extensions and isinstance(result, dict):
            return {**result, "capabilities": {**result["capabilities"], "extensions": self._extensions}}
        return result


class ErrorMaskingMiddleware:
    """The legacy wire carries the text of an exception to the client. Ours carries an id, and the log the rest.

    The kernel already sees to this for calls and reads; here it is for prompts, completions and our own mistakes.
    """

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        try:
            return await call_next(ctx)
        except (MCPError, ValidationError):
            raise
        except Exception as error:
            # A border: whatever it was, the client learns only where to find it.
            error_id = "err_" + secrets.token_hex(8)
            log.error("%s failed", ctx.method, exc_info=error, extra={"error_id": error_id})
            message = "Something failed on our side; the server's log has it under this id."
            raise MCPError(types.INTERNAL_ERROR, message, {"error_id": error_id}) from None
