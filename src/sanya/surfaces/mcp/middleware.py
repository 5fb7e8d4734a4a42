"""Middleware around the SDK's handlers: restores extensions that it drops, and hides exceptions that it would show."""

from __future__ import annotations

import logging
import secrets
from typing import Any

from mcp import MCPError, types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from pydantic import ValidationError

log = logging.getLogger(__name__)


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
