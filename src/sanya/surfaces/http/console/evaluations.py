"""Evaluations in the browser: the list as JSON and each report as an HTML page.

Both are read as kernel resources, so scopes, limits and the ledger apply as on every surface.
"""

from __future__ import annotations

import base64
import re
from hashlib import sha256
from urllib.parse import quote

import orjson

from sanya.kernel.calls.call import Call, Refused
from sanya.kernel.calls.dispatch import Kernel
from sanya.surfaces.http.asgi import HttpRequest, HttpResponse
from sanya.surfaces.http.console_client import name_surface

PATH = "/evaluations"
_HTML = b"text/html; charset=utf-8"
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


class Evaluations:
    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    async def list(self, request: HttpRequest) -> HttpResponse:
        return HttpResponse(200, orjson.dumps(await self._read("eval://reports", request)))

    async def show(self, request: HttpRequest) -> HttpResponse:
        id: str = request.scope["path"].rstrip("/").rpartition("/")[2]
        body = await self._read(f"eval://report/{quote(id, safe='')}", request)
        page = str(body["text"])
        headers = ((b"content-security-policy", _build_policy(page)), (b"cache-control", b"private, no-cache"))
        return HttpResponse(200, page.encode("utf-8"), _HTML, headers)

    async def _read(self, uri: str, request: HttpRequest) -> dict[str, object]:
        outcome = await self._kernel.read(Call(uri, {}, request.caller, name_surface(request.headers)))
        if isinstance(outcome, Refused):
            raise outcome.fault
        return outcome.body


def _build_policy(page: str) -> bytes:
    """Allow nothing but the page's own style sheet, by its hash.

    The first style element is ours: the report writes it before any text that comes from data.
    """
    own_style = _STYLE.search(page)
    digest = sha256((own_style[1] if own_style else "").encode("utf-8")).digest()
    style = f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
    policy = f"default-src 'none'; style-src {style}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return policy.encode("ascii")
