"""The Thai word lists are PyThaiNLP's, as its package brings them."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.build_thai_words import LISTS, read_words


@pytest.mark.parametrize("target", LISTS, ids=lambda path: path.name)
def test_a_list_is_a_copy_of_its_source(target: Path) -> None:
    assert target.read_text("utf-8").split() == [word for line in read_words(*LISTS[target]) for word in line.split()]
