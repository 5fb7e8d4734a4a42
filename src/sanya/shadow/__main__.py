"""The process of a shadow: its settings and then calls come in by lines, verdicts go out; it ends with its input."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys

from sanya.kernel.faults import Fault
from sanya.logs import configure_logging
from sanya.settings import BadSetting
from sanya.shadow.following import Shadow, open_shadow
from sanya.shadow.report import Found
from sanya.shadow.wire import MAX_LINE, asked_in, settings_in, verdict_line

log = logging.getLogger(__name__)

_LESS_URGENT = 10


def main() -> int:
    # Ctrl-C at a terminal reaches this process too: the server ends it, when the last calls are compared.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_LESS_URGENT)  # where both want the same core, those who are served go first
    return asyncio.run(_serve())


async def _serve() -> int:
    reader = asyncio.StreamReader(limit=MAX_LINE)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    settings, mirrors = settings_in(await reader.readline())
    configure_logging(settings.log_level, settings.log_format)
    try:
        async with open_shadow(settings, mirrors_writes=mirrors) as app:
            _say(b'{"ready": true}\n')
            shadow = Shadow(app)
            while line := await reader.readline():
                shadow.put(asked_in(line), _tell)
            await shadow.finish()
    except (BadSetting, Fault) as problem:
        log.error("the shadow cannot be opened: %s", problem)
        return 1
    return 0


def _tell(found: Found) -> None:
    _say(verdict_line(found))


def _say(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
