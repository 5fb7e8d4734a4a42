"""Reads articles in JATS XML, the format of PubMed Central.

The file comes from outside: it may declare no entities, and its size is bounded by the reader before. Reference
lists are kept as ids. Formulas in TeX, supplementary files and funding notes are left out: nobody searches for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError, XMLParser

from sanya.suites.papers.fulltext.article import FullText, Paragraph, ParagraphKind
from sanya.suites.papers.fulltext.licences import read_licence
from sanya.suites.papers.indexing.sections import SectionName, classify_section
from sanya.suites.papers.pubmed.cited_works import name_cited_work
from sanya.suites.papers.pubmed.markup import extract_text

_ENTITY = re.compile(r"<!ENTITY", re.IGNORECASE)
_MAX_DEPTH = 40
_LEFT_OUT = frozenset(("ref-list", "supplementary-material", "disp-formula-group", "app-group"))
_LEFT_OUT_SECTIONS = frozenset(("supplementary-material", "COI-statement", "data-availability"))
_FLOATS = {"fig": "figure", "table-wrap": "table"}
# Elements whose text belongs to a float or a file beside the paragraph in which it stands.
_NOT_INLINE = ("fig", "table-wrap", "supplementary-material", "tex-math", "fn", "media")
_PARAGRAPHS = frozenset(("p", "disp-quote", "list", "def-list", "boxed-text"))
_INTRODUCTION: SectionName = "background"


class BadArticle(ValueError):
    """XML that is no article in JATS; the message says what is wrong."""


def parse_articles(xml: str) -> Iterator[FullText]:
    """Yield the articles of a file: a single `<article>`, or several in a `<pmc-articleset>`."""
    root = _parse(xml)
    if root.tag not in ("article", "pmc-articleset"):
        raise BadArticle(f"it holds <{root.tag[:40]}> and no <article> of PubMed Central")
    for article in [root] if root.tag == "article" else root.findall("article"):
        yield _read_article(article)


def _parse(xml: str) -> Element:
    if _ENTITY.search(xml):
        raise BadArticle("it declares entities")
    parser = XMLParser()  # noqa: S314 - no entities are declared, and external ones are never fetched
    try:
        parser.feed(xml)
        root: Element = parser.close()
    except (ParseError, ValueError) as error:
        raise BadArticle(f"its XML is not well-formed ({error})") from None
    return root


def _read_article(article: Element) -> FullText:
    meta = article.find("front/article-meta")
    if meta is None:
        raise BadArticle("it has no article-meta")
    ids = {node.get("pub-id-type"): extract_text(node) for node in meta.findall("article-id")}
    number = (ids.get("pmcid") or ids.get("pmc") or "").removeprefix("PMC")
    if not number.isdecimal():
        raise BadArticle("it has no PubMed Central id")
    return FullText(
        pmcid=f"PMC{number}",
        pmid=ids.get("pmid") or None,
        doi=ids.get("doi") or None,
        title=extract_text(meta.find("title-group/article-title")) or None,
        licence=read_licence(meta),
        paragraphs=tuple(_number(_list_paragraphs(article))),
        references=tuple(dict.fromkeys(filter(None, map(_read_reference, article.findall("back//ref"))))),
    )


def _read_reference(element: Element) -> str | None:
    ids = {node.get("pub-id-type"): extract_text(node) for node in element.iter("pub-id")}
    return name_cited_work(ids.get("pmid"), ids.get("doi"), ids.get("pmcid") or ids.get("pmc"))


_Unnumbered = tuple[SectionName, tuple[str, ...], ParagraphKind, str]


def _list_paragraphs(article: Element) -> Iterator[_Unnumbered]:
    """Yield the body, then the figures and tables that stand behind it."""
    body, floats = article.find("body"), article.find("floats-group")
    if body is not None:
        yield from _walk(body, (), _INTRODUCTION, 0)
    if floats is not None:
        yield from _walk(floats, (), "other", 0)


def _number(paragraphs: Iterator[_Unnumbered]) -> Iterator[Paragraph]:
    texts = (paragraph for paragraph in paragraphs if paragraph[3])
    for number, paragraph in enumerate(texts, start=1):
        yield Paragraph(number, *paragraph)


def _walk(parent: Element, headings: tuple[str, ...], section: SectionName, depth: int) -> Iterator[_Unnumbered]:
    """Yield the paragraphs and captions below an element, in reading order. A paragraph before the first section is an
    introduction; a section inside another keeps the outer one's name unless its own heading says more."""
    if depth > _MAX_DEPTH:
        return
    for child in parent:
        if child.tag == "sec":
            if child.get("sec-type") not in _LEFT_OUT_SECTIONS:
                yield from _walk_section(child, headings, section, depth)
        elif child.tag in _FLOATS:
            yield _read_float(child, headings, section)
        elif child.tag in _PARAGRAPHS:
            yield section, headings, "text", _read_paragraph(child)
            for kind in _FLOATS:
                yield from (_read_float(found, headings, section) for found in child.iter(kind))
        elif child.tag == "fig-group" or child.tag == "table-wrap-group":
            yield from _walk(child, headings, section, depth + 1)


def _walk_section(element: Element, headings: tuple[str, ...], outer: SectionName, depth: int) -> Iterator[_Unnumbered]:
    title = extract_text(element.find("title"))
    named = classify_section(f"{element.get('sec-type') or ''} {title}".strip() or None, None)
    section = outer if named in ("other", "abstract") and headings else named
    yield from _walk(element, (*headings, title) if title else headings, section, depth + 1)


def _read_float(element: Element, headings: tuple[str, ...], section: SectionName) -> _Unnumbered:
    parts = [extract_text(part) for part in (*element.findall("label"), *element.findall("caption/*"))]
    if element.tag == "table-wrap":
        parts += [_read_row(row) for row in element.iter("tr")]
    kind: ParagraphKind = "figure" if element.tag == "fig" else "table"
    return section, headings, kind, "\n".join(filter(None, parts))


def _read_row(row: Element) -> str:
    return " | ".join(extract_text(cell) for cell in row if cell.tag in ("td", "th"))


def _read_paragraph(element: Element) -> str:
    """Return the text of a paragraph without the floats and notes inside it."""
    if any(element.find(f".//{tag}") is not None for tag in _NOT_INLINE):
        element = _copy_inline(element)
    return extract_text(element)


def _copy_inline(element: Element) -> Element:
    copy = Element(element.tag)
    copy.text = element.text
    for child in element:
        if child.tag in _NOT_INLINE:
            last = copy[-1] if len(copy) else None
            if last is None:
                copy.text = f"{copy.text or ''} {child.tail or ''}"
            else:
                last.tail = f"{last.tail or ''} {child.tail or ''}"
        else:
            kept = _copy_inline(child)
            kept.tail = child.tail
            copy.append(kept)
    return copy
