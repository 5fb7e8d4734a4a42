"""Calibration of the absolute relevance: how well it tells questions that the documents answer from those they do not.

Questions with known answers are asked of their own documents, and of documents that cannot answer them: another set,
another conversation, or the same set without the article that the question is about. A third of the questions, chosen
by a hash of their text, is never fitted; all figures are those of that third.

`python -m benchmarks.relevance --write` fits the coefficients again and writes them into the package. It uses the home
of retrieval_quality, so that each text is embedded once.
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks import memory_locomo
from benchmarks.result import Result, judge_ratio
from benchmarks.retrieval_library import get_cached_home, opened_library
from benchmarks.retrieval_quality import fill, read_judgements, read_rows
from sanya.engines.embedders.offline import GRANITE, USE
from sanya.retrieval import relevance
from sanya.retrieval.documents import Equals, Filter
from sanya.retrieval.search import Library, SearchQuery

DATA_FILE = Path(relevance.__file__).with_name("relevance.json")
DEPTH = 10
PARAGRAPHS_PER_ARTICLE = 5
MODES = ("hybrid", "bm25", "semantic")
EVIDENCE = {"hybrid": "both", "bm25": "words", "semantic": "meaning"}
PAIRS = ("en-en", "th-th", "th-en", "en-th")
# The weakest regularisation under which no coefficient runs away where the classes can be told apart perfectly.
RIDGE = 1e-2
# The share of answerable questions whose best hit may lie below a threshold.
LOST_AS_NONE = 0.01
LOST_AS_WEAK = 0.10


class Question(NamedTuple):
    source: str
    namespace: str
    text: str
    relevant: Collection[str]
    """Ids of the documents that answer it; none if nothing does."""
    excluded: Collection[str] = ()
    """Ids that count as absent."""
    filters: tuple[Filter, ...] = ()
    knows_all: bool = True
    """False if documents beside the relevant ones may answer it too: such hits are not judged."""


class JudgedHit(NamedTuple):
    question: Question
    mode: str
    pair: str
    coverage: float
    cosine: float
    is_relevant: bool


class Collected(NamedTuple):
    hits: list[JudgedHit]
    bands: dict[str, list[float]]
    """The mean of the lowest and of the highest cosine among the candidates of a query, by pair of languages."""


def run() -> Result:
    """Return the share of unanswerable questions that are not called good, beside that of answerable ones that are."""
    hits = asyncio.run(collect()).hits
    table = json.loads(DATA_FILE.read_text(encoding="utf-8"))
    flagged, kept = report(hits, table)
    return judge_ratio("relevance", min(flagged, kept), 1.0, (">=", 0.8))


async def collect() -> Collected:
    hits: list[JudgedHit] = []
    async with opened_library(get_cached_home("retrieval_quality")) as library:
        for name in ("scifact", "xquad_th_en", "xquad_th_th"):
            await fill(library, name)
        await library.declare(memory_locomo.PLAIN)
        conversations = memory_locomo.read_conversations(memory_locomo.DATA)
        if not await library.count(memory_locomo.PLAIN):
            for conversation in conversations:
                await memory_locomo.index_conversation(library, conversation)
        questions = [*list_questions(), *list_conversation_questions(conversations)]
        bands = await measure_bands(library, [question for question in questions if question.relevant])
        for question in questions:
            for mode in MODES:
                hits += [hit async for hit in judge_hits(library, question, mode)]
    return Collected(hits, bands)


async def measure_bands(library: Library, questions: Sequence[Question]) -> dict[str, list[float]]:
    seen: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for question in [question for question in questions if not is_held_out(question)]:
        query = SearchQuery(question.text, question.namespace, limit=DEPTH, filters=question.filters)
        result = await library.search(query)
        for ranked in result.searches:
            pair = f"{result.language}-{ranked.search.language}"
            seen[pair].append((float(ranked.similarity.min()), float(ranked.similarity.max())))
    return {pair: [round(float(end), 3) for end in np.mean(bands, axis=0)] for pair, bands in seen.items()}


def list_questions() -> list[Question]:
    claims, facts = read_rows("scifact", "queries"), read_judgements("scifact")
    english, thai = read_rows("xquad_en_th", "queries"), read_rows("xquad_th_th", "queries")
    answers = read_judgements("xquad_th_th")
    questions = [Question("scifact", "scifact", row["text"], facts[row["id"]]) for row in claims]
    questions += [Question("claims to encyclopedia", "xquad_th_en", row["text"], ()) for row in claims[::2]]
    questions += [Question("claims to encyclopedia", "xquad_th_th", row["text"], ()) for row in claims[1::2]]
    for rows, own in ((english[::5], "xquad en"), (thai[::5], "xquad th")):
        for namespace in ("xquad_th_en", "xquad_th_th"):
            questions += [Question(own, namespace, row["text"], answers[row["id"]]) for row in rows]
            questions += [
                Question(f"{own}, article removed", namespace, row["text"], (), list_article(answers[row["id"]]))
                for row in rows
            ]
        questions += [Question(f"{own} to science", "scifact", row["text"], ()) for row in rows]
    return questions


def list_article(relevant: Iterable[str]) -> set[str]:
    """Return the ids of all paragraphs of the articles of some paragraphs."""
    starts = {int(id) // PARAGRAPHS_PER_ARTICLE * PARAGRAPHS_PER_ARTICLE for id in relevant}
    return {str(start + at) for start in starts for at in range(PARAGRAPHS_PER_ARTICLE)}


def list_conversation_questions(conversations: Sequence[memory_locomo.Conversation]) -> list[Question]:
    questions: list[Question] = []
    for at, conversation in enumerate(conversations):
        own, other = ((Equals("conversation", asked.id),) for asked in (conversation, conversations[at - 1]))
        for text, evidence in conversation.questions:
            relevant = {f"{conversation.id} {turn}" for turn in evidence}
            questions.append(Question("locomo", memory_locomo.PLAIN, text, relevant, (), own, knows_all=False))
            questions.append(Question("locomo, other people", memory_locomo.PLAIN, text, (), filters=other))
    return questions


async def judge_hits(library: Library, question: Question, mode: str) -> AsyncIterator[JudgedHit]:
    limit = DEPTH + len(question.excluded)
    query = SearchQuery(question.text, question.namespace, mode, limit=limit, filters=question.filters)  # type: ignore[arg-type]
    result = await library.search(query)
    bounds = {ranked.search.language: ranked.search.candidates.word_bound for ranked in result.searches}
    for hit in [hit for hit in result.hits if hit.id not in question.excluded][:DEPTH]:
        bound = bounds[hit.language]
        coverage = hit.bm25 / bound if bound else 0.0
        pair = f"{result.language}-{hit.language}"
        if question.knows_all or hit.id in question.relevant:
            yield JudgedHit(question, mode, pair, coverage, hit.similarity, hit.id in question.relevant)


def is_held_out(question: Question) -> bool:
    return sha256(question.text.encode()).digest()[0] % 3 == 0


def fit_table(hits: Sequence[JudgedHit], bands: dict[str, list[float]]) -> dict[str, Any]:
    table: dict[str, Any] = {
        "words": {},
        "models": {model.digest: {"name": model.name, "pairs": {}} for model in (GRANITE, USE)},
    }
    for pair in PAIRS:
        model = (GRANITE if pair == "en-en" else USE).digest
        table["models"][model]["pairs"][pair] = {"band": bands[pair]}
        for mode, evidence in EVIDENCE.items():
            own = [hit for hit in hits if hit.pair == pair and hit.mode == mode and not is_held_out(hit.question)]
            coefficients = fit_logistic(own, evidence)
            if evidence == "words":
                table["words"][pair] = coefficients
            else:
                table["models"][model]["pairs"][pair][evidence] = coefficients
    return table | choose_thresholds([hit for hit in hits if not is_held_out(hit.question)], table)


def fit_logistic(hits: Sequence[JudgedHit], evidence: str) -> list[float]:
    """Fit by Newton's method. Coefficients are rounded to four digits, as they are stored."""
    rows = np.array([[1.0, *pick_evidence(hit, evidence)] for hit in hits])
    labels = np.array([float(hit.is_relevant) for hit in hits])
    weights = np.zeros(rows.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-rows @ weights))
        gradient = rows.T @ (labels - likely) - RIDGE * weights
        curvature = (rows * (likely * (1 - likely))[:, None]).T @ rows + RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(curvature, gradient)
    return [round(float(weight), 4) for weight in weights]


def pick_evidence(hit: JudgedHit, evidence: str) -> list[float]:
    return {"both": [hit.coverage, hit.cosine], "words": [hit.coverage], "meaning": [hit.cosine]}[evidence]


def estimate(hit: JudgedHit, table: dict[str, Any]) -> float:
    evidence = EVIDENCE[hit.mode]
    model = (GRANITE if hit.pair == "en-en" else USE).digest
    coefficients = (
        table["words"][hit.pair] if evidence == "words" else table["models"][model]["pairs"][hit.pair][evidence]
    )
    return 1 / (1 + math.exp(-coefficients[0] - float(np.dot(coefficients[1:], pick_evidence(hit, evidence)))))


def find_best(hits: Iterable[JudgedHit], table: dict[str, Any], mode: str = "hybrid") -> dict[Question, float]:
    """Return the highest relevance among the hits of each question; 0 if there are none."""
    best: defaultdict[Question, float] = defaultdict(float)
    for hit in hits:
        if hit.mode == mode:
            question = hit.question._replace(relevant=tuple(hit.question.relevant), excluded=())
            best[question] = max(best[question], estimate(hit, table))
    return dict(best)


def choose_thresholds(hits: Sequence[JudgedHit], table: dict[str, Any]) -> dict[str, float]:
    answerable = [value for question, value in find_best(hits, table).items() if question.relevant]
    lost = np.quantile(answerable, [LOST_AS_NONE, LOST_AS_WEAK])
    return {"none_below": round(float(lost[0]), 2), "weak_below": round(float(lost[1]), 2)}


def report(hits: Sequence[JudgedHit], table: dict[str, Any]) -> tuple[float, float]:
    """Print the figures of the held-out third. Return the share of unanswerable questions that are weak or none, and
    that of answerable ones that are good."""
    unseen = [hit for hit in hits if is_held_out(hit.question)]
    print(f"thresholds: none below {table['none_below']}, weak below {table['weak_below']}")
    shares: dict[bool, list[bool]] = {True: [], False: []}
    for mode in MODES:
        best = find_best(unseen, table, mode)
        print(f"{mode:10}{'questions':>10}{'good':>8}{'weak':>8}{'none':>8}")
        for source in sorted({question.source for question in best}, key=str):
            values = [value for question, value in best.items() if question.source == source]
            good = sum(value >= table["weak_below"] for value in values) / len(values)
            none = sum(value < table["none_below"] for value in values) / len(values)
            print(f"  {source:28}{len(values):>6}{good:>8.3f}{1 - good - none:>8.3f}{none:>8.3f}")
        if mode == "hybrid":
            for question, value in best.items():
                shares[bool(question.relevant)].append(value >= table["weak_below"])
        for pair in PAIRS:
            own = [hit for hit in unseen if hit.mode == mode and hit.pair == pair]
            print(f"  {pair}: calibration error {compute_calibration_error(own, table):.3f} of {len(own):,} hits")
    return 1 - float(np.mean(shares[False])), float(np.mean(shares[True]))


def compute_calibration_error(hits: Sequence[JudgedHit], table: dict[str, Any]) -> float:
    """Return the expected calibration error over ten bins of equal width."""
    likely: NDArray[np.float64] = np.array([estimate(hit, table) for hit in hits])
    labels = np.array([hit.is_relevant for hit in hits])
    bins = np.minimum((likely * 10).astype(int), 9)
    return float(sum(abs(likely[bins == at].sum() - labels[bins == at].sum()) for at in range(10)) / max(1, len(hits)))


def main(arguments: Sequence[str]) -> None:
    hits, bands = asyncio.run(collect())
    if "--write" in arguments:
        DATA_FILE.write_text(json.dumps(fit_table(hits, bands), indent=2) + "\n", encoding="utf-8")
    print(report(hits, json.loads(DATA_FILE.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main(sys.argv[1:])
