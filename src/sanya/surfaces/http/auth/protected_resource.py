"""OAuth 2.0 Protected Resource Metadata (RFC 9728): tells a client which issuer's tokens this server accepts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

WELL_KNOWN = "/.well-known/oauth-protected-resource"
ENDPOINTS = ("/mcp", "/mcp/portable")
"""Paths that a client treats as resources of their own when it was given their URL."""


class ProtectedResource:
    """Metadata of this server as a protected resource.

    `audience` is the server's public URL, as tokens name it. A token may also name an endpoint below it, because
    clients request a token for exactly the URL they were given.
    """

    def __init__(self, issuer: str, audience: str, scopes: Iterable[str]) -> None:
        self._issuer = issuer
        self._audience = audience.rstrip("/")
        self._scopes = sorted(set(scopes))
        self._is_address = urlsplit(audience).scheme in ("http", "https")

    @property
    def audiences(self) -> tuple[str, ...]:
        if not self._is_address:
            return (self._audience,)
        return tuple(dict.fromkeys((self._audience, f"{self._audience}/", *map(self._append_path, ENDPOINTS))))

    def build_metadata(self, path: str, origin: str) -> dict[str, Any] | None:
        """Build the document at WELL_KNOWN + `path`; None where there is no such resource."""
        if path and path not in ENDPOINTS:
            return None
        return {
            "resource": self._build_identifier(path, origin),
            "authorization_servers": [self._issuer],
            "scopes_supported": self._scopes,
            "bearer_methods_supported": ["header"],
            "resource_name": "Sanya",
        }

    def build_metadata_url(self, path: str, origin: str) -> str:
        """Build the URL of the metadata for a client that was refused at `path`.

        `origin`, under which the client reached us, stands in where the audience is not a URL.
        """
        public = "{0.scheme}://{0.netloc}".format(urlsplit(self._audience)) if self._is_address else origin
        return public + WELL_KNOWN + (path if path in ENDPOINTS else "")

    def _build_identifier(self, path: str, origin: str) -> str:
        return self._append_path(path) if self._is_address else origin + path

    def _append_path(self, path: str) -> str:
        return self._audience if self._audience.endswith(path) else self._audience + path
