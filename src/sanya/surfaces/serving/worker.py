"""A worker process of a server: `python -m sanya.surfaces.serving.worker CHANNEL HTTP [GRPC]`, with descriptors.

The supervisor starts it and passes on its sockets. Use `sanya serve --workers` instead.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Sequence

from sanya.surfaces.cli.failures import run_and_explain
from sanya.surfaces.cli.home import run_on_fast_loop
from sanya.surfaces.cli.main import OK
from sanya.surfaces.http.listeners import Listeners
from sanya.surfaces.serving.home import prepare_process, serve_home
from sanya.surfaces.serving.order import WorkerOrder, receive_order


def main(arguments: Sequence[str]) -> int:
    end, *listeners = (socket.socket(fileno=int(number)) for number in arguments)
    order = receive_order(end)
    prepare_process()
    return run_and_explain(lambda: run_on_fast_loop(_serve(end, Listeners(*listeners), order)))


async def _serve(end: socket.socket, listeners: Listeners, order: WorkerOrder) -> int:
    from sanya import app
    from sanya.coordination.peers import open_peers

    async with (
        open_peers(end, order.index, order.count) as peers,
        app.open(order.home, peers=peers, **order.overrides) as home,
    ):
        await serve_home(home, listeners, announced=order.announced)
    return OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
