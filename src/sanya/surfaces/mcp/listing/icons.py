"""The icon of each suite, small enough to stand inside a listing: a client need not fetch it.

The server itself names none, because the newer era repeats what the server says of itself in every answer.
"""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from importlib.resources import files

from mcp import types

_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#0b6b5c" stroke-width="2">'
    '<path d="{path}"/></svg>'
)
_OTHER = "other"


def find_icons(suite: str) -> list[types.Icon]:
    """Return the icon of a suite. Suites of other packages share one."""
    paths = _load_paths()
    svg = _SVG.format(path=paths.get(suite, paths[_OTHER]))
    source = "data:image/svg+xml;base64," + b64encode(svg.encode("ascii")).decode("ascii")
    return [types.Icon(src=source, mime_type="image/svg+xml", sizes=["any"])]


@cache
def _load_paths() -> dict[str, str]:
    paths: dict[str, str] = json.loads((files("sanya.surfaces.mcp") / "icons.json").read_text("utf-8"))
    return paths
