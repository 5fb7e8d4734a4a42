"""Page cursors: opaque, signed, bound to their query, and holding the sort keys of the last row."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b
from typing import Any

import orjson

from sanya.kernel.canonical import to_canonical_json
from sanya.kernel.faults import BadCursor

_TAG_BYTES = 16
# Enough for an id of 255 characters, each written as a six-byte escape.
MAX_CURSOR_CHARS = 4096


class Cursors:
    """Seals and opens cursors with the home's secret.

    `query` holds everything that decides which rows come, except cursor and limit. A cursor opens only for the query
    that made it.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def seal(self, query: dict[str, Any], keys: list[Any]) -> str:
        payload = orjson.dumps(keys)
        return urlsafe_b64encode(self._tag(query, payload) + payload).rstrip(b"=").decode("ascii")

    def open(self, query: dict[str, Any], cursor: str) -> list[Any]:
        try:
            raw = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
        except ValueError:
            raise _make_refusal() from None
        tag, payload = raw[:_TAG_BYTES], raw[_TAG_BYTES:]
        # Accept only the encoding that we write: otherwise two strings would name one page.
        canonical = urlsafe_b64encode(raw).rstrip(b"=").decode("ascii") == cursor
        if not (canonical and hmac.compare_digest(tag, self._tag(query, payload))):
            raise _make_refusal()
        keys = orjson.loads(payload)
        assert isinstance(keys, list)
        return keys

    def _tag(self, query: dict[str, Any], payload: bytes) -> bytes:
        message = to_canonical_json(query) + b"\n" + payload
        # Keyed BLAKE2b is a MAC in itself, and takes half the time of an HMAC on so short a text.
        return blake2b(message, key=self._secret, digest_size=_TAG_BYTES).digest()


def _make_refusal() -> BadCursor:
    return BadCursor("cursor was not returned by this query; start again without a cursor", field="cursor")
