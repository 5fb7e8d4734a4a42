"""Binds the listening socket before anything else starts, so that the port is known and a bind error is explained."""

from __future__ import annotations

import errno
import socket

from sanya.settings import BadSetting
from sanya.surfaces.http.auth.hosts_and_origins import format_host

BACKLOG = 4096
Listener = socket.socket


class CannotServe(BadSetting):
    """The server cannot start with these settings; the message says why and what to do."""


def bind(host: str, port: int, *, setting: str = "port") -> Listener:
    """Bind and listen. `setting` names the setting that holds the port; error messages mention it."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server((str(address[0]), port), family=family, backlog=BACKLOG)
    except (OSError, UnicodeError) as error:
        raise CannotServe(_explain_bind_error(error, host, port, setting)) from None


def _explain_bind_error(error: Exception, host: str, port: int, setting: str) -> str:
    option = "--" + setting.replace("_", "-")
    place = f"{format_host(host)}:{port}"
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return f"{place} is in use. Is Sanya running already? Choose another port ({option}), or 0 for a free one."
    if isinstance(error, OSError) and error.errno == errno.EACCES:
        return f"This user may not bind {place}; ports below 1024 need privileges. Choose another port ({option})."
    reason = getattr(error, "strerror", None) or error
    return f"Cannot bind {place}: {reason}. Check the settings host and {setting}."
