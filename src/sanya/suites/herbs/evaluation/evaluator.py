"""The evaluator: it asks a set of questions, judges the answers, and stores the run with its report.

The same graph and the same request give the same run, with the same id.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, get_args

from sanya.suite import Context, InvalidArgument, MissingArgument, Progress
from sanya.suite.runtime import format_timestamp, to_canonical_json
from sanya.suite.text import has_thai
from sanya.suites.herbs.evaluation import contract
from sanya.suites.herbs.evaluation.figures import EvaluationFigures
from sanya.suites.herbs.evaluation.judgement import Judgement, judge
from sanya.suites.herbs.evaluation.question_set import (
    EvaluationQuestion,
    ReferenceFact,
    load_asked,
    load_curated,
    load_smoke,
)
from sanya.suites.herbs.evaluation.report.page import EvaluationReport, render_report
from sanya.suites.herbs.evaluation.store import EvaluationRun, EvaluationStore, NewEvaluation
from sanya.suites.herbs.facts.fact import FactRelation
from sanya.suites.herbs.questions.question import QuestionLanguage
from sanya.suites.herbs.search.index import IndexedGraph, SearchIndex

_MAX_LISTED_IDS = 20
_ID_DIGITS = 20
_RELATIONS: tuple[str, ...] = get_args(FactRelation)


class Evaluator:
    def __init__(self, index: SearchIndex, store: EvaluationStore, least_confidence: float) -> None:
        self._index = index
        self._store = store
        self._least_confidence = least_confidence

    async def run(self, request: contract.EvalRunInput, context: Context) -> contract.EvalRunAnswer:
        _check_questions(request)
        indexed = await self._index.prepare()
        questions = _choose_questions(request, indexed)
        judged = await _judge_all(indexed, questions, context)
        figures = EvaluationFigures(judged, request.params.k, self._least_confidence, indexed.graph.revision)
        run, repeated = await self._store_run(request, figures, context)
        return _build_answer(request, figures, run, repeated=repeated)

    async def _store_run(
        self, request: contract.EvalRunInput, figures: EvaluationFigures, context: Context
    ) -> tuple[EvaluationRun, bool]:
        """Return the stored run, and whether it existed before."""
        series, content = _digest_series(request, figures), _digest_content(figures)
        id = "eval_" + _digest([series, content, request.params.compare])[:_ID_DIGITS]
        if known := await self._store.get_run(id):
            return known, True
        previous = await self._store.get_previous(series, content) if request.params.compare else None
        run = EvaluationRun(
            id=id,
            number=0,
            set_name=request.set,
            questions=len(figures.judged),
            revision=figures.revision,
            metrics={name: (metric.value, metric.n) for name, metric in figures.metrics.items()},
            before=previous.metrics if previous else None,
            previous_id=previous.id if previous else None,
            at=format_timestamp(context.now),
        )
        report = render_report(EvaluationReport(request.set, id, figures, previous))
        given = request.model_dump(mode="json")
        await self._store.add(NewEvaluation(run, series, content, context.in_hash, given, report))
        return run, False


def _check_questions(request: contract.EvalRunInput) -> None:
    if request.set == "custom" and request.params.questions is None:
        raise MissingArgument("a custom set needs its questions in params.questions", field="params.questions")
    if request.set != "custom" and request.params.questions is not None:
        raise InvalidArgument(
            "params.questions needs set custom; leave it out for other sets", field="params.questions"
        )


def _choose_questions(request: contract.EvalRunInput, indexed: IndexedGraph) -> Sequence[EvaluationQuestion]:
    match request.set:
        case "smoke":
            return load_smoke()
        case "curated":
            return load_curated()
        case "asked":
            return load_asked()
    given = request.params.questions or []
    _refuse_unknown(given, indexed)
    return [_build_question(number, custom) for number, custom in enumerate(given, 1)]


def _refuse_unknown(given: Iterable[contract.CustomQuestion], indexed: IndexedGraph) -> None:
    units = {passage.unit for passage in indexed.passages.values()}
    facts = [fact for question in given for fact in question.facts or ()]
    relevant = [id for question in given for id in question.relevant if id not in units]
    subjects = [subject for subject, _, _ in facts if subject not in indexed.graph.nodes]
    relations = [relation for _, relation, _ in facts if relation not in _RELATIONS]
    _refuse(relevant, "relevant holds ids that search never returns")
    _refuse(subjects, "facts name unknown nodes")
    _refuse(relations, f"facts take the relations {', '.join(_RELATIONS)}, not")


def _refuse(ids: Iterable[str], problem: str) -> None:
    unknown = list(dict.fromkeys(ids))
    if unknown:
        named = ", ".join(repr(id[:80]) for id in unknown[:_MAX_LISTED_IDS])
        details = {"unknown_ids": unknown[:_MAX_LISTED_IDS]}
        raise InvalidArgument(f"params.questions: {problem}: {named}", field="params.questions", details=details)


def _build_question(number: int, custom: contract.CustomQuestion) -> EvaluationQuestion:
    facts = tuple(ReferenceFact(*fact) for fact in custom.facts or ())
    language: QuestionLanguage = custom.lang if custom.lang != "auto" else "th" if has_thai(custom.text) else "en"
    return EvaluationQuestion(
        *(f"q-{number:03}", "custom", language, custom.kind, custom.text),
        frozenset(custom.relevant),
        facts,
        judges_answer=custom.facts is not None,
    )


async def _judge_all(
    indexed: IndexedGraph, questions: Sequence[EvaluationQuestion], context: Context
) -> tuple[Judgement, ...]:
    judged: list[Judgement] = []
    for question in questions:
        context.progress(Progress(len(judged), len(questions), question.id))
        judged.append(await judge(indexed, question, contract.MAX_K))
    context.progress(Progress(len(judged), len(questions), None))
    return tuple(judged)


def _digest_series(request: contract.EvalRunInput, figures: EvaluationFigures) -> str:
    """Return the digest of what makes runs comparable: the same questions, asked the same way."""
    questions = [
        [
            *(
                question.id,
                question.language,
                question.kind,
                question.text,
                sorted(question.relevant),
                question.judges_answer,
                *question.under,
            ),
            [[fact.subject, fact.relation, fact.object] for fact in question.facts],
        ]
        for question in (judged.question for judged in figures.judged)
    ]
    return _digest([request.set, figures.k, questions])


def _digest_content(figures: EvaluationFigures) -> str:
    """Return the digest of what was measured, on which graph and with which minimum confidence."""
    measured = [
        [
            list(judgement.hit_ids),
            judgement.answer_conf,
            judgement.right,
            [[sentence.text, *sentence.checks] for sentence in judgement.sentences],
        ]
        for judgement in figures.judged
    ]
    return _digest([figures.revision, figures.least_confidence, measured])


def _digest(value: Any) -> str:
    return sha256(to_canonical_json(value)).hexdigest()


def _build_answer(
    request: contract.EvalRunInput, figures: EvaluationFigures, run: EvaluationRun, *, repeated: bool
) -> contract.EvalRunAnswer:
    names = figures.list_metric_names(request.metrics)
    return contract.EvalRunAnswer(
        metrics=[_build_metric(figures, run, name) for name in names if name in figures.metrics],
        report_uri=f"eval://report/{run.id}",
        report_path=f"/evaluations/{run.id}",
        run_id=run.id,
        questions=len(figures.judged),
        answered=len(figures.given),
        least_confidence=figures.least_confidence,
        revision=figures.revision,
        not_measured=[name for name in names if name not in figures.metrics],
        previous_run=run.previous_id,
        repeated=repeated,
    )


def _build_metric(figures: EvaluationFigures, run: EvaluationRun, name: str) -> contract.MetricValue:
    metric = figures.metrics[name]
    before = (run.before or {}).get(name)
    return contract.MetricValue(
        name=name,
        value=metric.value,
        n=metric.n,
        previous=None if before is None else before[0],
        change=None if before is None else round(metric.value - before[0], 6),
    )
