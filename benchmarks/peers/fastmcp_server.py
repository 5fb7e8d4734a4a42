"""FastMCP with one trivial tool, as its first page writes it: `python -m benchmarks.peers.fastmcp_server PORT`."""

from __future__ import annotations

from typing import Any

from fastmcp import FastMCP

from benchmarks.peers.serving import serve

mcp: Any = FastMCP("bare")


@mcp.tool  # type: ignore[untyped-decorator]
async def shout(text: str) -> str:
    """Returns the text in capitals."""
    return text.upper()


if __name__ == "__main__":
    serve(mcp.http_app(path="/mcp", stateless_http=True, json_response=True))
