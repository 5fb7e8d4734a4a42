"""The workshop on stdin and stdout, as a process of its own: `python -m tests.surfaces.mcp.workshop_stdio HOME`."""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path

from sanya.surfaces.mcp.stdio import serve_stdio
from tests.surfaces.mcp.workshop import open_workshop


async def main() -> None:
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    async with open_workshop(Path(sys.argv[1])) as shop:
        await serve_stdio(shop.kernel, portable=False, max_result_tokens=25_000)


if __name__ == "__main__":
    asyncio.run(main())
