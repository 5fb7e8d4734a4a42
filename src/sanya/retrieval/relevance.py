"""Absolute relevance: how likely a hit answers the query, 0 to 1, whatever else was found.

The score of a hit is relative to the other candidates of its query: the best one scores near 1 even where nothing fits.
Relevance compares with an ideal instead. Two measurements are absolute:

- coverage: the BM25 score divided by the most that any document could score for these terms. A query word that no
  document contains counts as the rarest word, so a query about something else stays low.
- cosine: the angle between the vectors of query and document.

A logistic function turns them into a probability. Its coefficients were fitted on judged hits of sets with known
answers and of queries put to a corpus that holds no answer (`benchmarks/relevance.py`), separately for each pair of
languages, and for hits that have both measurements, words alone, or vectors alone. Cosines of two models are not
comparable, so a hit with a vector of a model that was not calibrated has no relevance: it cannot be told.

**How a suite uses it.** Each `Hit` carries its `relevance`; show it beside the score. `judge_fit` says what the hits
are worth together: `good`, `weak` (related at best: say so) or `none` (an answer without hits is better).
`describe_fit` words that for people and agents, and a note carries it beside the answer:

    result = await library.search(query)
    fit = judge_fit([hit.relevance for hit in result.hits], by_words_alone=not any(h.similarity for h in result.hits))
    note = {"fit": fit.level, "relevance": fit.best}
    if fit.level != "good":
        note["message"] = describe_fit(fit, CorpusSize(3, "papers", "บทความ"), advice, result.language)
    context.note("search", note)
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from operator import mul
from typing import Any, Literal, NamedTuple

FitLevel = Literal["good", "weak", "none"]
CosineBand = tuple[float, float]
"""The usual lowest and highest cosine among the candidates of a query, in a corpus that is embedded as a whole."""

_DATA = "relevance.json"
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class RelevanceModel:
    """Coefficients for one pair of languages and one embedding model; None where nothing was calibrated."""

    by_both: tuple[float, float, float] | None = None
    """Intercept, weight of the coverage, weight of the cosine."""
    by_words: tuple[float, float] | None = None
    by_meaning: tuple[float, float] | None = None
    cosine_band: CosineBand | None = None

    def estimate(self, coverage: float | None, cosine: float | None) -> float | None:
        """Return the relevance of a hit. `coverage` is None if no words were looked up, `cosine` if the hit has no
        vector; the relevance is None where nothing was calibrated for what is known."""
        measured = [value for value in (coverage, cosine) if value is not None]
        if cosine is None:
            weights: tuple[float, ...] | None = self.by_words
        else:
            weights = self.by_meaning if coverage is None else self.by_both
        if not weights or not measured:
            return None
        return _apply_logistic(weights[0] + sum(map(mul, weights[1:], measured)))


class Fit(NamedTuple):
    """A judgement of all hits of an answer together."""

    level: FitLevel
    best: float | None
    """The highest relevance; None without hits, or if none of them could be judged."""


@dataclass(frozen=True, slots=True)
class CorpusSize:
    """The number of documents that were searched, and their name in English and Thai."""

    count: int
    noun: str
    noun_th: str


@dataclass(frozen=True, slots=True)
class Advice:
    """A way to get more documents, in English and Thai."""

    text: str
    text_th: str


def judge_fit(relevances: Iterable[float | None], *, by_words_alone: bool = False) -> Fit:
    """Judge hits by the best of them. Hits that could not be judged count as good: nothing speaks against them. Without
    any vector the fit is at least weak: a document may say the same in words that no list of synonyms has."""
    known = list(relevances)
    judged = [relevance for relevance in known if relevance is not None]
    if len(judged) < len(known):
        return Fit("good", max(judged, default=None))
    if not judged:
        return Fit("none", None)
    level = rate_relevance(max(judged))
    return Fit("weak" if level == "none" and by_words_alone else level, max(judged))


def rate_relevance(relevance: float) -> FitLevel:
    table = _load()
    if relevance < table["none_below"]:
        return "none"
    return "weak" if relevance < table["weak_below"] else "good"


def describe_fit(fit: Fit, size: CorpusSize, advice: Advice, language: str) -> str:
    """Say in the language of the query how poor the hits are, how much was searched, and what brings more."""
    return _describe_in_thai(fit, size, advice) if language == "th" else _describe_in_english(fit, size, advice)


def describe_unindexed(language: str) -> str:
    """Say in the language of the query that the search left out documents which are still being indexed."""
    if language == "th":
        return "ข้อความบางส่วนที่เพิ่งบันทึกกำลังทำดัชนีอยู่และยังไม่ได้ค้น โปรดลองอีกครั้งในอีกสักครู่"
    return "Some texts that were just stored are still being indexed and were not searched; ask again in a moment."


def _describe_in_english(fit: Fit, size: CorpusSize, advice: Advice) -> str:
    begun = "Nothing here fits the question" if fit.level == "none" else "Nothing here fits the question well"
    shown = "" if fit.best is None else f" (best relevance {fit.best:.2f} of 1)"
    return f"{begun}{shown}. {size.count:,} {size.noun} were searched. {advice.text}"


def _describe_in_thai(fit: Fit, size: CorpusSize, advice: Advice) -> str:
    begun = "ไม่พบสิ่งที่ตรงกับคำถาม" if fit.level == "none" else "ไม่พบสิ่งที่ตรงกับคำถามดีนัก"
    shown = "" if fit.best is None else f" (ความเกี่ยวข้องสูงสุด {fit.best:.2f} จาก 1)"
    return f"{begun}{shown} ค้นจาก{size.noun_th} {size.count:,} รายการ {advice.text_th}"


@cache
def find_model(spoken: str, documents: str, model_digest: str | None) -> RelevanceModel:
    """Return the coefficients for a query and documents in these languages, embedded by this model."""
    pair = f"{spoken}-{documents}"
    table: Mapping[str, Any] = _load()
    words = table["words"].get(pair)
    vectors = table["models"].get(model_digest, {}).get("pairs", {}).get(pair, {})
    return RelevanceModel(
        by_both=tuple(vectors["both"]) if "both" in vectors else None,
        by_words=tuple(words) if words else None,
        by_meaning=tuple(vectors["meaning"]) if "meaning" in vectors else None,
        cosine_band=tuple(vectors["band"]) if "band" in vectors else None,
    )


@cache
def _load() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(files(__package__).joinpath(_DATA).read_text(encoding="utf-8"))
    return table


def _apply_logistic(value: float) -> float:
    return round(1 / (1 + math.exp(-value)), _DIGITS)
