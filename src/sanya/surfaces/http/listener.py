"""Binds the listening socket before anything else starts, so that the port is known and a bind error is explained.

Workers of one server could accept from one socket that they inherit. But whichever process wakes first takes all that
wait: of 32 connections one worker got between 16 and 31. On Linux each worker therefore listens on a socket of its own
under the same address (SO_REUSEPORT), and the kernel spreads new connections over them by a hash of their addresses.
The supervisor holds the address with a socket that does not listen. It is bound alone and shared only afterwards, so a
second server on the same port is refused as usual.
"""

from __future__ import annotations

import errno
import os
import socket
import sys
from typing import Any, Protocol

from sanya.settings import BadSetting
from sanya.surfaces.http.auth.hosts_and_origins import format_host

BACKLOG = 4096
Listener = socket.socket
_SPREADS_CONNECTIONS = sys.platform == "linux"
"""Other systems have the option as well, but give all connections to the newest socket."""


class CannotServe(BadSetting):
    """The server cannot start with these settings; the message says why and what to do."""


class Bind(Protocol):
    def __call__(self, host: str, port: int, *, setting: str = "port") -> Listener: ...


def bind(host: str, port: int, *, setting: str = "port") -> Listener:
    """Bind and listen. `setting` names the setting that holds the port; error messages mention it."""
    return _bind(host, port, setting, listens=True)


def reserve(host: str, port: int, *, setting: str = "port") -> Listener:
    """Bind for several workers, which get their sockets from `join`."""
    if not _SPREADS_CONNECTIONS:
        return bind(host, port, setting=setting)
    holder = _bind(host, port, setting, listens=False)
    # Without the first option another server could bind the address while no worker listens yet.
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    return holder


def join(holder: Listener) -> Listener:
    """Return a socket on a reserved address for one more worker. It listens once the worker serves."""
    if not _SPREADS_CONNECTIONS:
        return holder.dup()
    joined = socket.socket(holder.family, socket.SOCK_STREAM)
    try:
        joined.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        _bind_alone(joined, holder.getsockname())
    except BaseException:
        joined.close()
        raise
    return joined


def _bind(host: str, port: int, setting: str, *, listens: bool) -> Listener:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        try:
            _bind_alone(listener, (str(address[0]), port))
            if listens:
                listener.listen(BACKLOG)
        except BaseException:
            listener.close()
            raise
    except (OSError, UnicodeError) as error:
        raise CannotServe(_explain_bind_error(error, host, port, setting)) from None
    return listener


def _bind_alone(listener: Listener, address: tuple[Any, ...]) -> None:
    """Bind as `socket.create_server` does: past connections of an earlier server, and on IPv6 for IPv6 alone."""
    if os.name == "posix":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if listener.family == socket.AF_INET6:
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    listener.bind(address)


def _explain_bind_error(error: Exception, host: str, port: int, setting: str) -> str:
    option = "--" + setting.replace("_", "-")
    place = f"{format_host(host)}:{port}"
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return f"{place} is in use. Is Sanya running already? Choose another port ({option}), or 0 for a free one."
    if isinstance(error, OSError) and error.errno == errno.EACCES:
        return f"This user may not bind {place}; ports below 1024 need privileges. Choose another port ({option})."
    reason = getattr(error, "strerror", None) or error
    return f"Cannot bind {place}: {reason}. Check the settings host and {setting}."
