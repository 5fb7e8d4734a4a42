"""Marks facts whose sources were retracted or are doubted: the sentence says so, and the fact needs a review."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from sanya.suites.herbs.graph.model import HerbSource

if TYPE_CHECKING:
    from sanya.suites.herbs.facts.fact import HerbFact


def mark_fact(fact: HerbFact, sources: Mapping[str, HerbSource]) -> HerbFact:
    doubtful = [sources[id] for id in fact.sources if id in sources and sources[id].is_doubtful]
    if not doubtful:
        return fact
    thai = " ".join(f"[{_format_thai(source)}]" for source in doubtful)
    english = " ".join(f"[{_format_english(source)}]" for source in doubtful)
    return replace(fact, thai=f"{fact.thai} {thai}", english=f"{fact.english} {english}", review="needs_review")


def _format_thai(source: HerbSource) -> str:
    words = "ถูกเพิกถอนการตีพิมพ์แล้ว" if source.standing == "retracted" else "มีประกาศแสดงความกังวลจากวารสาร"
    return f"แหล่งอ้างอิง PMID {source.pmid} {words}"


def _format_english(source: HerbSource) -> str:
    words = "was retracted" if source.standing == "retracted" else "is under an expression of concern"
    return f"Its source PMID {source.pmid} {words}."
