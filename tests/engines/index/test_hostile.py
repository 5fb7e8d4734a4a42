"""Malicious and malformed documents and filters, on every index."""

from __future__ import annotations

import random

import pytest

from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.documents import (
    AnyOf,
    Between,
    Document,
    DocumentText,
    Equals,
    FieldValue,
    check_document,
    check_filters,
    to_storable,
)
from sanya.retrieval.index import Index, IndexEntry, Probe
from tests.engines.index.conftest import list_ids, make_vector, probe_vector, probe_words, rank_ids

ODD_VALUES: dict[str, FieldValue] = {
    "quote": "'\"; DROP TABLE retrieval_documents; --",
    "null": "a\x00b",
    "half": "\ud800",
    "long": "x" * 5000,
    "thai": "กำ" * 400,
    "brackets": '{"$ne": 1}',
    "like": "%_\\",
    "newlines": "a\r\nb",
    "empty": "",
    "list": ("a\x00b", "\udfff", ""),
    "large": 2**60,
    "negative": -1.5,
    "small": 5e-324,
}


def make_document(document_id: str, text: str, **fields: FieldValue) -> IndexEntry:
    return IndexEntry(
        Document(document_id, (DocumentText(text),), fields), "en", {"meaning": make_vector(len(document_id))}
    )


def make_rare_word(count: int) -> str:
    """Return a word that cannot be compressed."""
    return "".join(map(chr, random.Random(5).choices(range(0x4E00, 0x9FFF), k=count)))


async def test_a_field_comes_back_as_it_was_and_is_found_by_its_value(index: Index) -> None:
    """Except NUL characters and lone surrogates, which no database takes."""
    given = [make_document(name, "common", field=value) for name, value in ODD_VALUES.items()]
    await index.upsert("notes", [*given, make_document("plain", "common", field="other")])
    found = await index.fetch_documents("notes", list(ODD_VALUES))
    for name, given_value in ODD_VALUES.items():
        value = to_storable(given_value)
        assert found[name].fields["field"] == value
        wanted = value[1] if isinstance(value, tuple) else value
        holding = [document_id for document_id, other in ODD_VALUES.items() if _is_held(to_storable(other), wanted)]
        assert await index.count("notes", [Equals("field", wanted)]) == len(holding)
        by_words = await index.search(probe_words("common", filters=(Equals("field", wanted),)))
        assert await list_ids(by_words) == sorted(holding)
    assert await list_ids(await index.search(probe_vector(make_vector(1), filters=(Equals("field", "other"),)))) == [
        "plain"
    ]


def _is_held(value: FieldValue, wanted: object) -> bool:
    return wanted in value if isinstance(value, tuple) else value == wanted


async def test_a_text_of_any_kind_is_kept_and_found_by_its_meaning(index: Index) -> None:
    texts = ["\x00", "", " ", "a" * 70_000, make_rare_word(3000), "\u2028", "'", "plain common"]
    await index.upsert("notes", [make_document(f"d{n}", text) for n, text in enumerate(texts)])
    found = await index.fetch_documents("notes", [f"d{n}" for n in range(len(texts))])
    assert [found[f"d{n}"].texts for n in range(len(texts))] == [(DocumentText(text),) for text in texts]
    assert await index.count("notes") == len(texts)
    assert len(await list_ids(await index.search(probe_vector(make_vector(3))))) == len(texts)
    assert await rank_ids(await index.search(probe_words("common"))) == ["d7"]


async def test_a_very_long_word_is_found_by_itself_alone(index: Index) -> None:
    word = make_rare_word(2500)
    await index.upsert("notes", [make_document("odd", word), make_document("plain", word[:2400] + "x")])
    assert await list_ids(await index.search(Probe("notes", "en", {"words": {word: 1.0}}))) == ["odd"]


async def test_an_id_of_any_kind_is_replaced_and_removed_by_it_alone(index: Index) -> None:
    ids = ["'; --", '"', "a b", "ก" * 512, "../../etc/passwd", "\u202e", "%s{0}"]
    await index.upsert("notes", [make_document(document_id, "first") for document_id in [*ids, "plain"]])
    await index.upsert("notes", [make_document(document_id, "second") for document_id in ids])
    assert await list_ids(await index.search(probe_words("first second"))) == sorted([*ids, "plain"])
    await index.delete("notes", ids)
    assert await list_ids(await index.search(probe_words("first second"))) == ["plain"]


async def test_a_bound_that_is_no_number_is_refused(index: Index) -> None:
    seq = await index.upsert("notes", [make_document("a", "common", n=1)])
    for bound in (float("nan"), float("inf"), 2**53, True):
        for wrong in (Between("n", least=bound), Between("n", most=bound)):
            for as_of in (None, seq):
                with pytest.raises(InvalidArgument):
                    await index.count("notes", [wrong], as_of)
                with pytest.raises(InvalidArgument):
                    await index.search(probe_words("common", filters=(wrong,), as_of=as_of))


@pytest.mark.parametrize("value", [float("nan"), float("-inf"), 2**64, "\ud800"])
def test_what_no_document_holds_is_refused_in_a_filter(value: str | float) -> None:
    for wrong in (Equals("n", value), AnyOf("n", ("fine", value))):  # type: ignore[arg-type]
        with pytest.raises(InvalidArgument):
            check_filters([wrong])


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**64, -(2**63) - 1])
def test_what_no_index_can_hold_is_refused_in_a_document(value: float) -> None:
    with pytest.raises(InvalidArgument, match="64 bits"):
        check_document(Document("a", (DocumentText("x"),), {"n": value}))


async def test_a_field_may_be_of_another_kind_in_each_document(index: Index) -> None:
    kinds: list[FieldValue] = [1, 1.5, "1", True, ("1", "2"), 2]
    await index.upsert("notes", [make_document(f"d{n}", "common", kind=kind) for n, kind in enumerate(kinds)])
    assert await index.count("notes", [Equals("kind", "1")]) == 2
    assert await index.count("notes", [Equals("kind", 1)]) == 1
    assert await index.count("notes", [Equals("kind", True)]) == 1
    assert await index.count("notes", [AnyOf("kind", ("2", 2))]) == 2
    assert await index.count("notes", [Between("kind", 1, 1.75)]) == 2
