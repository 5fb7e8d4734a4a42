"""The canonical JSON of a record: the compiled writer and orjson write the same."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.suites.papers.pubmed.record import Author, MeshHeading, PaperRecord, Qualifier, Section, read_record_json
from tests.text.strings import anything

texts = anything.map(lambda text: text.encode("utf-8", "replace").decode("utf-8"))
some = st.none() | texts


@given(st.data())
def test_the_canonical_json_is_what_the_library_writes(data: st.DataObject) -> None:
    text, number = data.draw(texts), data.draw(st.integers(0, 3))
    values: dict[str, Any] = {
        "pmid": "1",
        "title": data.draw(some),
        "sections": tuple(Section(data.draw(some), None, text) for _ in range(number)),
        "authors": (Author(text, None, data.draw(some)),) * number,
        "mesh": (MeshHeading(text, None, True, (Qualifier(text, "Q1", False),) * number),),
        "keywords": (),
    }
    assert PaperRecord(**values, lr=text).content_json == orjson.dumps(
        {name: value for name, value in values.items() if value},
        default=tuple,
        option=orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_SUBCLASS,
    )


@given(some, st.lists(texts, max_size=3))
def test_a_record_comes_back_from_its_json(title: str | None, words: list[str]) -> None:
    record = PaperRecord(pmid="1", title=title, sections=tuple(Section(None, None, word) for word in words), lr="2024")
    again = read_record_json(record.content_json, "2024")
    assert again.sections == record.sections
    assert again.content_hash == record.content_hash
    assert (again.title or None) == (title or None)


def test_half_a_character_is_no_content() -> None:
    with pytest.raises(TypeError):
        _ = PaperRecord(pmid="1", title="\ud800").content_json
