"""A kernel with a ledger in memory and a small suite, so that the path of a call is tested alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any

import pytest
from pydantic import Field

from sanya.kernel.calls.call import Context, Progress
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.limits import LocalRateLimiter
from sanya.kernel.calls.requests import RequestWindow
from sanya.kernel.contracts.shapes import Integer, Shape, Text
from sanya.kernel.contracts.suite import Content, Resource, Suite
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import NotFound, StoreUnavailable
from sanya.kernel.ledger.chain import GENESIS, CitedPaper, Ledger, LedgerEntry, LedgerLink, StoredAnswer, hash_link
from sanya.suites.herbs.dialect import DIALECT as HERBS
from sanya.suites.tasks.dialect import DIALECT as TASKS


@dataclass
class InMemoryLedgerStore:
    """The ledger's port on a list; `failing` makes every append fail."""

    rows: list[LedgerLink] = field(default_factory=list)
    answers: dict[tuple[str, str], StoredAnswer] = field(default_factory=dict)
    cited: list[CitedPaper] = field(default_factory=list)
    failing: bool = False

    async def append(
        self, entries: Sequence[LedgerEntry], answers: Sequence[StoredAnswer], cited: Sequence[CitedPaper] = ()
    ) -> None:
        if self.failing:
            raise StoreUnavailable("no space left")
        for entry in entries:
            seq, prev = await self.read_head("main")
            self.rows.append(
                LedgerLink("main", seq + 1, entry, "code", 0, prev, hash_link(prev, seq + 1, entry, "code", 0))
            )
        self.cited += cited
        self.answers.update({(answer.caller, answer.request_id): answer for answer in answers})

    async def find_answer(self, caller: str, request_id: str) -> StoredAnswer | None:
        return self.answers.get((caller, request_id))

    async def read_links(self, chain: str, *, after: int = 0, tool: str | None = None) -> AsyncIterator[LedgerLink]:
        for row in self.rows:
            if row.seq > after and tool in (None, row.entry.tool):
                yield row

    async def read_head(self, chain: str) -> tuple[int, str]:
        return (self.rows[-1].seq, self.rows[-1].row_hash) if self.rows else (0, GENESIS)

    async def list_chains(self) -> set[str]:
        return {row.chain for row in self.rows}


class EchoInput(Shape):
    text: Annotated[Text, Field(max_length=20)]
    """What to say."""
    times: Annotated[Integer, Field(ge=1, le=5)] = 1
    """How often."""
    secret: Text | None = None
    """Never kept."""


class EchoOutput(Shape):
    said: list[str]
    """The text, so often."""
    made_at: str | None = None
    """When."""


@dataclass
class House:
    """The parts of the kernel that tests inspect."""

    kernel: Kernel
    ledger: Ledger
    store: InMemoryLedgerStore
    runs: list[str]
    seen: list[Progress]
    started: asyncio.Event

    async def rows(self) -> list[LedgerEntry]:
        await self.ledger.flush()
        return [row.entry for row in self.store.rows]


Behaviour = Callable[[EchoInput, Context], Any]
NOW = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)


def _tools(runs: list[str], started: asyncio.Event) -> dict[str, Behaviour]:
    async def echo(request: EchoInput, context: Context) -> EchoOutput:
        runs.append(request.text)
        context.progress(Progress(1, 1, "said"))
        return EchoOutput(said=[request.text] * request.times, made_at=context.now.isoformat())

    async def fail(request: EchoInput, context: Context) -> EchoOutput:
        raise RuntimeError("the password is hunter2")

    async def lose(request: EchoInput, context: Context) -> EchoOutput:
        raise NotFound(f"no {request.text}")

    async def lie(request: EchoInput, context: Context) -> EchoOutput:
        return EchoOutput.model_construct(said="not a list")

    async def wait(request: EchoInput, context: Context) -> EchoOutput:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            runs.append("stopped")
            raise
        return EchoOutput(said=[])

    return {"demo.echo": echo, "demo.fail": fail, "demo.lose": lose, "demo.lie": lie, "demo.wait": wait}


async def _read(parts: Any, context: Context) -> Content:
    if parts["id"] == "none":
        raise NotFound("no such thing")
    return Content(data={"id": parts["id"]})


def _suite(runs: list[str], started: asyncio.Event) -> list[Suite]:
    made = []
    for name, handler in _tools(runs, started).items():
        made.append(_tool(name, "demo", handler))
    made.append(_tool("demo.write", "demo", _tools(runs, started)["demo.echo"], effect="write"))
    resource = Resource(
        uri="demo://thing/{id}", suite="demo", name="thing", title="Thing", description="A thing", read=_read
    )
    stamped = Tool(**{**vars(_tool("stamped.echo", "stamped", made[0].handler)), "dialect": HERBS})
    return [
        Suite(name="demo", title="Demo", dialect=TASKS, tools=tuple(made), resources=(resource,)),
        Suite(name="stamped", title="Stamped", dialect=HERBS, tools=(stamped,)),
    ]


def _tool(name: str, suite: str, handler: Behaviour, effect: Any = "read") -> Tool:
    return Tool(
        name=name,
        suite=suite,
        title=name,
        description="For tests.",
        input=EchoInput,
        output=EchoOutput,
        handler=handler,
        dialect=TASKS,
        effect=effect,
        timeout_ms=5_000,
        unhashed=("made_at",),
        redacted=("secret",),
    )


@pytest.fixture
async def house() -> AsyncIterator[House]:
    runs: list[str] = []
    started = asyncio.Event()
    store = InMemoryLedgerStore()
    ledger = Ledger(store, group_ms=1)
    kernel = Kernel(
        _suite(runs, started), ledger=ledger, limiter=LocalRateLimiter(), window=RequestWindow(), clock=lambda: NOW
    )
    ledger.start()
    yield House(kernel, ledger, store, runs, [], started)
    store.failing = False
    await ledger.close()
