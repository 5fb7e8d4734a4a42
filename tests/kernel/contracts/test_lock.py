from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import Field

from sanya.kernel.calls.call import Context
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.lock import BrokenContract, ContractLock, find_publishing_problems, refuse_breaking
from sanya.kernel.contracts.shapes import Integer, Shape
from sanya.kernel.contracts.suite import Suite
from sanya.kernel.contracts.tool import Tool
from sanya.suites.tasks.dialect import DIALECT


class Question(Shape):
    limit: Annotated[Integer, Field(ge=1, le=500)] = 50
    """How many at most."""


class NarrowQuestion(Shape):
    limit: Annotated[Integer, Field(ge=1, le=200)] = 50
    """How many at most."""


class WideQuestion(Shape):
    limit: Annotated[Integer, Field(ge=1, le=500)] = 50
    """How many at most."""
    status: str | None = None
    """Only those."""


class Item(Shape):
    id: str
    """Its id."""


class Answer(Shape):
    items: list[Item]
    """What was found."""


class Undescribed(Shape):
    nested: list[Item]
    limit: int = 1
    """Described."""


async def handle(request: Shape, context: Context) -> Answer:
    return Answer(items=[])


def a_tool(name: str = "get_things", input: type[Shape] = Question, **more: Any) -> Tool:
    known: dict[str, Any] = {"title": "Things", "description": "Gives things.", "output": Answer, **more}
    return Tool(name=name, suite="things", input=input, handler=handle, dialect=DIALECT, **known)


def a_catalogue(*tools: Tool) -> Catalogue:
    return Catalogue([Suite(name="things", title="Things", dialect=DIALECT, tools=tools)])


def a_lock(*tools: Tool) -> ContractLock:
    contracts = {tool.name: tool.contract for tool in tools}
    return ContractLock({tool.name: tool.contract_hash for tool in tools}, contracts.__getitem__)


def test_code_that_is_as_published_starts_and_reads_no_contract() -> None:
    def read(name: str) -> dict[str, Any]:
        raise AssertionError("nothing changed, so nothing is read")

    tool = a_tool()
    lock = ContractLock({tool.name: tool.contract_hash}, read)
    refuse_breaking(a_catalogue(tool), lock)
    assert lock.is_current([tool])


def test_a_breaking_change_refuses_to_start_and_names_the_breach() -> None:
    with pytest.raises(BrokenContract, match=r"get_things: input\.limit maximum went from 500 to 200") as caught:
        refuse_breaking(a_catalogue(a_tool(input=NarrowQuestion)), a_lock(a_tool()))
    assert [breach.kind for breach in caught.value.breaches] == ["tightened_input_bound"]


def test_a_tool_that_is_gone_refuses_to_start() -> None:
    with pytest.raises(BrokenContract, match="get_others: the tool is gone"):
        refuse_breaking(a_catalogue(a_tool()), a_lock(a_tool(), a_tool("get_others")))


def test_additions_start_but_leave_the_lock_stale() -> None:
    lock, tools = a_lock(a_tool()), (a_tool(input=WideQuestion), a_tool("get_others"))
    refuse_breaking(a_catalogue(*tools), lock)
    assert not lock.is_current(tools)
    assert [(difference.tool, difference.kind) for difference in lock.find_differences(tools)] == [
        ("get_others", "new_tool"),
        ("get_things", "new_input_field"),
    ]


def test_a_sound_contract_may_be_published() -> None:
    assert find_publishing_problems(a_tool()) == []


def test_a_field_without_a_description_may_not_be_published() -> None:
    assert find_publishing_problems(a_tool(input=Undescribed)) == ["get_things: input.nested has no description"]


def test_a_tool_without_a_description_may_not_be_published() -> None:
    assert find_publishing_problems(a_tool(description=" ")) == ["get_things has no description"]


def test_a_reference_may_not_be_published() -> None:
    tool = a_tool()
    tool.__dict__["output_schema"] = {"type": "object", "properties": {"x": {"description": "X.", "$ref": "#/$defs/X"}}}
    assert find_publishing_problems(tool) == ["get_things: output.x has a $ref; publish it inlined"]


def test_what_is_no_json_schema_may_not_be_published() -> None:
    tool = a_tool()
    tool.__dict__["input_schema"] = {"type": "objekt"}
    assert find_publishing_problems(tool) == ["get_things: input is not a JSON Schema of draft 2020-12"]
