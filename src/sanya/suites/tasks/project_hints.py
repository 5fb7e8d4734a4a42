"""Ranks projects by how much their id or name is like a text, for a request with an id that no project has."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from sanya.suite.text import fold

_MAX_HINTS = 3
# Below this likeness a suggestion would only confuse.
_LEAST_LIKENESS = 0.6


def rank_projects(text: str, projects: Sequence[tuple[str, str]]) -> list[str]:
    """Return the ids and names of the nearest projects, the most like first."""
    wanted = fold(text.strip())
    ranked = sorted((-_compute_likeness(wanted, id, name), id, name) for id, name in projects)
    return [f"{id} ({name})" for score, id, name in ranked if -score >= _LEAST_LIKENESS][:_MAX_HINTS]


def _compute_likeness(wanted: str, id: str, name: str) -> float:
    """Return 1 where one text contains the other, else the share of common characters in order."""
    known = [fold(id), fold(name)]
    if any(wanted in text or text in wanted for text in known if text and wanted):
        return 1.0
    return max(SequenceMatcher(None, wanted, text).ratio() for text in known)
