"""A PubMed record as we keep it: everything that search, quality and citation need, and nothing made up.

The parts are named tuples: a file has hundreds of thousands of them, and they are made in a third of the time.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from sanya.suites.papers.pubmed.record_json import write_canonical_json
from sanya.suites.papers.pubmed.study_headings import STUDY_HEADINGS

RETRACTED_TYPE = "Retracted Publication"
RETRACTION_IN = "retraction_in"


class Section(NamedTuple):
    """One part of an abstract. An unstructured one is a single section without a label; `category` is NLM's own word
    for the label (BACKGROUND, OBJECTIVE, METHODS, RESULTS, CONCLUSIONS)."""

    label: str | None
    category: str | None
    text: str


class OtherAbstract(NamedTuple):
    """An abstract in another language or by another hand; `kind` is its type (Publisher, plain-language-summary)."""

    kind: str | None
    language: str | None
    sections: tuple[Section, ...]


class Author(NamedTuple):
    """A person, or with `collective` a group under its own name."""

    last: str | None = None
    fore: str | None = None
    initials: str | None = None
    collective: str | None = None


class Qualifier(NamedTuple):
    name: str
    ui: str | None
    major: bool


class MeshHeading(NamedTuple):
    descriptor: str
    ui: str | None
    major: bool
    qualifiers: tuple[Qualifier, ...] = ()


class PublicationLink(NamedTuple):
    """How another publication bears on this one: retraction_in, retraction_of, erratum_in, erratum_for,
    expression_of_concern_in, comment_on, …; `citation` is its source as PubMed words it."""

    kind: str
    pmid: str | None
    citation: str


class Substance(NamedTuple):
    name: str
    ui: str | None
    registry_number: str | None


@dataclass(frozen=True, kw_only=True)
class PaperRecord:
    """`pdat` has the precision that was given ('2024', '2024-05', '2024-05-11'); `edat` and `lr` are ISO 8601 in UTC
    ('2024-06-02T00:00:00Z'): when PubMed took the record in, and when it last revised it."""

    pmid: str
    title: str | None = None
    vernacular_title: str | None = None
    sections: tuple[Section, ...] = ()
    other_abstracts: tuple[OtherAbstract, ...] = ()
    journal: str | None = None
    journal_abbreviation: str | None = None
    issn: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    pub_types: tuple[str, ...] = ()
    mesh: tuple[MeshHeading, ...] = ()
    keywords: tuple[str, ...] = ()
    authors: tuple[Author, ...] = ()
    languages: tuple[str, ...] = ()
    pdat: str | None = None
    edat: str | None = None
    lr: str | None = None
    pmcid: str | None = None
    doi: str | None = None
    links: tuple[PublicationLink, ...] = ()
    substances: tuple[Substance, ...] = ()

    @property
    def is_retracted(self) -> bool:
        return RETRACTED_TYPE in self.pub_types or RETRACTION_IN in [link.kind for link in self.links]

    @property
    def abstract(self) -> str | None:
        """The sections as one text, each after its label."""
        parts = [f"{one.label}: {one.text}" if one.label else one.text for one in self.sections if one.text]
        return "\n".join(parts) or None

    @property
    def year(self) -> int | None:
        return int(self.pdat[:4]) if self.pdat else None

    @cached_property
    def study_headings(self) -> frozenset[str] | None:
        """Those of its headings that tell what kind of study it is; None where it has no headings at all."""
        return STUDY_HEADINGS & {heading.descriptor for heading in self.mesh} if self.mesh else None

    @cached_property
    def content_json(self) -> bytes:
        """The canonical JSON (RFC 8785: sorted names, no blanks) of all but `lr`, without what is empty."""
        try:
            return write_canonical_json(self.__dict__, CONTENT)
        except ValueError:  # it was declined
            content = {name: self.__dict__[name] for name in CONTENT if self.__dict__.get(name)}
            return orjson.dumps(content, default=tuple, option=_CANONICAL)

    @cached_property
    def content_hash(self) -> str:
        return sha256(self.content_json).hexdigest()

    if not TYPE_CHECKING:  # which knows the fields

        def __getattr__(self, name: str) -> Any:
            """A record from a file comes as its JSON and what is asked of every record. The rest is read from the JSON
            when it is first asked for: of most records it never is."""
            if name not in _DEFAULTS or "content_json" not in self.__dict__:
                raise AttributeError(name)
            content = _parse_content(self.content_json)
            for one, default in _DEFAULTS.items():
                self.__dict__.setdefault(one, content.get(one, default))
            return self.__dict__[name]


_DEFAULTS = {one.name: one.default for one in fields(PaperRecord) if one.default is not MISSING}
for _name in _DEFAULTS:
    delattr(PaperRecord, _name)  # else a field that is still to be read would seem to have its default

_CANONICAL = orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_SUBCLASS
CONTENT = tuple(sorted({one.name for one in fields(PaperRecord)} - {"lr"}))


def read_record_json(content_json: str | bytes, lr: str | None) -> PaperRecord:
    """The record that `content_json` was made of."""
    return PaperRecord(**_parse_content(content_json), lr=lr)


def _parse_content(content_json: str | bytes) -> dict[str, Any]:
    content: dict[str, Any] = orjson.loads(content_json)
    for name, read in _READERS.items():
        if name in content:
            content[name] = tuple(map(read, content[name]))
    return content


def _to_other_abstract(parts: list[Any]) -> OtherAbstract:
    kind, language, sections = parts
    return OtherAbstract(kind, language, tuple(Section(*one) for one in sections))


def _to_mesh_heading(parts: list[Any]) -> MeshHeading:
    descriptor, ui, major, qualifiers = parts
    return MeshHeading(descriptor, ui, major, tuple(Qualifier(*one) for one in qualifiers))


_READERS: dict[str, Any] = {
    "sections": lambda parts: Section(*parts),
    "other_abstracts": _to_other_abstract,
    "pub_types": str,
    "mesh": _to_mesh_heading,
    "keywords": str,
    "authors": lambda parts: Author(*parts),
    "languages": str,
    "links": lambda parts: PublicationLink(*parts),
    "substances": lambda parts: Substance(*parts),
}
