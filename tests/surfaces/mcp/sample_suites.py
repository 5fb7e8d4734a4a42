"""Sample suites in three dialects, on a kernel with a real ledger."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from sanya.engines.database import open_database
from sanya.engines.ledger import SqlLedgerStore
from sanya.kernel.calls.call import Caller, Context, Progress
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.limits import LocalRateLimiter
from sanya.kernel.calls.requests import RequestWindow
from sanya.kernel.contracts.shapes import Integer, Shape, Text
from sanya.kernel.contracts.suite import Content, Prompt, PromptArgument, Resource, Suite
from sanya.kernel.contracts.tool import Handler, Tool
from sanya.kernel.faults import NotFound
from sanya.kernel.ledger.chain import Ledger, LedgerEntry
from sanya.suites.funds.dialect import DIALECT as FUNDS
from sanya.suites.herbs.dialect import DIALECT as HERBS
from sanya.suites.tasks.dialect import DIALECT as TASKS

SECRET = "the password is hunter2"
ITEMS = ["hammer", "handsaw", "ค้อน", "nail"]


class Nothing(Shape):
    """No arguments."""


class EchoInput(Shape):
    text: Annotated[Text, Field(max_length=200)]
    """What to say."""
    times: Annotated[Integer, Field(ge=1, le=5)] = 1
    """How often."""
    price: float | None = None
    """A number with a fraction."""


class EchoOutput(Shape):
    said: list[str]
    """The text, so often."""
    price: float | None
    """The number as it was understood."""


class RegionInput(Shape):
    region: Annotated[Text, Field(json_schema_extra={"x-mcp-header": "Region"})]
    """Mirrored in a header, for those who route by it."""


class NoteInput(Shape):
    text: Text
    """What to remember."""


class NoteOutput(Shape):
    count: int
    """How many notes there are now."""


class StepsInput(Shape):
    steps: Annotated[Integer, Field(ge=0, le=1000)] = 3
    """How many steps to report."""
    seconds: Annotated[float, Field(ge=0, le=60)] = 0.0
    """How long to be silent after them."""


class PageInput(Shape):
    limit: Annotated[Integer, Field(ge=1, le=100_000)] = 10
    """How many lines."""


class PageOutput(Shape):
    items: list[str]
    """The lines."""
    next_cursor: str | None
    """Where to go on."""


class Part(Shape):
    name: Text
    """What it is called."""
    size: Integer | None = None
    """How large, in millimetres."""


class OrderInput(Shape):
    part: Part
    """The part wanted."""
    tags: list[Text] = Field(default_factory=list)
    """Words to find the order by."""
    note: Text = ""
    """Anything else, as plain text."""


class OrderOutput(Shape):
    part: Part
    """The part."""
    tags: list[str]
    """The words."""
    note: str
    """The text as it came."""


class FairOutput(Shape):
    """The three parts of a funds body."""

    content: list[dict[Literal["type", "text"], str]]
    structuredContent: PageOutput  # noqa: N815 - the contract's own spelling
    meta: dict[str, str] = Field(alias="_meta")


@dataclass
class HandlerEvents:
    """Records what the handlers did, in order, and lets a test resume those that wait."""

    events: list[str] = field(default_factory=list)
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    stopped: asyncio.Event = field(default_factory=asyncio.Event)
    resume: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(kw_only=True)
class SampleKernel(HandlerEvents):
    store: SqlLedgerStore
    ledger: Ledger
    kernel: Kernel = field(init=False)

    def __post_init__(self) -> None:
        self.kernel = Kernel(
            build_suites(self), ledger=self.ledger, limiter=LocalRateLimiter(), window=RequestWindow(window_s=600)
        )

    async def read_rows(self) -> list[LedgerEntry]:
        await self.ledger.flush()
        return [link.entry async for link in self.store.read_links("main")]


@asynccontextmanager
async def open_sample_kernel(home: Path) -> AsyncIterator[SampleKernel]:
    async with open_database("", home) as database:
        store = SqlLedgerStore(database, code_hash=lambda: "test")
        ledger = Ledger(store, group_ms=1)
        ledger.start()
        try:
            yield SampleKernel(store=store, ledger=ledger)
        finally:
            await ledger.close()


def build_suites(shop: HandlerEvents) -> list[Suite]:
    return [
        Suite(
            name="shop",
            title="Shop",
            dialect=TASKS,
            tools=_shop_tools(shop),
            resources=_resources(),
            prompts=_prompts(),
        ),
        Suite(
            name="garden",
            title="Garden",
            dialect=HERBS,
            tools=(_tool("garden.leaf", EchoInput, EchoOutput, _echo, dialect=HERBS),),
        ),
        Suite(
            name="fair",
            title="Fair",
            dialect=FUNDS,
            tools=(_tool("fair_price", PageInput, FairOutput, _price, dialect=FUNDS),),
        ),
    ]


def _shop_tools(shop: HandlerEvents) -> tuple[Tool, ...]:
    async def note(request: NoteInput, context: Context) -> NoteOutput:
        shop.events.append(f"noted {request.text}")
        return NoteOutput(count=len(shop.events))

    async def wait(request: Nothing, context: Context) -> EchoOutput:
        shop.events.append("waiting")
        shop.waiting.set()
        try:
            await shop.resume.wait()
        except asyncio.CancelledError:
            shop.events.append("stopped")
            shop.stopped.set()
            raise
        return EchoOutput(said=["at last"], price=None)

    async def events(request: Nothing, context: Context) -> PageOutput:
        return PageOutput(items=list(shop.events), next_cursor=None)

    return (
        _tool("shop.echo", EchoInput, EchoOutput, _echo),
        _tool("shop.note", NoteInput, NoteOutput, note, effect="write"),
        _tool("shop.wait", Nothing, EchoOutput, wait),
        _tool("shop.events", Nothing, PageOutput, events),
        _tool("shop.steps", StepsInput, EchoOutput, _steps),
        _tool("shop.page", PageInput, PageOutput, _page),
        _tool("shop.order", OrderInput, OrderOutput, _order),
        _tool("shop.fail", Nothing, EchoOutput, _fail),
        _tool("shop.lose", EchoInput, EchoOutput, _lose),
        _tool("shop.region", RegionInput, EchoOutput, _region),
        _tool("shop.print", EchoInput, EchoOutput, _print),
        _tool("shop.block", StepsInput, EchoOutput, _block),
    )


async def _echo(request: EchoInput, context: Context) -> EchoOutput:
    return EchoOutput(said=[request.text] * request.times, price=request.price)


async def _steps(request: StepsInput, context: Context) -> EchoOutput:
    for step in range(1, request.steps + 1):
        context.progress(Progress(step, request.steps, f"step {step}"))
    await asyncio.sleep(request.seconds)
    return EchoOutput(said=["done"], price=None)


async def _block(request: StepsInput, context: Context) -> EchoOutput:
    time.sleep(request.seconds)  # noqa: ASYNC251 - what a handler must not do
    return EchoOutput(said=["done"], price=None)


async def _page(request: PageInput, context: Context) -> PageOutput:
    lines = [f"line {number:05} of the page, in Thai: บรรทัด" for number in range(request.limit)]
    return PageOutput(items=lines, next_cursor="more" if request.limit > 1 else None)


async def _order(request: OrderInput, context: Context) -> OrderOutput:
    return OrderOutput(part=request.part, tags=request.tags, note=request.note)


async def _fail(request: Nothing, context: Context) -> EchoOutput:
    raise RuntimeError(SECRET)


async def _lose(request: EchoInput, context: Context) -> EchoOutput:
    raise NotFound(f"there is no {request.text}")


async def _region(request: RegionInput, context: Context) -> EchoOutput:
    return EchoOutput(said=[request.region], price=None)


async def _print(request: EchoInput, context: Context) -> EchoOutput:
    """Write to stdout and read from stdin, which a handler must not do."""
    os.write(1, request.text.encode() + b"\n")
    return EchoOutput(said=[os.read(0, 10).decode()], price=None)


async def _price(request: PageInput, context: Context) -> FairOutput:
    page = await _page(request, context)
    sentence = f"{len(page.items)} lines"
    return FairOutput(content=[{"type": "text", "text": sentence}], structuredContent=page, _meta={"lang": "en"})


def _tool(name: str, input: type[Shape], output: type[Shape], handler: Handler, **more: Any) -> Tool:
    about: dict[str, Any] = {"suite": name.split(".")[0].split("_")[0], "title": name.title(), "dialect": TASKS}
    described = f"Does what {name} says."
    return Tool(name=name, description=described, input=input, output=output, handler=handler, **{**about, **more})


async def _read_item(parts: Mapping[str, str], context: Context) -> Content:
    if parts["name"] not in ITEMS:
        raise NotFound(f"there is no item {parts['name']}")
    return Content(data={"name": parts["name"], "price": None})


async def _read_sign(parts: Mapping[str, str], context: Context) -> Content:
    return Content(text="ร้านเปิด", mime_type="text/plain")


async def _read_app(parts: Mapping[str, str], context: Context) -> Content:
    return Content(text="<!doctype html>", mime_type="text/html;profile=mcp-app")


async def _read_broken(parts: Mapping[str, str], context: Context) -> Content:
    raise RuntimeError(SECRET)


async def _complete_item(begun: str, others: Mapping[str, str], caller: Caller) -> list[str]:
    return [item for item in ITEMS if item.startswith(begun)]


async def _complete_many(begun: str, others: Mapping[str, str], caller: Caller) -> list[str]:
    return [f"{begun}{number}" for number in range(150)]


async def _complete_badly(begun: str, others: Mapping[str, str], caller: Caller) -> list[str]:
    raise RuntimeError(SECRET)


def _resources() -> tuple[Resource, ...]:
    return (
        _resource("shop://sign", "sign", _read_sign, mime_type="text/plain"),
        _resource("shop://item/{name}", "item", _read_item, complete={"name": _complete_item}),
        _resource("shop://broken", "broken", _read_broken),
        _resource(
            "ui://shop/app",
            "app",
            _read_app,
            mime_type="text/html;profile=mcp-app",
            meta={"ui": {"prefersBorder": True}},
        ),
    )


def _resource(uri: str, name: str, read: Any, **more: Any) -> Resource:
    return Resource(uri=uri, suite="shop", name=name, title=name.title(), description=f"The {name}.", read=read, **more)


def _prompts() -> tuple[Prompt, ...]:
    def greet(given: Mapping[str, str]) -> str:
        return f"Greet {given['name']}, in a {given.get('mood', 'plain')} way."

    def fail(given: Mapping[str, str]) -> str:
        raise RuntimeError(SECRET)

    arguments = (
        PromptArgument("name", "Whom to greet.", required=True, complete=_complete_many),
        PromptArgument("mood", "How.", complete=_complete_badly),
    )
    return (
        Prompt(name="greet", suite="shop", title="Greet", description="Greets.", arguments=arguments, render=greet),
        Prompt(name="broken", suite="shop", title="Broken", description="Fails.", arguments=(), render=fail),
    )
