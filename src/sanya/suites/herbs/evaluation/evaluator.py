"""One evaluation from the request to its kept report. The same graph and the same request come to the same run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, get_args

from sanya.kernel.call import Context, Progress
from sanya.kernel.canonical import to_canonical_json
from sanya.kernel.clock import format_timestamp
from sanya.kernel.faults import InvalidArgument, MissingArgument
from sanya.suites.herbs.evaluation import contract
from sanya.suites.herbs.evaluation.figures import EvaluationFigures
from sanya.suites.herbs.evaluation.judgement import Judgement, judge
from sanya.suites.herbs.evaluation.question_set import EvaluationQuestion, ReferenceFact, load_curated, load_smoke
from sanya.suites.herbs.evaluation.report.page import EvaluationReport, render_report
from sanya.suites.herbs.evaluation.store import EvaluationRun, EvaluationStore, NewEvaluation
from sanya.suites.herbs.facts.fact import FactRelation
from sanya.suites.herbs.questions.question import QuestionLanguage
from sanya.suites.herbs.search.index import IndexedGraph, SearchIndex
from sanya.text.characters import has_thai

_NAMED_IDS = 20
_ID_DIGITS = 20
_RELATIONS: tuple[str, ...] = get_args(FactRelation)


class Evaluator:
    def __init__(self, index: SearchIndex, store: EvaluationStore, least_confidence: float) -> None:
        self._index = index
        self._store = store
        self._least_confidence = least_confidence

    async def run(self, request: contract.EvalRunInput, context: Context) -> contract.EvalRunAnswer:
        _check_questions(request)
        searchable = await self._index.prepare()
        questions = _questions(request, searchable)
        judged = await _judge_all(searchable, questions, context)
        figures = EvaluationFigures(judged, request.params.k, self._least_confidence, searchable.graph.revision)
        run, repeated = await self._kept(request, figures, context)
        return _answer(request, figures, run, repeated=repeated)

    async def _kept(
        self, request: contract.EvalRunInput, figures: EvaluationFigures, context: Context
    ) -> tuple[EvaluationRun, bool]:
        """The run as it is kept, and whether it was there before."""
        series, content = _series(request, figures), _content(figures)
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
            metrics={name: (one.value, one.n) for name, one in figures.metrics.items()},
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
        raise InvalidArgument("params.questions goes with set custom alone", field="params.questions")


def _questions(request: contract.EvalRunInput, searchable: IndexedGraph) -> Sequence[EvaluationQuestion]:
    if request.set != "custom":
        return load_smoke() if request.set == "smoke" else load_curated()
    given = request.params.questions or []
    _refuse_unknown(given, searchable)
    return [_question(number, one) for number, one in enumerate(given, 1)]


def _refuse_unknown(given: Iterable[contract.CustomQuestion], searchable: IndexedGraph) -> None:
    units = {passage.unit for passage in searchable.passages.values()}
    facts = [fact for question in given for fact in question.facts or ()]
    relevant = [one for question in given for one in question.relevant if one not in units]
    subjects = [subject for subject, _, _ in facts if subject not in searchable.graph.nodes]
    relations = [relation for _, relation, _ in facts if relation not in _RELATIONS]
    _refuse(relevant, "relevant names what search cannot return")
    _refuse(subjects, "facts name no such node")
    _refuse(relations, f"facts take the relations {', '.join(_RELATIONS)}, not")


def _refuse(ids: Iterable[str], what: str) -> None:
    unknown = list(dict.fromkeys(ids))
    if unknown:
        named = ", ".join(repr(one[:80]) for one in unknown[:_NAMED_IDS])
        details = {"unknown_ids": unknown[:_NAMED_IDS]}
        raise InvalidArgument(f"params.questions: {what}: {named}", field="params.questions", details=details)


def _question(number: int, one: contract.CustomQuestion) -> EvaluationQuestion:
    facts = tuple(ReferenceFact(*fact) for fact in one.facts or ())
    language: QuestionLanguage = one.lang if one.lang != "auto" else "th" if has_thai(one.text) else "en"
    return EvaluationQuestion(
        *(f"q-{number:03}", "custom", language, one.kind, one.text),
        frozenset(one.relevant),
        facts,
        judges_answer=one.facts is not None,
    )


async def _judge_all(
    searchable: IndexedGraph, questions: Sequence[EvaluationQuestion], context: Context
) -> tuple[Judgement, ...]:
    judged: list[Judgement] = []
    for question in questions:
        context.progress(Progress(len(judged), len(questions), question.id))
        judged.append(await judge(searchable, question, contract.MAX_K))
    context.progress(Progress(len(judged), len(questions), None))
    return tuple(judged)


def _series(request: contract.EvalRunInput, figures: EvaluationFigures) -> str:
    """Runs that can be compared: the same questions, asked the same way."""
    asked = [
        [
            *(one.id, one.language, one.kind, one.text, sorted(one.relevant), one.judges_answer),
            [[fact.subject, fact.relation, fact.object] for fact in one.facts],
        ]
        for one in (judged.question for judged in figures.judged)
    ]
    return _digest([request.set, figures.k, asked])


def _content(figures: EvaluationFigures) -> str:
    """What was measured, of which graph, by which bar: two runs with the same are the same run."""
    found = [
        [list(one.found), one.answer_conf, one.right, [[each.text, *each.checks] for each in one.sentences]]
        for one in figures.judged
    ]
    return _digest([figures.revision, figures.least_confidence, found])


def _digest(value: Any) -> str:
    return sha256(to_canonical_json(value)).hexdigest()


def _answer(
    request: contract.EvalRunInput, figures: EvaluationFigures, run: EvaluationRun, *, repeated: bool
) -> contract.EvalRunAnswer:
    names = figures.list_metric_names(request.metrics)
    return contract.EvalRunAnswer(
        metrics=[_metric(figures, run, name) for name in names if name in figures.metrics],
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


def _metric(figures: EvaluationFigures, run: EvaluationRun, name: str) -> contract.MetricValue:
    measured = figures.metrics[name]
    before = (run.before or {}).get(name)
    return contract.MetricValue(
        name=name,
        value=measured.value,
        n=measured.n,
        previous=None if before is None else before[0],
        change=None if before is None else round(measured.value - before[0], 6),
    )
