from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sanya
from sanya.settings import BadSetting


async def test_a_file_of_further_names_is_read(home: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Sanya Disease|sanyaitis\n", encoding="utf-8")
    async with sanya.open(home, papers_synonyms=str(names)) as app:
        assert app.kernel.catalogue.find_tool("rag.search") is not None


@pytest.mark.parametrize(
    ("setting", "value", "says"),
    [
        ("papers_synonyms", "nowhere.txt", "papers_synonyms: nowhere.txt cannot be read"),
        ("papers_uuid_namespace", "papers", "papers_uuid_namespace takes a UUID"),
    ],
)
async def test_a_setting_that_cannot_be_used_is_named(home: Path, setting: str, value: str, says: str) -> None:
    overrides: dict[str, Any] = {setting: value}
    with pytest.raises(BadSetting, match=says):
        async with sanya.open(home, **overrides):
            pass


async def test_a_line_that_names_one_thing_once_is_named_by_its_number(home: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("# ours\nalone\n", encoding="utf-8")
    with pytest.raises(BadSetting, match="line 2"):
        async with sanya.open(home, papers_synonyms=str(names)):
            pass
