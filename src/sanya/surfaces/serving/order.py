"""The first line from the supervisor to a worker: which home to serve, with which settings, and as which worker."""

from __future__ import annotations

import socket
from dataclasses import asdict, dataclass
from typing import Any

import orjson

_MAX_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class WorkerOrder:
    home: str | None
    overrides: dict[str, Any]
    """Settings given on the command line."""
    index: int
    count: int
    announced: bool
    """Whether this worker tells the person at the terminal, or the log, where the server is."""

    def send(self, end: socket.socket) -> None:
        end.sendall(orjson.dumps(asdict(self)) + b"\n")


def receive_order(end: socket.socket) -> WorkerOrder:
    """Read the order and nothing behind it: what follows is for the channel."""
    line = bytearray()
    while not line.endswith(b"\n"):
        piece = end.recv(1)
        if not piece or len(line) > _MAX_BYTES:
            raise ConnectionError("The supervisor ended before it said what to serve.")
        line += piece
    return WorkerOrder(**orjson.loads(line))
