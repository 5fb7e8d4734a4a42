"""Embeds large batches with the packaged models in a process of their own, so that a server stays responsive.

Threads that embed share the interpreter with the event loop, and even where they release its lock for every product of
matrices the loop waits for it again and again: the median `get_tasks` took twice as long while a server embedded
papers (`benchmarks/busy_server.py`). The process holds a copy of the models, so it ends when nothing was embedded for
a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence

import numpy as np
import orjson

from sanya.engines.embedders.local import LocalEmbedder, replace_surrogates
from sanya.retrieval.embedding import Matrix, Model

_log = logging.getLogger(__name__)
_IDLE_S = 60.0
_PROGRAM = "sanya.engines.embedders.background"
_MIN_TEXTS = 32
"""Fewer texts are embedded by threads of the server: they take less time than the process needs to start."""


class EmbeddingProcess:
    """The process. It starts with the first batch, embeds one batch at a time, and ends by itself when its input is
    closed, so it does not outlive a server that was killed."""

    def __init__(self, idle_s: float = _IDLE_S) -> None:
        self._idle_s = idle_s
        self._turn = asyncio.Lock()
        self._process: Process | None = None
        self._end_timer: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[tuple[bytes, bytes]] | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    async def embed(self, space: str, texts: Sequence[str], dim: int) -> Matrix:
        """Return the vectors of the texts. Raises OSError or EOFError if the process cannot start or has ended."""
        async with self._turn:
            self._stop_timer()
            try:
                if self._process is None:
                    self._process = await _start()
                rows = await _exchange(self._process, space, texts, dim)
            except BaseException:
                # An answer that nobody read would be taken for that to the next batch.
                await self._kill()
                raise
            self._end_timer = asyncio.get_running_loop().call_later(self._idle_s, self._end)
            return rows

    async def close(self) -> None:
        self._stop_timer()
        await self._kill()
        if self._ending is not None:
            await self._ending

    def _stop_timer(self) -> None:
        if self._end_timer is not None:
            self._end_timer.cancel()
            self._end_timer = None

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            process.stdin.close()
            self._ending = asyncio.create_task(process.communicate())

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.communicate()  # drains the pipe: a full one would hide the end of the process


class BackgroundEmbedder:
    """Embeds a few texts with threads, and many in the process."""

    def __init__(self, inner: LocalEmbedder, space: str, process: EmbeddingProcess) -> None:
        self._inner = inner
        self._space = space
        self._process = process

    @property
    def model(self) -> Model:
        return self._inner.model

    async def embed(self, texts: Sequence[str]) -> Matrix:
        if len(texts) < _MIN_TEXTS:
            return await self._inner.embed(texts)
        try:
            return await self._process.embed(self._space, texts, self.model.dim)
        except (OSError, EOFError) as problem:
            _log.warning("the embedding process failed (%s); the server itself embeds this batch", problem)
            return await self._inner.embed(texts)


async def _start() -> Process:
    # In the session of the server: Linux may weigh priorities only within a session (autogroup).
    return await asyncio.create_subprocess_exec(sys.executable, "-m", _PROGRAM, stdin=PIPE, stdout=PIPE)


async def _exchange(process: Process, space: str, texts: Sequence[str], dim: int) -> Matrix:
    if process.stdin is None or process.stdout is None:
        raise BrokenPipeError("the embedding process has no pipes")
    process.stdin.write(orjson.dumps([space, list(map(replace_surrogates, texts))]) + b"\n")
    await process.stdin.drain()
    content = await process.stdout.readexactly(len(texts) * dim * np.dtype(np.float32).itemsize)
    return np.frombuffer(content, dtype=np.float32).reshape(len(texts), dim).copy()


def main() -> None:
    """Answer each line of input, a vector space and texts, with the bytes of their vectors."""
    from sanya.engines.embedders.offline import create_offline_embedders

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C also reaches the server, which ends this process
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get among the vectors
    embedders = create_offline_embedders()
    for line in sys.stdin.buffer:
        space, texts = orjson.loads(line)
        try:
            answers.write(asyncio.run(embedders[space].embed(texts)).tobytes())
            answers.flush()
        except BrokenPipeError:  # the server is gone
            os._exit(0)


if __name__ == "__main__":
    main()
