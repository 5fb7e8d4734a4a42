from __future__ import annotations

from uuid import UUID, uuid5

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.suites.papers.indexing.chunks import DEFAULT_NAMESPACE, join_chunks, make_chunk_uuid, split_record
from sanya.suites.papers.indexing.sections import classify_section
from sanya.suites.papers.pubmed.record import PaperRecord, Section
from sanya.text.quantities import find_quantities
from sanya.text.token_count import count_tokens
from tests.long_form import often
from tests.suites.papers.harness import record

SENTENCE = "The mean change was -12.4 kg (95% CI -14.1 to -10.7) against 2.3 mg/dl in 142 patients, p < 0.001. "


def test_an_unstructured_abstract_is_one_window_or_several() -> None:
    assert [chunk.chunk_id for chunk in split_record(record(1, "T", "Short."))] == ["w0"]
    assert [chunk.chunk_id for chunk in split_record(record(1, "T", SENTENCE * 30))] == ["w0", "w1", "w2", "w3"]


def test_sections_are_numbered_and_long_ones_are_windows() -> None:
    found = split_record(record(1, "T", {"BACKGROUND": "Why.", "RESULTS": SENTENCE * 20, "CONCLUSIONS": "So."}))
    assert [chunk.chunk_id for chunk in found] == ["s0", "s1_0", "s1_1", "s1_2", "s2"]
    assert [chunk.section for chunk in found] == ["background", "results", "results", "results", "conclusions"]
    assert found[0].text == "BACKGROUND: Why."


def test_a_paper_without_an_abstract_is_found_by_its_title() -> None:
    (chunk,) = split_record(record(1, "Only a title"))
    assert (chunk.chunk_id, chunk.section, chunk.text) == ("w0", "title", "")


def test_a_uuid_follows_from_the_namespace_the_pmid_and_the_place() -> None:
    namespace = UUID("1b2c3d4e-0000-0000-0000-000000000000")
    assert namespace == DEFAULT_NAMESPACE
    assert make_chunk_uuid(namespace, "12345", "s1_0") == str(uuid5(namespace, "12345:s1_0"))


TEXTS = st.lists(
    st.sampled_from([SENTENCE, "Nothing was measured here. ", "ไข้ลดลงร้อยละ 30 ใน 7 วัน ", "≥65 years ", "word "]),
    min_size=1,
    max_size=80,
).map(lambda parts: "".join(parts).strip())
LABELS = st.sampled_from(["BACKGROUND", "METHODS", "RESULTS", "CONCLUSIONS", "FUNDING", None])


@given(st.lists(st.tuples(LABELS, TEXTS), min_size=1, max_size=4))
@settings(max_examples=often(15, 60), deadline=None)
def test_the_abstract_is_put_together_again_from_its_chunks(parts: list[tuple[str | None, str]]) -> None:
    paper = PaperRecord(pmid="1", title="T", sections=tuple(Section(label, None, text) for label, text in parts))
    chunks = split_record(paper)
    assert join_chunks(chunks) == paper.abstract
    assert len({chunk.chunk_id for chunk in chunks}) == len(chunks)


@given(TEXTS)
@settings(max_examples=often(15, 60), deadline=None)
def test_no_chunk_is_too_long_and_none_parts_a_number_from_its_unit(text: str) -> None:
    whole = {span.slice(text) for span in find_quantities(text)}
    for chunk in split_record(record(1, "T", text)):
        assert count_tokens(chunk.text) <= 450
        assert {span.slice(chunk.text) for span in find_quantities(chunk.text)} <= whole


@pytest.mark.parametrize(
    ("label", "category", "name"),
    [
        (None, None, "abstract"),
        ("FINDINGS", "RESULTS", "results"),
        ("INTERPRETATION", None, "conclusions"),
        ("MAIN OUTCOME MEASURES", None, "results"),
        ("PATIENTS AND METHODS", None, "methods"),
        ("METHODS AND RESULTS", None, "results"),
        ("TRIAL REGISTRATION", None, "registration"),
        ("AIMS", None, "objective"),
        ("IMPORTANCE", "BACKGROUND", "background"),
        ("ZUSAMMENHANG", None, "other"),
    ],
)
def test_a_section_is_known_by_its_category_or_its_label(label: str, category: str, name: str) -> None:
    assert classify_section(label, category) == name
