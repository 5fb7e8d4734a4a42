"""Holds thousands of connections to a server and opens those again that it closes. Runs as a process of its own.

`python -m tests.attacks.flood '[[port, count, payload], …]'` prints a line once every connection was tried. The payload
is what each sends after it is opened, in base64; after that it stays silent.
"""

from __future__ import annotations

import base64
import json
import resource
import selectors
import socket
import sys
import time
from collections import deque
from contextlib import suppress

PEER = "127.0.0.1"
OPENED_A_SECOND = 4_000
REOPENED_A_SECOND = 200
"""A flood that takes all the processor's time would measure the machine and not the server's limits."""

Target = tuple[int, bytes]


class Flood:
    def __init__(self, targets: list[Target]) -> None:
        self._selector = selectors.DefaultSelector()
        self._waiting = deque(targets)
        self._first = len(targets)

    def run(self) -> None:
        while True:
            started = time.monotonic()
            share = (OPENED_A_SECOND if self._first > 0 else REOPENED_A_SECOND) // 20
            for _ in range(min(share, len(self._waiting))):
                self._open(self._waiting.popleft())
                self._first -= 1
                if self._first == 0:
                    print("all tried", flush=True)
            for key, events in self._selector.select(0):
                self._serve(key, events)
            time.sleep(max(0.0, 0.05 - (time.monotonic() - started)))

    def _open(self, target: Target) -> None:
        connection = socket.socket()
        connection.setblocking(False)
        connection.bind((PEER, 0))
        with suppress(BlockingIOError):
            connection.connect((PEER, target[0]))
        self._selector.register(connection, selectors.EVENT_WRITE, target)

    def _serve(self, key: selectors.SelectorKey, events: int) -> None:
        connection = key.fileobj
        assert isinstance(connection, socket.socket)
        try:
            if events & selectors.EVENT_WRITE:
                connection.send(key.data[1])
                self._selector.modify(connection, selectors.EVENT_READ, key.data)
            elif connection.recv(65536):
                return
            else:
                raise ConnectionResetError
        except BlockingIOError:
            return
        except OSError:
            self._selector.unregister(connection)
            connection.close()
            self._waiting.append(key.data)


def main() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    floods = [[(port, base64.b64decode(payload))] * count for port, count, payload in json.loads(sys.argv[1])]
    Flood([target for group in zip_longest_lists(floods) for target in group]).run()


def zip_longest_lists(floods: list[list[Target]]) -> list[list[Target]]:
    """Take turns, so that all kinds arrive together."""
    longest = max(map(len, floods))
    return [[flood[at] for flood in floods if at < len(flood)] for at in range(longest)]


if __name__ == "__main__":
    main()
