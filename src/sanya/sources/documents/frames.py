"""Frames between the process that reads a document and the server: a JSON head with bytes after it."""

from __future__ import annotations

import asyncio
import struct
from typing import Any, BinaryIO

import orjson

_SIZES = struct.Struct("!II")
_MAX_HEAD = 64 * 1024 * 1024


class BadFrame(ValueError):
    """The other process ended, or sent an invalid frame."""


def write_frame(out: BinaryIO, head: dict[str, Any], body: bytes = b"") -> None:
    packed = orjson.dumps(head)
    out.write(_SIZES.pack(len(packed), len(body)))
    out.write(packed)
    out.write(body)
    out.flush()


async def read_frame(incoming: asyncio.StreamReader, max_body: int) -> tuple[dict[str, Any], bytes]:
    """Read one frame. The sender has read an untrusted document, so its sizes are bounded too."""
    try:
        head_size, body_size = _SIZES.unpack(await incoming.readexactly(_SIZES.size))
        if head_size > _MAX_HEAD or body_size > max_body:
            raise BadFrame("a frame is larger than it may be")
        head = orjson.loads(await incoming.readexactly(head_size))
        body = await incoming.readexactly(body_size)
    except (asyncio.IncompleteReadError, orjson.JSONDecodeError) as error:
        raise BadFrame(str(error)) from None
    if not isinstance(head, dict):
        raise BadFrame("a frame has no head")
    return head, body
