"""Answers lines on stdin that are not valid messages. The SDK drops them, and the client would wait forever."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from typing import Any, Protocol

from mcp import types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from sanya.kernel.contracts.shapes import is_text
from sanya.kernel.strict_json import has_duplicate_name

log = logging.getLogger(__name__)

_INVALID = "Not a valid JSON-RPC message. Check its JSON and its Unicode."
DUPLICATE_NAME = "An object of the message has a name twice. Send each name once."


class MessageWriter(Protocol):
    async def send(self, item: SessionMessage, /) -> None: ...


class InvalidLineResponder:
    """Passes valid messages through and answers invalid ones that have an id to answer to."""

    def __init__(self) -> None:
        self.writer: asyncio.Future[MessageWriter] = asyncio.get_running_loop().create_future()

    async def filter_valid(self, lines: AsyncIterator[str]) -> AsyncIterator[str]:
        async for line in lines:
            try:
                types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValidationError as error:
                is_json = error.errors(include_url=False)[0]["type"] != "json_invalid"
                await self._answer(line, types.INVALID_REQUEST if is_json else types.PARSE_ERROR, _INVALID)
                continue
            if has_duplicate_name(line):
                await self._answer(line, types.INVALID_REQUEST, DUPLICATE_NAME)
            else:
                yield line

    async def _answer(self, line: str, code: int, message: str) -> None:
        if not line.strip():
            return
        id = extract_id(line)
        if id is None:
            log.warning("ignored a line on stdin that is not a JSON-RPC message")
            return
        data = types.ErrorData(code=code, message=message)
        writer = await self.writer
        await writer.send(SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=id, error=data)))


def extract_id(line: str | bytes) -> int | str | None:
    try:
        # json.loads accepts a lone surrogate, which pydantic and orjson refuse; so the id can still be found.
        message: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    id: Any = message.get("id") if isinstance(message, dict) and "method" in message else None
    return id if type(id) is int or (isinstance(id, str) and is_text(id)) else None
