"""Faults of the stand-in: a method fails, hangs or disconnects, before or after it did its work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import grpc

from tests.engines.index.weaviate_server.held import Refused

Kind = Literal["unavailable", "internal", "hangs", "works"]
Abort = Callable[[Any, str], Awaitable[Any]]


class Misbehaviour:
    """Faults by method: the name of a gRPC method, or `GET /v1/…` for REST."""

    def __init__(self) -> None:
        self._before: dict[str, list[Kind]] = {}
        self._after: dict[str, list[Kind]] = {}
        self.hanging = asyncio.Event()
        self.refuses: Callable[[str], bool] = lambda _: False

    def fail_next(self, method: str, kind: Kind, *, times: int = 1, after: bool = False, skip: int = 0) -> None:
        """Make the next calls of a method fail, except the first `skip`. With `after` their work is done and only the
        answer is lost."""
        queue = (self._after if after else self._before).setdefault(method, [])
        queue.extend(["works"] * skip)
        queue.extend([kind] * times)

    def stop(self) -> None:
        self.__init__()  # type: ignore[misc]

    def refuse_object(self, uuid: str) -> None:
        if self.refuses(uuid):
            raise Refused("this object is refused")

    async def run_before(self, method: str, abort: Abort) -> None:
        await self._fail(self._before.get(method), abort)

    async def run_after(self, method: str, abort: Abort) -> None:
        await self._fail(self._after.get(method), abort)

    async def _fail(self, kinds: list[Kind] | None, abort: Abort) -> None:
        if not kinds:
            return
        match kinds.pop(0):
            case "unavailable":
                await abort(grpc.StatusCode.UNAVAILABLE, "the stand-in is told to be unavailable")
            case "internal":
                await abort(grpc.StatusCode.INTERNAL, "the stand-in is told to fail")
            case "hangs":
                self.hanging.set()
                await asyncio.Event().wait()
