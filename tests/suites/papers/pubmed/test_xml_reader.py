"""The XML reader and the fast reader return the same record."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.suites.papers.pubmed.dates import format_partial_date, format_utc_time, parse_medline_date
from sanya.suites.papers.pubmed.fast_reader import IS_COMPILED, read_usual_record
from sanya.suites.papers.pubmed.files import cut_items, open_file
from sanya.suites.papers.pubmed.record import (
    Author,
    MeshHeading,
    PaperRecord,
    PublicationLink,
    Qualifier,
    Section,
    Substance,
    read_record_json,
)
from sanya.suites.papers.pubmed.xml_reader import BadRecord, parse_record, to_link_kind
from tests.long_form import often
from tests.sources.eutils import article

DATA = Path(__file__).parents[5] / "shared" / "data" / "papers"
REAL = sorted(DATA.glob("*pubmed*.xml"))
BASELINE = DATA / "pubmed20n0014.xml.gz"
needs_compiled = pytest.mark.skipif(not IS_COMPILED, reason="the fast way was not compiled here")


def both(xml: str) -> PaperRecord:
    """Return the record, after comparing both readers."""
    record, fast = parse_record(xml), read_usual_record(xml.encode())
    assert fast is None or (fast, fast.content_json) == (record, record.content_json)
    return record


def changed(old: str, new: str, xml: str | None = None) -> str:
    xml = xml or article(1)
    assert old in xml
    return xml.replace(old, new, 1)


def with_title(title: str) -> PaperRecord:
    return both(changed("Sample 1: sample.", title))


def with_part(before: str, part: str) -> PaperRecord:
    return both(changed(before, part + before))


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_real_records_are_read_the_same_in_both_ways(path: Path) -> None:
    for xml in cut_items([path.read_bytes()]):
        record = both(xml.decode())
        assert record.title and record.journal and record.edat and record.pdat and record.authors
        assert read_record_json(record.content_json, record.lr) == record


@needs_compiled
def test_a_real_baseline_file_is_read_the_same_in_both_ways_and_mostly_fast() -> None:
    if not BASELINE.is_file():
        pytest.skip("the baseline file is not here")
    with open_file(BASELINE) as (_, blocks):
        documents = list(islice(cut_items(blocks), 0, 30_000, 23))
    assert len(documents) > 1300
    fast = [read_usual_record(xml) for xml in documents]
    assert sum(record is None for record in fast) < len(documents) / 50
    for xml, record in zip(documents, fast, strict=True):
        read = parse_record(xml.decode())
        assert record is None or (record, record.content_json) == (read, read.content_json)


@needs_compiled
def test_our_articles_are_written_in_the_usual_way() -> None:
    record = read_usual_record(article(1).encode())
    assert record is not None
    assert record == parse_record(article(1))
    assert record.sections == (
        Section("METHODS", "METHODS", "How sample 1 was made."),
        Section("RESULTS", "RESULTS", "Nothing but sample."),
    )
    assert record.abstract == "METHODS: How sample 1 was made.\nRESULTS: Nothing but sample."
    assert (record.pdat, record.edat, record.lr) == ("2024", "2024-01-02T06:00:00Z", "2024-01-02T00:00:00Z")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Vitamin D<sub>3</sub> and <i>Homo sapiens</i>", "Vitamin D₃ and Homo sapiens"),
        ("10<sup>-3</sup> mol and cm<sup>2</sup>", "10⁻³ mol and cm²"),
        ("x<sup>a,b</sup>", "xa,b"),
        ("<b><i>deep</i> er</b>", "deep er"),
        ("<mml:math><mml:mi>x</mml:mi><mml:mo>=</mml:mo><mml:mn>1</mml:mn></mml:math> held", "x=1 held"),
        ("p &lt; 0.05 &amp; n &gt; 3", "p < 0.05 & n > 3"),
        ("p &lt;<sup>2</sup> &amp; &quot;q&quot;", 'p <² & "q"'),
        ("&amp;lt; stays", "&lt; stays"),
        ("caf&#233; &#x3b1;", "café α"),
        ("  two\n   lines\tand  blanks ", "two lines and blanks"),
        ("<![CDATA[a < b]]> and so on", "a < b and so on"),
        ("ฟ้าทะลายโจร 𝛼", "ฟ้าทะลายโจร 𝛼"),
    ],
)
def test_markup_and_entities_in_texts_become_characters(written: str, read: str) -> None:
    assert with_title(written).title == read


@pytest.mark.parametrize("xml", ["&xxe;", "<!DOCTYPE a [<!ENTITY xxe 'x'>]>&xxe;", "<i>open", "a < b", "\x01"])
def test_what_is_no_good_xml_is_refused(xml: str) -> None:
    broken = changed("Sample 1: sample.", xml)
    assert read_usual_record(broken.encode()) is None
    with pytest.raises(BadRecord):
        parse_record(broken)


def test_a_pmid_is_digits() -> None:
    with pytest.raises(BadRecord, match="not a number"):
        parse_record(changed("9800000002</PMID>", "12x</PMID>"))


def test_authors_may_be_people_and_groups() -> None:
    record = with_part(
        "<Language>",
        '<AuthorList CompleteYN="Y"><Author ValidYN="Y"><LastName>van der Berg</LastName><ForeName>Anna M</ForeName>'
        "<Initials>AM</Initials><AffiliationInfo><Affiliation>A &amp; B</Affiliation></AffiliationInfo></Author>"
        '<Author ValidYN="Y"><CollectiveName>The Sample Group</CollectiveName></Author>'
        '<Author ValidYN="Y"><LastName>Plato</LastName></Author></AuthorList>',
    )
    assert record.authors == (
        Author("van der Berg", "Anna M", "AM", None),
        Author(None, None, None, "The Sample Group"),
        Author("Plato", None, None, None),
    )


def test_headings_substances_links_and_keywords_are_kept() -> None:
    record = with_part(
        "</MedlineCitation>",
        "<ChemicalList><Chemical><RegistryNumber>0</RegistryNumber><NameOfSubstance UI='D1'>Water</NameOfSubstance>"
        '</Chemical></ChemicalList><CommentsCorrectionsList><CommentsCorrections RefType="RetractionIn">'
        '<RefSource>J Samples. 2025</RefSource><PMID Version="1">9800000009</PMID></CommentsCorrections>'
        '<CommentsCorrections RefType="ErratumIn"><RefSource>J Samples. 2026</RefSource></CommentsCorrections>'
        '<CommentsCorrections RefType="Cites"><RefSource>Elsewhere</RefSource></CommentsCorrections>'
        "</CommentsCorrectionsList><MeshHeadingList><MeshHeading>"
        '<DescriptorName UI="D2" MajorTopicYN="N">Animals</DescriptorName></MeshHeading><MeshHeading>'
        '<DescriptorName MajorTopicYN="Y" UI="D3">Rats</DescriptorName>'
        '<QualifierName UI="Q1" MajorTopicYN="Y">anatomy &amp; histology</QualifierName></MeshHeading>'
        '</MeshHeadingList><OtherAbstract Type="Publisher" Language="fre"><AbstractText>Rien.</AbstractText>'
        '</OtherAbstract><KeywordList Owner="NOTNLM"><Keyword MajorTopicYN="N">one two</Keyword></KeywordList>',
    )
    assert record.substances == (Substance("Water", "D1", "0"),)
    assert record.links == (
        PublicationLink("retraction_in", "9800000009", "J Samples. 2025"),
        PublicationLink("erratum_in", None, "J Samples. 2026"),
    )
    assert record.mesh == (
        MeshHeading("Animals", "D2", major=False),
        MeshHeading("Rats", "D3", major=True, qualifiers=(Qualifier("anatomy & histology", "Q1", major=True),)),
    )
    assert record.keywords == ("one two",)
    assert record.other_abstracts[0].sections[0].text == "Rien."
    assert record.is_retracted


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ("RetractionOf", "retraction_of"),
        ("ExpressionOfConcernFor", "expression_of_concern_for"),
        ("CorrectedandRepublishedFrom", "corrected_and_republished_from"),
        ("ErratumFor", "erratum_for"),
    ],
)
def test_links_are_named_in_one_way(given: str, kind: str) -> None:
    assert to_link_kind(given) == kind


def test_a_record_with_next_to_nothing_is_read() -> None:
    record = both("<PubmedArticle><MedlineCitation><PMID>12</PMID></MedlineCitation></PubmedArticle>")
    assert record == PaperRecord(pmid="12")


def test_a_chapter_of_a_book_is_read() -> None:
    record = both(
        "<PubmedBookArticle><BookDocument><PMID Version='1'>9800000050</PMID><Book><BookTitle>Samples</BookTitle>"
        "<PubDate><Year>2020</Year></PubDate></Book><ArticleTitle>One sample</ArticleTitle><Language>eng</Language>"
        "<PublicationType UI='D016454'>Review</PublicationType><Abstract><AbstractText>Text.</AbstractText></Abstract>"
        "</BookDocument><PubmedBookData><History><PubMedPubDate PubStatus='entrez'><Year>2021</Year><Month>2</Month>"
        "<Day>3</Day></PubMedPubDate></History></PubmedBookData></PubmedBookArticle>"
    )
    assert (record.title, record.journal, record.pdat) == ("One sample", "Samples", "2020")
    assert (record.edat, record.pub_types) == ("2021-02-03T00:00:00Z", ("Review",))


def test_the_article_date_comes_before_that_of_the_issue() -> None:
    date = "<ArticleDate DateType='Electronic'><Year>2023</Year><Month>12</Month><Day>30</Day></ArticleDate>"
    assert both(changed("</Article>", date + "</Article>")).pdat == "2023-12-30"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<Year>2024</Year><Month>May</Month><Day>11</Day>", "2024-05-11"),
        ("<Year>2024</Year><Month>05</Month>", "2024-05"),
        ("<Year>2024</Year><Season>Winter</Season>", "2024"),
        ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", "1998-12"),
        ("<MedlineDate>Spring 1977</MedlineDate>", "1977"),
        ("<Year>2023</Year><Month>Feb</Month><Day>30</Day>", "2023-02"),
    ],
)
def test_dates_of_issues_keep_their_precision(written: str, read: str) -> None:
    assert both(changed("<PubDate><Year>2024</Year></PubDate>", f"<PubDate>{written}</PubDate>")).pdat == read


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("1977 Jul 4-7", "1977-07-04"),
        ("1977 Jul-Aug", "1977-07"),
        ("2000 Spring", "2000"),
        ("1992-1993", "1992"),
        ("Winter 1992-1993", "1992"),
        ("2015 Nov-Dec", "2015-11"),
        ("no year", None),
        ("", None),
    ],
)
def test_dates_in_words_begin_where_they_begin(words: str, day: str | None) -> None:
    assert parse_medline_date(words) == day


@given(st.text(max_size=12), st.text(max_size=6), st.text(max_size=4), st.text(max_size=4))
@settings(max_examples=often(75, 300))
def test_any_date_gives_a_date_or_none(year: str, month: str, day: str, hour: str) -> None:
    for found in (format_partial_date(year, month, day), parse_medline_date(f"{year} {month} {day}")):
        assert found is None or len(found) in (4, 7, 10)
    found = format_utc_time(year, month, day, hour)
    assert found is None or len(found) == len("2024-01-01T00:00:00Z")


@given(st.data())
@settings(max_examples=often(100, 400), deadline=None)
def test_whatever_becomes_of_a_record_the_two_ways_agree(data: st.DataObject) -> None:
    """With a part cut out, doubled, moved or replaced, both readers agree or the fast one declines."""
    xml = article(3, "p &lt; 5 &amp; more")
    start = data.draw(st.integers(0, len(xml) - 1))
    end = data.draw(st.integers(start, min(len(xml), start + 120)))
    piece = data.draw(
        st.sampled_from(["", "<i>", "</i>", "&lt;", " ", "  ", "<Title>", "\n", "x", '"', xml[start:end] * 2])
    )
    broken = xml[:start] + piece + xml[end:]
    fast = read_usual_record(broken.encode())
    assert fast is None or fast == parse_record(broken)
