"""Collects the features, learns on some parts, ranks the others, and prints the differences."""

from __future__ import annotations

import pickle
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.retrieval_library import CACHE
from scripts.reranker.learning import Ranker, learn_sum, learn_trees
from scripts.reranker.sets import FloatArray, JudgedQuestion, collect, compute_gain

MODELS: dict[str, Callable[[Sequence[JudgedQuestion]], Ranker]] = {"sum": learn_sum, "trees": learn_trees}
# How much of the learned score is added to today's, both scaled to 1 among the hits: 1 is the learned order alone.
_SHARES = (1.0, 0.5, 0.25)
_FOLDS, _RESAMPLED, _SEED = 5, 2000, 20_250_101
Split = tuple[str, list[JudgedQuestion], list[JudgedQuestion]]
Gains = dict[tuple[str, float], list[tuple[float, float]]]
"""The gain of each held-out question today and by the learned order, by group and share."""


def main(arguments: Sequence[str]) -> None:
    for kind in arguments or ("papers", "memories"):
        questions = _load(kind)
        hold_out = _hold_out_conversations if kind == "memories" else _hold_out_papers
        sys.stdout.write(f"{kind}: {len(questions)} questions; the difference to today's order, 95 % interval\n")
        for name, model in MODELS.items():
            gains = _measure(model, hold_out(questions))
            for (group, share), pairs in sorted(gains.items()):
                sys.stdout.write(f"{name:6} {group:44} share {share:<5} {_describe(pairs)}\n")
            sys.stdout.flush()


def _load(kind: str) -> list[JudgedQuestion]:
    """Collect once; a file that was deleted is made again."""
    file = CACHE / f"reranker-{kind}.pickle"
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(pickle.dumps(collect(kind)))
    questions: list[JudgedQuestion] = pickle.loads(file.read_bytes())  # noqa: S301 - written above
    return questions


def _measure(model: Callable[[Sequence[JudgedQuestion]], Ranker], splits: Iterator[Split]) -> Gains:
    gains: Gains = defaultdict(list)
    for label, learned, held_out in splits:
        rank = model(learned)
        for question in held_out:
            today = compute_gain(question, np.arange(len(question.features)))
            for share in _SHARES:
                ours = compute_gain(question, _reorder(question, rank, share))
                for group in (label, f"  {question.kind}") if question.kind else (label,):
                    gains[group, share].append((today, ours))
    return gains


def _hold_out_papers(questions: Sequence[JudgedQuestion]) -> Iterator[Split]:
    for name in sorted({question.set for question in questions}):
        own = [question for question in questions if question.set == name]
        yield f"{name}, learned on the other sets", [q for q in questions if q.set != name], own
        parts = sorted({question.part for question in own})
        for fold in np.array_split(np.random.default_rng(_SEED).permutation(len(parts)), _FOLDS):
            held = {parts[at] for at in fold}
            learned = [question for question in own if question.part not in held]
            yield f"{name}, learned on its other folds", learned, [q for q in own if q.part in held]


def _hold_out_conversations(questions: Sequence[JudgedQuestion]) -> Iterator[Split]:
    for name in sorted({question.part for question in questions}):
        learned = [question for question in questions if question.part != name]
        yield "each conversation, learned on the other two", learned, [q for q in questions if q.part == name]


def _reorder(question: JudgedQuestion, rank: Ranker, share: float) -> NDArray[np.int64]:
    today, learned = (_stretch(scores) for scores in (question.features[:, 0], rank(question.features)))
    return np.argsort(-(share * learned + (1 - share) * today), kind="stable")


def _stretch(scores: FloatArray) -> FloatArray:
    spread = float(np.ptp(scores))
    return (scores - scores.min()) / spread if spread > 0 else np.zeros(len(scores))


def _describe(pairs: Sequence[tuple[float, float]]) -> str:
    today, ours = np.array(pairs).T
    drawn = np.random.default_rng(_SEED).integers(0, len(pairs), (_RESAMPLED, len(pairs)))
    low, high = np.quantile((ours - today)[drawn].mean(axis=1), [0.025, 0.975])
    means = f"{today.mean():.4f} -> {ours.mean():.4f}  {(ours - today).mean():+.4f}"
    return f"n {len(pairs):5}  {means} [{low:+.4f}, {high:+.4f}]"


if __name__ == "__main__":
    main(sys.argv[1:])
