"""Classifies the sections of an abstract, whatever label the authors gave them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, get_args

SectionName = Literal[
    "title", "abstract", "background", "objective", "methods", "results", "conclusions", "registration", "other"
]
SECTION_NAMES: tuple[SectionName, ...] = get_args(SectionName)

# NLM assigns one of these categories to most labels.
_CATEGORIES: dict[str, SectionName] = {
    "BACKGROUND": "background",
    "OBJECTIVE": "objective",
    "METHODS": "methods",
    "RESULTS": "results",
    "CONCLUSIONS": "conclusions",
}
# Patterns for labels without a category. The first match counts: "methods and results" is about results.
_WORDS: tuple[tuple[str, SectionName], ...] = (
    (r"regist(ration|ry)|trial number|funding|sponsor", "registration"),
    (r"conclusion|interpretation|discussion|implication|significance|relevance|summary|key point", "conclusions"),
    (r"result|finding|outcome|observation", "results"),
    (r"method|design|setting|participant|patient|population|intervention|measure|procedure|material|analys|subject"
     r"|data source|study selection|data extraction|data synthesis|eligib|evidence acquisition", "methods"),
    (r"objective|aim|purpose|goal|hypothes|question", "objective"),
    (r"background|introduction|context|importance|rationale|unlabelled", "background"),
)  # fmt: skip
_PATTERNS = tuple((re.compile(pattern), name) for pattern, name in _WORDS)


@lru_cache(maxsize=4096)
def classify_section(label: str | None, category: str | None) -> SectionName:
    """Return the name of a section; one without a label is the abstract itself."""
    if label is None and category is None:
        return "abstract"
    if category in _CATEGORIES:
        return _CATEGORIES[category]
    lowered = (label or "").lower()
    return next((name for pattern, name in _PATTERNS if pattern.search(lowered)), "other")
