"""A small suite: a tool that reads, one that writes and one that needs no engine, each with a short time limit."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sanya.kernel.calls.call import Context
from sanya.kernel.contracts.shapes import Integer, Shape, Text
from sanya.kernel.contracts.suite import Suite
from sanya.kernel.contracts.tool import Example, Tool
from sanya.kernel.storage.database import Database
from sanya.suites.tasks.dialect import DIALECT

TIME_MS = 1500


class Errand(Shape):
    name: Annotated[Text, Field(max_length=100)]
    """What it is about."""


class Done(Shape):
    count: Integer
    """How often it was done."""


class Errands:
    def __init__(self) -> None:
        self.database: Database | None = None

    @property
    def _database(self) -> Database:
        assert self.database is not None
        return self.database

    async def read(self, errand: Errand, context: Context) -> Done:
        del context
        return Done(count=await self._count(errand.name))

    async def write(self, errand: Errand, context: Context) -> Done:
        del context
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "INSERT INTO revisions (suite, revision) VALUES (?, 1) "
                "ON CONFLICT (suite) DO UPDATE SET revision = revisions.revision + 1",
                (f"errand {errand.name}",),
            )
        return Done(count=await self._count(errand.name))

    async def idle(self, errand: Errand, context: Context) -> Done:
        del errand, context
        return Done(count=0)

    async def _count(self, name: str) -> int:
        rows = await self._database.fetch("SELECT revision FROM revisions WHERE suite = ?", (f"errand {name}",))
        return int(str(rows[0][0])) if rows else 0

    def suite(self) -> Suite:
        tools = (self._tool("read"), self._tool("idle"), self._tool("write"))
        return Suite(name="errands", title="Errands", dialect=DIALECT, tools=tools)

    def _tool(self, name: str) -> Tool:
        return Tool(
            name=f"errand.{name}",
            suite="errands",
            title=name.title(),
            description="For tests.",
            input=Errand,
            output=Done,
            handler=getattr(self, name),
            dialect=DIALECT,
            effect="write" if name == "write" else "read",
            timeout_ms=TIME_MS,
            examples=(Example("One", {"name": "one"}),),
        )
