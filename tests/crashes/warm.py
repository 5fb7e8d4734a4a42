"""A process that has loaded everything and opened nothing. For each order it reads, it forks a child, which writes
until it is killed. It reports the child's start, everything that was acknowledged, and its end."""

from __future__ import annotations

import asyncio
import os
import pkgutil
import sys
import traceback
from importlib import import_module
from itertools import count
from time import monotonic
from typing import Any

import orjson

import sanya
from sanya import App
from sanya.kernel.faults import DeadlineExceeded, StoreUnavailable, Unavailable
from sanya.retrieval.lexicon import load_general_lexicon
from sanya.text.segmentation import get_default_segmenter
from tests.crashes.ground import Ground, WritePath
from tests.crashes.paths import FIRST_CALLS, PATHS

_UNUSED = ("surfaces", "weaviate", "telemetry", "huggingface", "fastembed", "redis", "parity", "documents.child")
_PAUSE_S = 0.05
_WAYS: dict[str, WritePath] = {**PATHS, FIRST_CALLS.name: FIRST_CALLS}


def load() -> None:
    for module in pkgutil.walk_packages(sanya.__path__, "sanya."):
        if not any(name in module.name for name in _UNUSED):
            import_module(module.name)
    get_default_segmenter()
    load_general_lexicon()


def say(**told: Any) -> None:
    """Write one short line, which a pipe takes completely or not at all."""
    os.write(1, orjson.dumps(told) + b"\n")


async def write_until_killed(ground: Ground, names: list[str], first: int) -> None:
    async with ground.open_home() as app:
        say(word="opened")
        await asyncio.gather(*(_keep_writing(app, ground, _WAYS[name], first) for name in names))


async def _keep_writing(app: App, ground: Ground, path: WritePath, first: int) -> None:
    for number in count(first):
        try:
            async for fact in path.write(app, ground, number):
                say(word="done", at=monotonic(), path=path.name, fact={"number": number, **fact})
        except (StoreUnavailable, Unavailable, DeadlineExceeded):  # the engine is away; nothing was acknowledged
            await asyncio.sleep(_PAUSE_S)


def main() -> None:
    load()
    say(word="ready")
    for line in sys.stdin:
        order = orjson.loads(line)
        child = os.fork()
        if child == 0:
            try:
                asyncio.run(write_until_killed(Ground(**order["ground"]), order["paths"], order["first"]))
            except BaseException:  # any error: a writer never ends by itself, so the test fails and shows it
                traceback.print_exc()
            finally:
                os._exit(1)
        say(word="begun", pid=child)
        say(word="ended", status=os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


if __name__ == "__main__":
    main()
