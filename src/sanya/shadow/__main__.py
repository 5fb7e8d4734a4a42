"""The process of a shadow: reads settings and calls from stdin, a line each, and writes comparisons to stdout."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys

from sanya.kernel.faults import Fault
from sanya.logs import configure_logging
from sanya.settings import BadSetting
from sanya.shadow.report import CallComparison
from sanya.shadow.runner import Shadow, open_shadow
from sanya.shadow.wire import MAX_LINE, decode_call, decode_settings, encode_comparison

log = logging.getLogger(__name__)

_NICENESS = 10


def main() -> int:
    # Ctrl-C at a terminal reaches this process too. The server ends it, after the last calls are compared.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)  # the server goes first where both want the same core
    return asyncio.run(_serve())


async def _serve() -> int:
    reader = asyncio.StreamReader(limit=MAX_LINE)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    settings, mirrors = decode_settings(await reader.readline())
    configure_logging(settings.log_level, settings.log_format)
    try:
        async with open_shadow(settings, mirrors_writes=mirrors) as app:
            _write_line(b'{"ready": true}\n')
            shadow = Shadow(app)
            while line := await reader.readline():
                shadow.put(decode_call(line), _send_comparison)
            await shadow.finish()
    except (BadSetting, Fault) as problem:
        log.error("cannot open the shadow: %s", problem)
        return 1
    return 0


def _send_comparison(found: CallComparison) -> None:
    _write_line(encode_comparison(found))


def _write_line(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
