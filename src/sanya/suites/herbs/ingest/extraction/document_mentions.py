"""All that a document names, page by page: the names of the graph, Latin names that nobody knows, and what the document
itself says about its names."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from sanya.suites.herbs.ingest.extraction.binomials import Binomial
from sanya.suites.herbs.ingest.extraction.entity_linker import CONFIDENCE, SUBJECTS, Found, Kind, Linker
from sanya.suites.herbs.ingest.extraction.icd_codes import icd_codes
from sanya.suites.herbs.ingest.extraction.page_text import PageText
from sanya.text.spans import Span

_APPOSED = re.compile(r"\s*[(\[]?\s*(?:ชื่อวิทยาศาสตร์|scientific name)?\s*[:=]?\s*")


def document_mentions(
    linker: Linker, pages: Sequence[PageText], latin: Mapping[int, Sequence[Binomial]]
) -> list[list[Found]]:
    """For each page, in the order of its text; no two overlap."""
    genera = {one.of(page.text).split()[0] for page in pages for one in latin[page.page.number]}
    found = [_with_unknown(page, linker.find(page, genera), latin[page.page.number]) for page in pages]
    meant = dict(_definitions(pages, found))
    return [[_defined(page, one, meant) for one in some] for page, some in zip(pages, found, strict=True)]


def _with_unknown(page: PageText, found: list[Found], latin: Sequence[Binomial]) -> list[Found]:
    """And what has the form of a name but is none that the graph knows."""
    formed: list[tuple[Span, Kind]] = [(one.span, "binomial") for one in latin]
    formed += [(span, "icd10") for span in icd_codes(page.text)]
    ends = [one.end for one in found]
    unknown = [Found(*span, kind, {}, CONFIDENCE[kind]) for span, kind in formed if not _meets(span, found, ends)]
    return sorted([*found, *unknown], key=lambda one: one.start) if unknown else found


def _meets(span: Span, found: Sequence[Found], ends: Sequence[int]) -> bool:
    """Whether one of those found, which do not overlap, shares a letter with it."""
    at = bisect_right(ends, span.start)
    return at < len(found) and found[at].start < span.end


def _definitions(pages: Sequence[PageText], found: Sequence[Sequence[Found]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Names that the document itself puts beside a scientific one: that is what they mean in it. Where the graph knows
    the name for another plant, or the document uses it for two, it is ambiguous."""
    said: dict[str, set[str]] = {}
    for page, some in zip(pages, found, strict=True):
        for one, other in pairwise(some):
            species = other.one("herb") if other.kind == "binomial" else None
            if species and one.kind != "binomial" and one.is_of(*SUBJECTS) and _is_apposed(page, one, other):
                said.setdefault(page.form[one.start : one.end], set()).add(species)
                if (known := one.one("herb")) is not None:
                    said[page.form[one.start : one.end]].add(known)
    for name, meant in said.items():
        yield name, tuple(sorted(meant))


def _is_apposed(page: PageText, one: Found, other: Found) -> bool:
    return _APPOSED.fullmatch(page.form, one.end, other.start) is not None


def _defined(page: PageText, one: Found, meant: Mapping[str, tuple[str, ...]]) -> Found:
    if one.kind == "binomial" or (species := meant.get(page.form[one.start : one.end])) is None:
        return one
    if not one.is_of(*SUBJECTS) or one.one("formulation") is not None:
        return one
    return replace(
        one, meant={**{type: some for type, some in one.meant.items() if type not in SUBJECTS}, "herb": species}
    )
