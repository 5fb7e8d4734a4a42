"""Compares the compiled builder of documents with the one in Python: it builds the same documents, or declines."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from sanya.engines.index.rows import encode_document
from sanya.retrieval.documents import Document, check_document
from sanya.suites.papers.indexing.chunks import DEFAULT_NAMESPACE
from sanya.suites.papers.indexing.documents import build_any_documents, build_documents
from sanya.suites.papers.pubmed.fast_documents import IS_COMPILED, build_usual_documents
from sanya.suites.papers.pubmed.record import MeshHeading, PaperRecord, PublicationLink, Section
from tests.long_form import often
from tests.suites.papers.harness import record

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="it was not compiled here")

TEXTS = (
    *("", " ", "\u00a0", "salt", "Salt & pepper", "a\\b", "tab\there", "line\nline", "\x00", "\x1f", "\x7f"),
    *('of "salt"', "naïve", "เกลือ", "10⁻³", "\U0001f9c2", "\ud800", "p < 0.05 "),
    *("x" * 450, "x " * 451, "salt 5 mg. " * 300),
)
PMIDS = ("1", "384001", "999999999", "9900000001", "9800000001", "12a", "๑๒", "", "7" * 60)
DAYS = (None, "2024", "2024-02", "1977-07-04", "2020-02-29")
MOMENTS = (None, "2024-06-02T00:00:00Z", "1977-01-01T10:30:00Z", "2020-02-29T00:00:00Z")
TYPES = ("Journal Article", "Randomized Controlled Trial", "Case Reports", "Retracted Publication", 'of "type"', "ก")
HEADINGS = ("Humans", "Animals", "Cohort Studies", "In Vitro Techniques", "Salts")
LABELS = (None, "", "METHODS", "Was machte man?", "RESULTS", 'the "end"')


def any_record(chance: random.Random) -> PaperRecord:
    def one_of(texts: tuple[str, ...]) -> str | None:
        return chance.choice((None, chance.choice(texts)))

    sections = [
        Section(chance.choice(LABELS), one_of(("METHODS", "UNASSIGNED", "x")), chance.choice(TEXTS))
        for _ in range(chance.choice((0, 1, 1, 1, 2, 4, 30)))
    ]
    return PaperRecord(
        pmid=chance.choice((str(chance.randrange(10**8)), chance.choice(PMIDS))),
        title=one_of(TEXTS),
        vernacular_title=one_of(TEXTS),
        sections=tuple(sections),
        journal=one_of(TEXTS),
        journal_abbreviation=one_of(TEXTS),
        pub_types=tuple(chance.choice(TYPES) for _ in range(chance.randrange(4))),
        mesh=tuple(MeshHeading(chance.choice(HEADINGS), None, major=False) for _ in range(chance.randrange(3))),
        pdat=chance.choice(DAYS),
        edat=chance.choice(MOMENTS),
        lr=chance.choice(MOMENTS),
        links=chance.choice(
            ((), (PublicationLink("retraction_in", "5", ""),), (PublicationLink("erratum_in", None, "x"),))
        ),
    )


def stored(documents: list[Document]) -> Iterator[object]:
    for document in documents:
        check_document(Document(document.id, document.texts, dict(document.fields)))
        yield document, list(document.fields.items()), encode_document(document)


@pytest.mark.parametrize("seed", range(often(4, 400)))
def test_the_documents_of_a_paper_are_the_same_or_left_to_the_other(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(500):
        paper = any_record(chance)
        made = build_usual_documents(paper, DEFAULT_NAMESPACE.bytes)
        assert made is None or list(stored(made)) == list(stored(build_any_documents(paper, DEFAULT_NAMESPACE)))


@pytest.mark.parametrize("abstract", ["", "Less salt.", {"METHODS": "Salt.", "RESULTS": "Weniger Salz, größer."}])
def test_the_documents_of_a_usual_paper_are_made_here(abstract: str | dict[str, str]) -> None:
    paper = record(384001, "Salt", abstract, journal="Lancet", pub_types=("Journal Article",), mesh=("Humans",))
    made = build_usual_documents(paper, DEFAULT_NAMESPACE.bytes)
    assert made is not None and made == build_any_documents(paper, DEFAULT_NAMESPACE)


def test_a_long_abstract_is_left_to_the_other() -> None:
    paper = record(1, "Salt", "Salt and pepper. " * 300)
    assert build_usual_documents(paper, DEFAULT_NAMESPACE.bytes) is None
    assert len(build_documents(paper, DEFAULT_NAMESPACE)) > 1


def test_the_namespace_of_uuids_has_its_size() -> None:
    assert build_usual_documents(record(1, "Salt"), b"short") is None
