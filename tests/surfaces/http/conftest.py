"""Servers in this process with a demo suite whose tools end in every possible way, and an HTTP client."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import httpx
import pytest
from pydantic import Field

import sanya
from sanya.app import App
from sanya.kernel.calls.call import Context
from sanya.kernel.contracts.shapes import Integer, Shape, Text
from sanya.kernel.contracts.suite import Suite
from sanya.kernel.contracts.tool import Example, Tool
from sanya.kernel.faults import Fault, NotFound, StoreUnavailable, UpstreamFailed
from sanya.suites.herbs.dialect import DIALECT as HERBS
from sanya.suites.tasks.dialect import DIALECT as TASKS
from sanya.surfaces.http.application import Application, build_application

ADDRESS = "http://127.0.0.1:8787"
SECRET = "hunter2-never-show-this"
WAIT_S = 20.0


class SayInput(Shape):
    text: Annotated[Text, Field(max_length=2_000_000)]
    """What to say."""
    times: Annotated[Integer, Field(ge=1, le=5)] = 1
    """How often."""


class SayOutput(Shape):
    said: list[str]
    """The text, so often."""
    next_cursor: str | None = None
    """Where to go on."""


@dataclass
class DemoControl:
    """Records what the demo tools did, and lets a test pause and resume them."""

    runs: list[str] = field(default_factory=list)
    started: asyncio.Event = field(default_factory=asyncio.Event)
    resume: asyncio.Event = field(default_factory=asyncio.Event)
    stopped: asyncio.Event = field(default_factory=asyncio.Event)


def demo_suites(control: DemoControl) -> list[Suite]:
    async def say(request: SayInput, context: Context) -> SayOutput:
        control.runs.append(request.text)
        return SayOutput(said=[request.text] * request.times, next_cursor="more" if request.times > 1 else None)

    async def wait(request: SayInput, context: Context) -> SayOutput:
        control.started.set()
        try:
            await control.resume.wait()
        except asyncio.CancelledError:
            control.stopped.set()
            raise
        return SayOutput(said=[request.text])

    async def mistake(request: SayInput, context: Context) -> SayOutput:
        raise RuntimeError(f"the password is {SECRET}")

    async def lie(request: SayInput, context: Context) -> SayOutput:
        return SayOutput.model_construct(said="not a list")

    def fails_with(fault: Fault) -> Callable[[SayInput, Context], Awaitable[SayOutput]]:
        async def fail(request: SayInput, context: Context) -> SayOutput:
            raise fault

        return fail

    handlers: dict[str, Any] = {
        "demo.say": say,
        "demo.wait": wait,
        "demo.mistake": mistake,
        "demo.lie": lie,
        "demo.lost": fails_with(NotFound("no such thing")),
        "demo.upstream": fails_with(UpstreamFailed("the source is down", source="entrez")),
        "demo.store": fails_with(StoreUnavailable("the disk is full", retry_after_ms=1500)),
    }
    tools = [_tool(name, handler) for name, handler in handlers.items()]
    tools.append(_tool("demo.write", say, effect="write"))
    tools.append(_tool("demo.slow", wait, timeout_ms=20))
    herbs = _tool("other.say", say, suite="other", dialect=HERBS)
    return [
        Suite(name="demo", title="Demo", dialect=TASKS, tools=tuple(tools)),
        Suite(name="other", title="Other", dialect=HERBS, tools=(herbs,)),
    ]


def _tool(name: str, handler: Any, *, suite: str = "demo", dialect: Any = TASKS, **more: Any) -> Tool:
    return Tool(
        name=name,
        suite=suite,
        title=f"Title of {name}",
        description="For tests.",
        input=SayInput,
        output=SayOutput,
        handler=handler,
        dialect=dialect,
        examples=(Example("A word", {"text": "sawasdee"}),),
        **more,
    )


@dataclass(frozen=True)
class DemoServer:
    """An open home served in this process. `client` calls it like a program on this machine."""

    app: App
    application: Application
    control: DemoControl
    client: httpx.AsyncClient

    async def call(self, tool: str, arguments: Mapping[str, Any] | None = None, **more: Any) -> httpx.Response:
        given = {"text": "hi"} if arguments is None else dict(arguments)
        return await self.client.post(f"/tools/{tool}", json={"args": given, **more})


OpenServer = Callable[..., Awaitable[DemoServer]]


@pytest.fixture
async def open_server(home: Path, filled_home: Path) -> AsyncIterator[OpenServer]:
    """Open a home with the given settings."""
    async with AsyncExitStack() as stack:
        shutil.copytree(filled_home, home)

        async def opened(**settings: Any) -> DemoServer:
            control = DemoControl()
            app = await stack.enter_async_context(sanya.open(home, extra_suites=demo_suites(control), **settings))
            application = build_application(app)
            await stack.enter_async_context(run_lifespan(application))
            transport = httpx.ASGITransport(app=application)
            client = httpx.AsyncClient(transport=transport, base_url=ADDRESS, timeout=WAIT_S)
            await stack.enter_async_context(client)
            return DemoServer(app, application, control, client)

        yield opened


@pytest.fixture
async def server(open_server: OpenServer) -> DemoServer:
    return await open_server()


@asynccontextmanager
async def run_lifespan(application: Application) -> AsyncIterator[None]:
    """Run an application's lifespan, as an ASGI server does."""
    to_app: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    from_app: asyncio.Queue[Any] = asyncio.Queue()
    life = asyncio.create_task(application({"type": "lifespan"}, to_app.get, from_app.put))
    await to_app.put({"type": "lifespan.startup"})
    async with asyncio.timeout(WAIT_S):
        assert (await from_app.get())["type"] == "lifespan.startup.complete"
    try:
        yield
    finally:
        await to_app.put({"type": "lifespan.shutdown"})
        async with asyncio.timeout(WAIT_S):
            await life


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


class AsgiRequest:
    """A request at the ASGI level, for what an HTTP client cannot send: slow bodies, lost connections."""

    def __init__(self, path: str, headers: Sequence[tuple[bytes, bytes]] = (), method: str = "POST") -> None:
        base = [(b"host", b"127.0.0.1:8787"), (b"content-type", b"application/json")]
        self.scope: dict[str, Any] = {
            "type": "http",
            "scheme": "http",
            "method": method,
            "path": path,
            "query_string": b"",
            "headers": [*base, *headers],
        }
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sent: list[Any] = []

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    def body(self, data: bytes, *, more: bool = False) -> None:
        self.incoming.put_nowait({"type": "http.request", "body": data, "more_body": more})

    def leave(self) -> None:
        self.incoming.put_nowait({"type": "http.disconnect"})

    def start(self, application: Application) -> asyncio.Task[None]:
        return asyncio.create_task(_serve_request(application, self))

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])


async def _serve_request(application: Application, wire: AsgiRequest) -> None:
    await application(wire.scope, wire.incoming.get, wire.send)
