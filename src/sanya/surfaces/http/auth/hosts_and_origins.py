"""Host and Origin checks that keep other people's web pages away from a server on this machine.

A page can make a browser call any address. With DNS rebinding it can even do so under its own host name, so that the
same-origin policy does not protect us. But the page cannot choose the Host and Origin headers that the browser sends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address

from sanya.kernel.faults import Fault, Forbidden, InvalidArgument, Unauthorized
from sanya.surfaces.http.asgi import HeaderLines, Headers, HttpRefusal, Scope

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
WILDCARDS = ("0.0.0.0", "[::]")  # noqa: S104 - only compared with

_AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?")
_LOOPBACK_ORIGIN = re.compile(r"https?://(?:localhost|127\.0\.0\.1|\[::1\])(?::([0-9]{1,5}))?", re.IGNORECASE)
_MAX_PORT = 65535
_SHOWN_CHARS = 100
_EXPOSED = b"etag, mcp-protocol-version, mcp-session-id, retry-after, www-authenticate"

# Two readers may pick different copies of a repeated header, so these may occur only once: header to fault and status.
_SINGLE: dict[bytes, tuple[type[Fault], int]] = {
    b"host": (InvalidArgument, 400),
    b"origin": (Forbidden, 403),
    b"authorization": (Unauthorized, 401),
    b"content-type": (InvalidArgument, 400),
    b"content-length": (InvalidArgument, 400),
}


def read_headers(scope: Scope) -> Headers:
    """Map header names to values. Raises HttpRefusal for a repeated Host, Origin or other single header."""
    lines = scope["headers"]
    headers: Headers = dict(lines)
    if len(headers) != len(lines):
        for name, (fault, status) in _SINGLE.items():
            if sum(line_name == name for line_name, _ in lines) > 1:
                message = f"The header {name.decode('ascii')} was sent more than once. Send it once."
                raise HttpRefusal(fault(message), status=status)
    return headers


def format_host(host: str) -> str:
    """Format a host for a URL: IPv6 addresses get brackets."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class HostCheck:
    """Accepts the loopback names and the address served on, with the served port or none, and the hosts in `allowed`.

    An allowed host with a port must match exactly. One without a port matches any port.
    """

    def __init__(self, host: str, port: int, allowed: Iterable[str] = ()) -> None:
        own_names = {*LOOPBACK_NAMES, format_host(host.lower())}
        configured = {name.lower() for name in allowed}
        self._exact = {authority.encode("utf-8") for name in own_names for authority in (name, f"{name}:{port}")}
        self._exact |= {authority.encode("utf-8") for authority in configured}
        self._any_port = {
            name for name in configured if _AUTHORITY.fullmatch(name) and ":" not in name.rpartition("]")[2]
        }
        # A server bound to every address cannot know its own. DNS rebinding needs a name, so a literal address is safe.
        self._any_address = format_host(host) in WILDCARDS
        self._port = port

    def check(self, host: bytes | None) -> None:
        if not host:
            raise HttpRefusal(InvalidArgument("The request has no Host header. Send one."), status=400)
        if host not in self._exact and not self._is_allowed(host.decode("latin-1").lower()):
            shown = host[:_SHOWN_CHARS].decode("latin-1")
            raise HttpRefusal(
                InvalidArgument(f"Host {shown!r} is not allowed. The server's owner can add it to allowed_hosts."),
                status=421,
            )

    def _is_allowed(self, host: str) -> bool:
        parts = _AUTHORITY.fullmatch(host)
        if parts is None:
            return False
        name, port = parts.groups()
        if port is not None and int(port) > _MAX_PORT:
            return False
        if host.encode("utf-8") in self._exact or name in self._any_port:
            return True
        return self._any_address and _is_address(name) and port in (None, str(self._port))


class OriginCheck:
    """Accepts requests without an Origin (no browser sent them), loopback origins on any port, and those `allowed`."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._allowed = {origin.lower().rstrip("/").encode("utf-8") for origin in allowed}

    def check(self, origin: bytes | None) -> HeaderLines:
        """Return the CORS headers that let a page of this origin read the response; none without an Origin."""
        if origin is None:
            return ()
        if origin.lower() not in self._allowed and not _is_loopback_origin(origin):
            shown = origin[:_SHOWN_CHARS].decode("latin-1")
            raise HttpRefusal(
                Forbidden(f"Origin {shown!r} is not allowed. The server's owner can add it to allowed_origins.")
            )
        return (
            (b"access-control-allow-origin", origin),
            (b"access-control-expose-headers", _EXPOSED),
            (b"vary", b"origin"),
        )


def preflight_headers(headers: Headers) -> HeaderLines:
    """Build the CORS preflight headers. The origin has passed its check, so every requested header is allowed."""
    return (
        (b"access-control-allow-methods", b"GET, HEAD, POST, DELETE, OPTIONS"),
        (b"access-control-allow-headers", headers.get(b"access-control-request-headers", b"content-type")),
        (b"access-control-max-age", b"600"),
    )


def _is_loopback_origin(origin: bytes) -> bool:
    parts = _LOOPBACK_ORIGIN.fullmatch(origin.decode("latin-1"))
    return parts is not None and (parts[1] is None or 0 < int(parts[1]) <= _MAX_PORT)


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
