"""Shapes of `papers.mesh`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sanya.suite import Integer, Shape, Text

MeshMatch = Literal["ui", "heading", "entry_term", "synonym"]
PaperCount = Annotated[Integer, Field(ge=0)]


class MeshInput(Shape):
    term: Annotated[Text, Field(min_length=1, max_length=200)]
    """Heading, other name in English or Thai, or MeSH id, e.g. heart attack or D009203"""
    limit: Annotated[Integer, Field(ge=1, le=50)] = 10
    """Most papers to list, e.g. 5"""


class MeshNeighbour(Shape):
    ui: str
    """MeSH id"""
    name: str
    """Heading"""
    tree_number: str
    """Place in the tree"""
    papers: PaperCount
    """Papers here under this heading alone"""


class MeshQualifier(Shape):
    ui: str
    """MeSH id; the name where records give none"""
    name: str
    """Qualifier"""
    papers: PaperCount
    """Papers here under the heading with this qualifier"""
    major: PaperCount
    """Those of which it is a major topic"""


class MeshPaper(Shape):
    doc_id: str
    """pmid:N, for rag.get"""
    title: str | None
    """Title"""
    year: int | None
    """Year of publication"""
    major: bool
    """Whether the heading is a major topic of it"""
    retracted: bool
    """Whether it was retracted"""


class MeshHeadingEntry(Shape):
    ui: str
    """MeSH id; the name where records give none"""
    name: str
    """Heading"""
    matched: MeshMatch
    """What the term is of it"""
    scope_note: str | None
    """What it covers, by MeSH"""
    tree_numbers: list[str]
    """Places in the tree"""
    entry_terms: list[str]
    """Other names, by MeSH"""
    other_names: list[str]
    """Other names, by our table of synonyms"""
    broader: list[MeshNeighbour]
    """Headings above it"""
    narrower: list[MeshNeighbour]
    """Headings right below it"""
    qualifiers: list[MeshQualifier]
    """Qualifiers that papers here have with it, the most frequent first"""
    papers: PaperCount
    """Papers here under the heading"""
    major: PaperCount
    """Those of which it is a major topic"""
    papers_below: PaperCount | None
    """Papers here under it or any narrower heading; null without a tree"""
    documents: list[MeshPaper]
    """Papers under the heading, major topics first, then the newest"""
    release: str | None
    """Which release of MeSH the tree and entry terms are from; null if none was imported"""


class MeshCandidate(Shape):
    ui: str
    """MeSH id; the name where records give none"""
    name: str
    """Heading"""
    papers: PaperCount
    """Papers here under it"""


class MeshAnswer(Shape):
    term: str
    """What was given"""
    status: Literal["found", "ambiguous", "not_found"]
    """found, ambiguous (choose among candidates), or not_found"""
    heading: MeshHeadingEntry | None
    """The heading, if it was found"""
    candidates: list[MeshCandidate]
    """Headings that the term may mean, or that are spelt alike"""
    unread: PaperCount
    """Papers whose headings are not counted yet"""
    advice: str | None
    """What to do next"""
