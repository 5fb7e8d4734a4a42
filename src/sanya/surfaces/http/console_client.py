"""Tells calls of the console's own pages from those of programs, so that the ledger can leave them out of sight.

The pages send a header. A program may send it too, so the mark hides nothing from anybody else: the console leaves out
only marked reads of the caller who looks, says how to see them, and `sanya audit list` shows them always.
"""

from __future__ import annotations

from sanya.surfaces.http.asgi import Headers

HEADER = b"sanya-client"
CONSOLE = "console"
_HTTP = "http"


def name_surface(headers: Headers) -> str:
    """Return the surface that the ledger records for a request: `console` or `http`."""
    return CONSOLE if headers.get(HEADER) == CONSOLE.encode("ascii") else _HTTP
