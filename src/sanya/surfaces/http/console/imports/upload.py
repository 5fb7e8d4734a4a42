"""Receives an uploaded file into a folder, block by block, within a size and with a limit on silence."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path, PurePosixPath, PureWindowsPath

from sanya.kernel.faults import InvalidArgument, TooLarge
from sanya.surfaces.http.asgi import HttpRequest
from sanya.surfaces.http.body import BrokenBody

_MOST_NAME_BYTES = 200
_UNWANTED = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*\u202a-\u202e\u2066-\u2069]')


def clean_name(given: str) -> str:
    """Return the file's own name: no folder, no control characters, nothing hidden."""
    base = PureWindowsPath(PurePosixPath(given).name).name
    name = _UNWANTED.sub("_", base).strip(" .")
    if not name or len(name.encode("utf-8")) > _MOST_NAME_BYTES:
        raise InvalidArgument(f"name must be a file name of 1 to {_MOST_NAME_BYTES} bytes", field="name")
    return name


async def receive_file(request: HttpRequest, path: Path, max_bytes: int, silence_s: float) -> int:
    """Write the body to a new file and return its size. A file that does not arrive whole is removed."""
    _check_length(request.headers.get(b"content-length"), max_bytes)
    count = 0
    try:
        with path.open("xb") as file:
            while True:
                message = await asyncio.wait_for(request.receive(), silence_s)
                if message["type"] == "http.disconnect":
                    raise BrokenBody
                block: bytes = message.get("body", b"")
                count += len(block)
                if count > max_bytes:
                    raise _build_too_large(max_bytes)
                await asyncio.to_thread(file.write, block)
                if not message.get("more_body", False):
                    break
    except TimeoutError:
        _discard(path)
        raise InvalidArgument(f"The file did not arrive: {silence_s:g} s passed in silence. Send it again.") from None
    except BaseException:
        _discard(path)
        raise
    if count == 0:
        _discard(path)
        raise InvalidArgument("The file is empty.", field="body")
    return count


def _discard(path: Path) -> None:
    path.unlink(missing_ok=True)


def _check_length(length: bytes | None, max_bytes: int) -> None:
    if length is not None and length.isdigit() and (len(length) > 19 or int(length) > max_bytes):
        raise _build_too_large(max_bytes)


def _build_too_large(max_bytes: int) -> TooLarge:
    return TooLarge(
        f"The file exceeds {max_bytes} bytes. Raise ingest_max_bytes on the server, or import it on the command line.",
        details={"max_bytes": max_bytes},
    )
