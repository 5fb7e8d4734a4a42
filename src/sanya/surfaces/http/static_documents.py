"""JSON documents that do not change while the server runs: built once, with an ETag so clients need not reload them."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import orjson

from sanya.surfaces.http.asgi import DATA_HEADERS, Headers, HttpResponse


class StaticDocument:
    def __init__(self, content: dict[str, Any]) -> None:
        self.body = orjson.dumps(content)
        self._tag = f'"{sha256(self.body).hexdigest()[:32]}"'.encode("ascii")
        policy, _ = DATA_HEADERS
        # Clients may cache it but must revalidate: a new version of the server may serve another document.
        self._headers = (policy, (b"cache-control", b"no-cache"), (b"etag", self._tag))

    def respond(self, headers: Headers) -> HttpResponse:
        known = [tag.strip().removeprefix(b"W/") for tag in headers.get(b"if-none-match", b"").split(b",")]
        if self._tag in known or b"*" in known:
            return HttpResponse(304, headers=self._headers)
        return HttpResponse(200, self.body, headers=self._headers)
