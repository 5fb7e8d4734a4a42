"""ASGI handler that does nothing but answer: `python -m benchmarks.peers.empty_server PORT`. It shows what the HTTP
server itself costs."""

from __future__ import annotations

from benchmarks.peers.serving import serve
from sanya.surfaces.http.asgi import Receive, Scope, Send

HEADERS = [(b"content-length", b"2"), (b"content-type", b"application/json")]


async def answer(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": b"{}"})


if __name__ == "__main__":
    serve(answer)
