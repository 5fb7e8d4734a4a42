"""All names in a document, page by page.

To the names of the graph this adds names that nobody knows yet: Latin binomials and ICD-10 codes. It also applies the
document's own definitions. Where a document puts a common name beside a scientific one, the common name means that
species throughout the document.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from sanya.suite.text import Span
from sanya.suites.herbs.graph.model import SUBJECT_TYPES
from sanya.suites.herbs.ingest.extraction.binomials import Binomial
from sanya.suites.herbs.ingest.extraction.entity_linker import (
    CONFIDENCE,
    EntityLinker,
    PageMention,
    PageMentionKind,
)
from sanya.suites.herbs.ingest.extraction.icd_codes import find_icd_codes
from sanya.suites.herbs.ingest.extraction.page_text import PageText

_APPOSITION = re.compile(r"\s*[(\[]?\s*(?:ชื่อวิทยาศาสตร์|scientific name)?\s*[:=]?\s*")


def find_document_mentions(
    linker: EntityLinker, pages: Sequence[PageText], binomials: Mapping[int, Sequence[Binomial]]
) -> list[list[PageMention]]:
    """Return the mentions of each page in the order of its text; no two overlap."""
    genera = {binomial.read_from(page.text).split()[0] for page in pages for binomial in binomials[page.page.number]}
    mentions_by_page = [
        _add_unknown(page, linker.find_mentions(page, genera), binomials[page.page.number]) for page in pages
    ]
    definitions = dict(_find_definitions(pages, mentions_by_page))
    return [
        [_apply_definition(page, mention, definitions) for mention in mentions]
        for page, mentions in zip(pages, mentions_by_page, strict=True)
    ]


def _add_unknown(page: PageText, mentions: list[PageMention], binomials: Sequence[Binomial]) -> list[PageMention]:
    """Add what has the form of a name but is none that the graph knows."""
    candidates: list[tuple[Span, PageMentionKind]] = [(binomial.span, "binomial") for binomial in binomials]
    candidates += [(span, "icd10") for span in find_icd_codes(page.text)]
    ends = [mention.end for mention in mentions]
    unknown = [
        PageMention(*span, kind, {}, CONFIDENCE[kind])
        for span, kind in candidates
        if not _is_overlapping(span, mentions, ends)
    ]
    return sorted([*mentions, *unknown], key=lambda mention: mention.start) if unknown else mentions


def _is_overlapping(span: Span, mentions: Sequence[PageMention], ends: Sequence[int]) -> bool:
    """Return whether one of the mentions, which do not overlap each other, shares a letter with the span."""
    at = bisect_right(ends, span.start)
    return at < len(mentions) and mentions[at].start < span.end


def _find_definitions(
    pages: Sequence[PageText], mentions_by_page: Sequence[Sequence[PageMention]]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each common name that the document puts beside a scientific one, with the herbs it then means.

    A name that the graph knows for another plant, or that the document defines twice, means several and is ambiguous.
    """
    species_by_name: dict[str, set[str]] = {}
    for page, mentions in zip(pages, mentions_by_page, strict=True):
        for mention, following in pairwise(mentions):
            species = following.get_single_node("herb") if following.kind == "binomial" else None
            if not species or mention.kind == "binomial" or not mention.has_type(*SUBJECT_TYPES):
                continue
            if _APPOSITION.fullmatch(page.form, mention.end, following.start) is None:
                continue
            meanings = species_by_name.setdefault(page.form[mention.start : mention.end], set())
            meanings.add(species)
            if (known := mention.get_single_node("herb")) is not None:
                meanings.add(known)
    for name, meanings in species_by_name.items():
        yield name, tuple(sorted(meanings))


def _apply_definition(page: PageText, mention: PageMention, definitions: Mapping[str, tuple[str, ...]]) -> PageMention:
    if mention.kind == "binomial" or (species := definitions.get(page.form[mention.start : mention.end])) is None:
        return mention
    if not mention.has_type(*SUBJECT_TYPES) or mention.get_single_node("formulation") is not None:
        return mention
    others = {type: nodes for type, nodes in mention.nodes_by_type.items() if type not in SUBJECT_TYPES}
    return replace(mention, nodes_by_type={**others, "herb": species})
