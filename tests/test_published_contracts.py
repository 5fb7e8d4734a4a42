from __future__ import annotations

from pathlib import Path

import pytest

from sanya.kernel.calls.call import Context
from sanya.kernel.contracts.shapes import Shape
from sanya.kernel.contracts.tool import Tool
from sanya.published_contracts import BadLock, build_published_files, find_published_folder, read_lock, write_published
from sanya.suites.tasks.dialect import DIALECT


class Nothing(Shape):
    pass


async def handle(request: Nothing, context: Context) -> Nothing:
    return request


def a_tool(name: str) -> Tool:
    return Tool(
        name=name,
        suite="things",
        title="Thing",
        description="สิ่งของ",
        input=Nothing,
        output=Nothing,
        handler=handle,
        dialect=DIALECT,
    )


def publish(folder: Path, *names: str) -> list[Path]:
    return write_published(folder, build_published_files([a_tool(name) for name in names]))


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    publish(tmp_path, "tool.one", "tool.two")
    lock = read_lock(tmp_path)
    assert lock.is_current([a_tool("tool.two"), a_tool("tool.one")])
    assert lock.read("tool.one") == a_tool("tool.one").contract


def test_publishing_twice_changes_nothing(tmp_path: Path) -> None:
    assert len(publish(tmp_path, "one", "two")) == 3
    assert publish(tmp_path, "one", "two") == []


def test_the_contract_of_a_tool_that_is_gone_is_removed(tmp_path: Path) -> None:
    publish(tmp_path, "one", "two")
    publish(tmp_path, "one")
    assert sorted(path.name for path in tmp_path.rglob("*.json")) == ["lock.json", "one.json"]


def test_a_contract_edited_by_hand_is_refused(tmp_path: Path) -> None:
    publish(tmp_path, "one")
    file = tmp_path / "things" / "one.json"
    file.write_text(file.read_text("utf-8").replace("สิ่งของ", "ของ"), "utf-8")
    with pytest.raises(BadLock, match=r"contracts/things/one\.json does not match the lock"):
        read_lock(tmp_path).read("one")


@pytest.mark.parametrize(
    ("content", "says"), [(None, "is missing"), ("{", "is not JSON"), ("[]", "layout"), ('{"format": 9}', "layout")]
)
def test_a_lock_that_cannot_be_read_says_what_to_do(tmp_path: Path, content: str | None, says: str) -> None:
    if content is not None:
        (tmp_path / "lock.json").write_text(content)
    with pytest.raises(BadLock, match=rf"lock\.json.*{says}.*sanya contracts export"):
        read_lock(tmp_path)


def test_the_package_knows_its_published_contracts() -> None:
    assert (find_published_folder() / "lock.json").is_file()
