"""The compiled reader on broken XML: it reads the same as the XML parser, or declines."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from sanya.suites.papers.pubmed import files
from sanya.suites.papers.pubmed.fast_reader import IS_COMPILED, read_usual_record
from sanya.suites.papers.pubmed.files import BadFile, cut_items
from sanya.suites.papers.pubmed.record import Author, MeshHeading, PaperRecord, Qualifier, Substance
from sanya.suites.papers.pubmed.xml_reader import BadRecord, parse_record
from tests.long_form import often
from tests.sources.eutils import article

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="it was not compiled here")

BITS = [
    *(bytes([code]) for code in b"<>/&;\"'= \n\t\r]!?\x00\x01\x80\xc3\xff"),
    *(b"&amp;", b"&#60;", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?x?>", b"\xef\xbf\xbe", "ก".encode()),
    *(b"<a>", b"</a>", b"<a/>", b"<i>x</i>", b" a='1'", b' a="1" a="2"', b" xmlns='q'", b"<x:y/>", b"<" * 200),
    *(b"<a>" * 70, b"<PMID>", b"</PubmedArticle>", b"<MeshHeading>", b"<ArticleDate><Year>2000</Year></ArticleDate>"),
]
AUTHORS = """<AuthorList CompleteYN="Y"><Author ValidYN="Y"><LastName>O"Neill</LastName><ForeName>Ana  B</ForeName>\
<Initials>AB</Initials><AffiliationInfo><Affiliation>Here.</Affiliation></AffiliationInfo></Author><Author>\
<Suffix>Jr</Suffix></Author><Author><CollectiveName>Salt &amp; <i>Co</i></CollectiveName></Author></AuthorList>"""
LISTS = """<ChemicalList><Chemical><RegistryNumber>451W47IQ8X</RegistryNumber><NameOfSubstance UI="D012965">Sodium\\
</NameOfSubstance></Chemical><Chemical><RegistryNumber/></Chemical></ChemicalList><CommentsCorrectionsList>\
<CommentsCorrections RefType="Cites"><PMID>1</PMID></CommentsCorrections><CommentsCorrections RefType="RetractionIn">\
<RefSource>J</RefSource><PMID>2</PMID></CommentsCorrections></CommentsCorrectionsList><MeshHeadingList><MeshHeading>\
<DescriptorName UI="D006801" MajorTopicYN="N">Humans</DescriptorName></MeshHeading><MeshHeading><DescriptorName \
UI="D&amp;1" MajorTopicYN="Y">Salts</DescriptorName><QualifierName UI="Q000627" MajorTopicYN="N">in food\
</QualifierName><QualifierName>blood</QualifierName></MeshHeading></MeshHeadingList><OtherAbstract \
Type="Publisher" Language="tha"><AbstractText>เกลือ</AbstractText></OtherAbstract>\
<KeywordList><Keyword>salt</Keyword><Keyword/></KeywordList>\
</MedlineCitation>"""

REFERENCES = """<ReferenceList><Title>Refs</Title><Reference><Citation>J 1</Citation><ArticleIdList><ArticleId \
IdType="doi">10.1/AB</ArticleId><ArticleId IdType="pubmed">0077</ArticleId></ArticleIdList></Reference><Reference>\
<ArticleIdList><ArticleId IdType="doi">10.1/Ab</ArticleId></ArticleIdList></Reference><Reference><Citation>J 2\
</Citation></Reference><Reference><ArticleIdList><ArticleId IdType="pmc">PMC12</ArticleId></ArticleIdList></Reference>\
<Reference><ArticleIdList><ArticleId IdType="pubmed">77</ArticleId></ArticleIdList></Reference></ReferenceList>"""


def full_article(number: int) -> str:
    """Return an article with every kind of list."""
    xml = article(number, "p &lt; 5 &amp; more <i>so</i>").replace("<Language>", AUTHORS + "<Language>", 1)
    return xml.replace("</MedlineCitation>", LISTS).replace("</PubmedData>", f"{REFERENCES}</PubmedData>")


def known_of(record: PaperRecord) -> object:
    """Return every field of a record."""
    return record, record.content_json, record.content_hash, record.study_headings, record.is_retracted


def broken(chance: random.Random, xml: bytes) -> Iterator[bytes]:
    """Yield the record with more and more of it cut out, inserted, doubled or moved."""
    while True:
        start = chance.randrange(len(xml) + 1)
        end = min(len(xml), start + chance.choice((0, 1, 2, 5, 20, 200)))
        piece = chance.choice((b"", xml[start:end] * 2, chance.choice(BITS), bytes([chance.randrange(256)])))
        xml = xml[:start] + piece + xml[end:]
        yield xml


@pytest.mark.parametrize("seed", range(often(8, 800)))
def test_a_broken_record_is_declined_or_read_as_an_xml_parser_reads_it(seed: int) -> None:
    chance = random.Random(seed)
    for number in range(500):
        changes = broken(chance, full_article(number % 5).encode())
        xml = [next(changes) for _ in range(chance.choice((1, 1, 1, 2, 4)))][-1]
        read = read_usual_record(xml)
        assert read is None or known_of(read) == known_of(parse_record(xml.decode()))


def cut_up(content: bytes, size: int) -> list[bytes | str]:
    """Return the items of a file that is read in blocks of this size, and the error, if any."""
    found: list[bytes | str] = []
    try:
        found.extend(cut_items(content[start : start + size] for start in range(0, len(content), size)))
    except BadFile as problem:
        found.append(str(problem))
    return found


@pytest.mark.parametrize("seed", range(often(4, 400)))
def test_a_file_is_cut_alike_in_both_ways(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    gaps = (b"", b"\n", b" \t\r\n", b"<DeleteCitation><PMID>1</PMID></DeleteCitation>", b"\v", b"<x/>")
    for _ in range(100):
        articles = [article(number).encode() + chance.choice(gaps) for number in range(chance.randrange(5))]
        content = b"<PubmedArticleSet>" + b"".join(articles) + b"</PubmedArticleSet>"
        if chance.random() < 0.5:
            content = next(broken(chance, content))
        size = chance.choice((3, 500, 5000, 10**6))
        usual = cut_up(content, size)
        with monkeypatch.context() as patch:
            patch.setattr(files, "cut_usual_articles", lambda _, at: ([], at))
            assert cut_up(content, size) == usual


def test_what_is_not_asked_of_every_record_is_read_when_it_is_asked_for() -> None:
    read = read_usual_record(full_article(1).encode())
    assert read is not None and "authors" not in vars(read)
    assert read.authors == (Author('O"Neill', "Ana B", "AB"), Author(collective="Salt & Co"))
    assert read.substances == (Substance("Sodium\\", "D012965", "451W47IQ8X"), Substance("", None, None))
    assert read.mesh == (
        MeshHeading("Humans", "D006801", major=False),
        MeshHeading(
            "Salts", "D&1", True, (Qualifier("in food", "Q000627", major=False), Qualifier("blood", None, major=False))
        ),
    )
    assert (read.keywords, read.volume, read.doi) == (("salt",), None, None)
    assert known_of(read) == known_of(parse_record(full_article(1)))
    assert not hasattr(read, "else") and not hasattr(PaperRecord(pmid="1"), "else")


@pytest.mark.parametrize("length", [0, 1, 14, 200, 900])
def test_a_record_that_breaks_off_is_declined(length: int) -> None:
    xml = article(1).encode()
    assert read_usual_record(xml[:length]) is None


def test_what_is_too_deep_for_the_fast_way_is_left_to_the_other() -> None:
    xml = article(1).replace("Sample 1: sample.", "<i>" * 500 + "deep" + "</i>" * 500)
    assert read_usual_record(xml.encode()) is None
    assert parse_record(xml).title == "deep"


def test_a_record_of_many_parts_and_much_text_is_read() -> None:
    more = "".join(f"<Keyword>word {number}</Keyword>" for number in range(20_000))
    xml = article(1, "long " * 100_000).replace(
        "</MedlineCitation>", f"<KeywordList>{more}</KeywordList></MedlineCitation>"
    )
    read = read_usual_record(xml.encode())
    assert read is not None and read == parse_record(xml)
    assert len(read.keywords) >= 20_000


@pytest.mark.parametrize("kind", ["Article", "Journal", "MedlineJournalInfo"])
def test_what_should_be_there_once_and_is_there_twice_is_left_to_the_other(kind: str) -> None:
    xml = article(1)
    start, end = xml.index(f"<{kind}"), xml.index(f"</{kind}>") + len(kind) + 3
    doubled = xml[:end] + xml[start:end] + xml[end:]
    assert read_usual_record(doubled.encode()) is None
    parse_record(doubled)


def test_it_takes_bytes_and_nothing_else() -> None:
    for wrong in (None, "text", bytearray(b"<a/>"), 5):
        with pytest.raises(TypeError):
            read_usual_record(wrong)  # type: ignore[arg-type]
    with pytest.raises(BadRecord):
        parse_record("<a/>")
    assert read_usual_record(b"<a/>") is None


def test_a_reference_list_names_each_work_once_by_both_readers() -> None:
    works = ("pmid:77", "doi:10.1/ab", "pmcid:PMC12", "pmid:1")
    fast = read_usual_record(full_article(1).encode())
    assert fast is not None
    assert (fast.references, parse_record(full_article(1)).references) == (works, works)


def test_a_reference_list_inside_another_is_read() -> None:
    nested = full_article(1).replace("<Title>Refs</Title>", "<ReferenceList><Reference/></ReferenceList>")
    assert read_usual_record(nested.encode()) is None
    assert "pmid:77" in parse_record(nested).references
