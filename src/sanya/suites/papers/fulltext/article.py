"""An article in full: its paragraphs with their place, and the licence that says what may be done with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import orjson

from sanya.suites.papers.indexing.sections import SectionName

ParagraphKind = Literal["text", "figure", "table"]


class Paragraph(NamedTuple):
    """A paragraph, or the caption of a figure or table. `number` counts from 1 through the article, and `headings` lead
    from the outermost section to this paragraph."""

    number: int
    section: SectionName
    headings: tuple[str, ...]
    kind: ParagraphKind
    text: str


class ArticleLicence(NamedTuple):
    """`name` is short (CC BY 4.0) where the address or the text tells; `text` is the publisher's statement."""

    name: str | None
    url: str | None
    text: str | None

    @property
    def is_open(self) -> bool:
        """True where the licence allows to keep and quote the text."""
        return self.name is not None


@dataclass(frozen=True, slots=True)
class FullText:
    pmcid: str
    pmid: str | None
    doi: str | None
    title: str | None
    licence: ArticleLicence
    paragraphs: tuple[Paragraph, ...]
    references: tuple[str, ...] = ()
    """The works in its reference list, as `pubmed/cited_works.py` names them"""

    def to_json(self) -> str:
        content = {
            "doi": self.doi,
            "title": self.title,
            "licence": list(self.licence),
            "paragraphs": [list(paragraph) for paragraph in self.paragraphs],
            "references": list(self.references),
        }
        return orjson.dumps(content).decode()


def read_full_text(pmcid: str, pmid: str | None, content: str) -> FullText:
    """Return the article of which this is `to_json`."""
    fields = orjson.loads(content)
    paragraphs = tuple(
        Paragraph(number, section, tuple(headings), kind, text)
        for number, section, headings, kind, text in fields["paragraphs"]
    )
    references = tuple(fields.get("references", ()))  # articles that were stored before have none
    licence = ArticleLicence(*fields["licence"])
    return FullText(pmcid, pmid, fields["doi"], fields["title"], licence, paragraphs, references)
