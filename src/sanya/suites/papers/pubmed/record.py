"""A PubMed record: everything that search, quality and citation need of a paper.

The parts are named tuples, because a file has hundreds of thousands of them and a named tuple is made in a third of the
time of a dataclass.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar, cast

import orjson

from sanya.suites.papers.pubmed.record_json import write_canonical_json
from sanya.suites.papers.pubmed.study_headings import STUDY_HEADINGS

RETRACTED_TYPE = "Retracted Publication"
RETRACTION_IN = "retraction_in"

_Default = TypeVar("_Default")


class Section(NamedTuple):
    """A part of an abstract. An unstructured abstract is a single section without a label; `category` is NLM's term for
    the label (BACKGROUND, OBJECTIVE, METHODS, RESULTS, CONCLUSIONS)."""

    label: str | None
    category: str | None
    text: str


class OtherAbstract(NamedTuple):
    """An abstract in another language or by another author; `kind` is its type (Publisher, plain-language-summary)."""

    kind: str | None
    language: str | None
    sections: tuple[Section, ...]


class Author(NamedTuple):
    """A person, or a group with the name `collective`."""

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
    """A link to a publication about this one: retraction_in, retraction_of, erratum_in, erratum_for,
    expression_of_concern_in, comment_on, …; `citation` is its source as PubMed prints it."""

    kind: str
    pmid: str | None
    citation: str


class Substance(NamedTuple):
    name: str
    ui: str | None
    registry_number: str | None


class _DeferredField:
    """A field of `PaperRecord` that is read from the record's JSON when first used.

    A record of the fast reader comes with its `content_json` and the fields that every import needs. It leaves the
    deferred fields out of its `__dict__`, because few records are ever asked for them. Python calls a descriptor that
    has no `__set__` only for a name that is missing there, so a record with all its fields pays nothing.
    """

    def __init__(self, default: object) -> None:
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, record: PaperRecord | None, owner: type) -> object:
        if record is None:  # `dataclass` reads the default of the field so
            return self._default
        content = _parse_content(record.content_json)
        for name, default in _DEFERRED_DEFAULTS.items():
            record.__dict__.setdefault(name, content.get(name, default))
        return record.__dict__[self._name]


def _defer(default: _Default) -> _Default:
    """Return a deferred field, to type checkers its default."""
    return cast(_Default, _DeferredField(default))


@dataclass(frozen=True, kw_only=True)
class PaperRecord:
    """`pdat` has the precision that PubMed gives ('2024', '2024-05', '2024-05-11'). `edat` and `lr` are ISO 8601 in UTC
    ('2024-06-02T00:00:00Z'): when PubMed took the record in, and when it last revised it."""

    pmid: str
    title: str | None = None
    vernacular_title: str | None = None
    sections: tuple[Section, ...] = ()
    other_abstracts: tuple[OtherAbstract, ...] = _defer(())
    journal: str | None = None
    journal_abbreviation: str | None = None
    issn: str | None = _defer(None)
    volume: str | None = _defer(None)
    issue: str | None = _defer(None)
    pages: str | None = _defer(None)
    pub_types: tuple[str, ...] = ()
    mesh: tuple[MeshHeading, ...] = _defer(())
    keywords: tuple[str, ...] = _defer(())
    authors: tuple[Author, ...] = _defer(())
    languages: tuple[str, ...] = _defer(())
    pdat: str | None = None
    edat: str | None = None
    lr: str | None = None
    pmcid: str | None = _defer(None)
    doi: str | None = _defer(None)
    links: tuple[PublicationLink, ...] = ()
    substances: tuple[Substance, ...] = _defer(())
    references: tuple[str, ...] = _defer(())
    """The works in its reference list, as `cited_works` names them"""

    @property
    def is_retracted(self) -> bool:
        return RETRACTED_TYPE in self.pub_types or RETRACTION_IN in [link.kind for link in self.links]

    @property
    def abstract(self) -> str | None:
        """The sections as one text, each after its label."""
        sections = [section for section in self.sections if section.text]
        parts = [f"{section.label}: {section.text}" if section.label else section.text for section in sections]
        return "\n".join(parts) or None

    @property
    def year(self) -> int | None:
        return int(self.pdat[:4]) if self.pdat else None

    @cached_property
    def study_headings(self) -> frozenset[str] | None:
        """The headings that tell what kind of study it is; None for a record without headings."""
        return STUDY_HEADINGS & {heading.descriptor for heading in self.mesh} if self.mesh else None

    @cached_property
    def content_json(self) -> bytes:
        """The canonical JSON (RFC 8785: sorted names, no blanks) of all fields but `lr` that are not empty."""
        try:
            return write_canonical_json(self.__dict__, CONTENT)
        except ValueError:  # the compiled writer declines control characters and lone surrogates
            content = {name: self.__dict__[name] for name in CONTENT if self.__dict__.get(name)}
            return orjson.dumps(content, default=tuple, option=_CANONICAL)

    @cached_property
    def content_hash(self) -> str:
        return sha256(self.content_json).hexdigest()


_DEFERRED_DEFAULTS = {
    field.name: field.default
    for field in fields(PaperRecord)
    if isinstance(vars(PaperRecord).get(field.name), _DeferredField)
}
_CANONICAL = orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_SUBCLASS
CONTENT = tuple(sorted({field.name for field in fields(PaperRecord)} - {"lr"}))


def read_record_json(content_json: str | bytes, lr: str | None) -> PaperRecord:
    """Return the record of which this is the `content_json`."""
    return PaperRecord(**_parse_content(content_json), lr=lr)


def _parse_content(content_json: str | bytes) -> dict[str, Any]:
    content: dict[str, Any] = orjson.loads(content_json)
    for name, convert in _CONVERTERS.items():
        if name in content:
            content[name] = tuple(map(convert, content[name]))
    return content


def _to_other_abstract(parts: list[Any]) -> OtherAbstract:
    kind, language, sections = parts
    return OtherAbstract(kind, language, tuple(Section(*section) for section in sections))


def _to_mesh_heading(parts: list[Any]) -> MeshHeading:
    descriptor, ui, major, qualifiers = parts
    return MeshHeading(descriptor, ui, major, tuple(Qualifier(*qualifier) for qualifier in qualifiers))


_CONVERTERS: dict[str, Any] = {
    "sections": lambda parts: Section(*parts),
    "other_abstracts": _to_other_abstract,
    "pub_types": str,
    "mesh": _to_mesh_heading,
    "keywords": str,
    "authors": lambda parts: Author(*parts),
    "languages": str,
    "links": lambda parts: PublicationLink(*parts),
    "substances": lambda parts: Substance(*parts),
    "references": str,
}
