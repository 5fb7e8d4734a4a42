"""Serves the sample suites on stdin and stdout: `python -m tests.surfaces.mcp.sample_stdio HOME`."""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path

from sanya.surfaces.mcp.stdio import serve_stdio
from tests.surfaces.mcp.sample_suites import open_sample_kernel


async def main() -> None:
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    async with open_sample_kernel(Path(sys.argv[1])) as shop:
        await serve_stdio(shop.kernel, portable=False, max_result_tokens=25_000)


if __name__ == "__main__":
    asyncio.run(main())
