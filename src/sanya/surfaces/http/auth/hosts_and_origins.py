"""Who may knock: the Host and Origin checks that keep other people's web pages out of a server on this machine.

A page can make a browser call any address, and by DNS rebinding under a name of its own. It cannot choose the Host
that the browser sends, nor its Origin.
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

# Headers that mean nothing when they come twice, and how that is refused.
_SINGLE: dict[bytes, tuple[type[Fault], int]] = {
    b"host": (InvalidArgument, 400),
    b"origin": (Forbidden, 403),
    b"authorization": (Unauthorized, 401),
    b"content-type": (InvalidArgument, 400),
    b"content-length": (InvalidArgument, 400),
}


def read_headers(scope: Scope) -> Headers:
    """The headers by name. Refuses a second Host, Origin or the like, since two readers could take different ones."""
    lines = scope["headers"]
    headers: Headers = dict(lines)
    if len(headers) != len(lines):
        for name, (fault, status) in _SINGLE.items():
            if sum(one == name for one, _ in lines) > 1:
                raise HttpRefusal(fault(f"the header {name.decode('ascii')} was sent twice"), status=status)
    return headers


def format_host(host: str) -> str:
    """A host as it stands in a URL."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class HostCheck:
    """Takes the loopback names and the address served on, with the port served on or none, and what the owner allows:
    a name with a port is taken as it stands, one without a port with any."""

    def __init__(self, host: str, port: int, allowed: Iterable[str] = ()) -> None:
        own = {*LOOPBACK_NAMES, format_host(host.lower())}
        given = {one.lower() for one in allowed}
        self._exact = {one.encode("utf-8") for name in own for one in (name, f"{name}:{port}")}
        self._exact |= {one.encode("utf-8") for one in given}
        self._any_port = {one for one in given if _AUTHORITY.fullmatch(one) and ":" not in one.rpartition("]")[2]}
        # Serving on every address, we cannot know ours; a literal address cannot be rebound, so any will do.
        self._any_address = format_host(host) in WILDCARDS
        self._port = port

    def check(self, host: bytes | None) -> None:
        if not host:
            raise HttpRefusal(InvalidArgument("the request has no Host header"), status=400)
        if host not in self._exact and not self._is_allowed(host.decode("latin-1").lower()):
            shown = host[:_SHOWN_CHARS].decode("latin-1")
            raise HttpRefusal(
                InvalidArgument(f"this server is not {shown!r}; its owner can add that name to allowed_hosts"),
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
    """Takes requests without an Origin (no browser sent them), loopback origins on any port, and those allowed."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._allowed = {one.lower().rstrip("/").encode("utf-8") for one in allowed}

    def check(self, origin: bytes | None) -> HeaderLines:
        """The headers that let the page of this origin read the answer; none where there is no page."""
        if origin is None:
            return ()
        if origin.lower() not in self._allowed and not _is_loopback_origin(origin):
            shown = origin[:_SHOWN_CHARS].decode("latin-1")
            raise HttpRefusal(
                Forbidden(f"pages of {shown!r} may not call this server; its owner can add it to allowed_origins")
            )
        return (
            (b"access-control-allow-origin", origin),
            (b"access-control-expose-headers", _EXPOSED),
            (b"vary", b"origin"),
        )


def preflight_headers(headers: Headers) -> HeaderLines:
    """The answer to a browser that asks before it calls. The origin has passed, so it may send what it wants to."""
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
