"""Finds the heading that a term names: by id, heading, entry term, synonym, or nearly so."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple

from sanya.suites.papers.indexing.name_folding import fold_name
from sanya.suites.papers.mesh.contract import MeshMatch
from sanya.suites.papers.mesh.headings import Heading, Headings, NamedHeading
from sanya.suites.papers.search.synonyms import Synonyms

_UI = re.compile(r"\s*(?:mesh(?:\s*id)?\s*:?\s*)?([DQ][0-9]{6,10})\s*", re.IGNORECASE)
_LABEL = re.compile(
    r"^\s*(?:mesh(?:\s+(?:term|heading))?\s*:\s*)|\[(?:mesh|mh|majr)[^\]]*\]\s*$|^[\s\"']+|[\s\"']+$", re.I
)
_CANDIDATES = 10
_ALIKE = 0.8


class HeadingMatch(NamedTuple):
    """The heading and how it was matched, or else candidates; `is_named` tells that the candidates hold the term."""

    heading: Heading | None
    matched: MeshMatch
    candidates: Sequence[Heading] = ()
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class HeadingSearch:
    headings: Headings
    load_synonyms: Callable[[], Synonyms]

    async def find(self, term: str) -> HeadingMatch:
        bare = _LABEL.sub("", _LABEL.sub("", term)).partition("/")[0].strip() or term
        if match := _UI.fullmatch(bare):
            found = await self.headings.find_by_ui(match[1].upper())
            return HeadingMatch(found[0] if found else None, "ui")
        for form in _list_forms(bare):
            if len(found := await self.headings.find_by_name(form)) == 1:
                return HeadingMatch(found[0], "heading")
        entered = [heading for form in _list_forms(bare) for heading in await self.headings.find_by_entry_term(form)]
        if entered:
            candidates = list(dict.fromkeys(entered))
            only = candidates[0] if len(candidates) == 1 else None
            return HeadingMatch(only, "entry_term", candidates, is_named=True)
        return await self._find_by_synonym(bare) or await self._find_nearly(bare)

    async def _find_by_synonym(self, term: str) -> HeadingMatch | None:
        names = self.load_synonyms().find_other_names(term)
        found = [heading for name in names for heading in await self.headings.find_by_name(name)]
        candidates = list(dict.fromkeys(found))
        if not candidates:
            return None
        return HeadingMatch(candidates[0] if len(candidates) == 1 else None, "synonym", candidates, is_named=True)

    async def _find_nearly(self, term: str) -> HeadingMatch:
        """Offer headings that hold all words of the term, else those that are spelt like it."""
        names = await self.headings.list_names()
        words = fold_name(term).split()
        holding = [name for name in names if words and _has_words(name.folded, words)]
        if holding:
            counts = await self.headings.count_papers(name.ui for name in holding)
            holding.sort(key=lambda name: (-counts.get(name.ui, 0), len(name.name), name.name))
            return HeadingMatch(None, "heading", [Heading(name.ui, name.name) for name in holding[:_CANDIDATES]], True)
        close = await asyncio.to_thread(_find_close_names, fold_name(term), names)
        return HeadingMatch(None, "heading", close)


def _has_words(folded: str, words: Sequence[str]) -> bool:
    parts = folded.split()
    return all(any(part.startswith(word) for part in parts) for word in words)


def _find_close_names(folded: str, names: Sequence[NamedHeading]) -> list[Heading]:
    by_name = {name.folded: name for name in names if abs(len(name.folded) - len(folded)) <= max(3, len(folded) // 4)}
    close = get_close_matches(folded, by_name, n=_CANDIDATES, cutoff=_ALIKE)
    return [Heading(by_name[name].ui, by_name[name].name) for name in close]


def _list_forms(term: str) -> list[str]:
    """Return the term, its plural and singular, and with a comma turned: `heart failure, acute` and `acute heart
    failure` are asked alike."""
    forms = [term]
    first, comma, rest = term.partition(",")
    if comma and rest.strip():
        forms.append(f"{rest.strip()} {first.strip()}")
    elif len(words := term.split()) > 1:
        forms.append(f"{' '.join(words[1:])}, {words[0]}")
        forms.append(f"{words[-1]}, {' '.join(words[:-1])}")
    for form in tuple(forms):
        forms.append(form.removesuffix("s") if form.endswith("s") else f"{form}s")
    return list(dict.fromkeys(forms))
