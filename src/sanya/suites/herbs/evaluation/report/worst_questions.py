"""The questions with the worst results, with what was expected, found and answered: where improvements begin."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from sanya.suites.herbs.evaluation.figures import EvaluationFigures
from sanya.suites.herbs.evaluation.judgement import Judgement
from sanya.suites.herbs.evaluation.measures import compute_recall
from sanya.suites.herbs.evaluation.report import texts
from sanya.suites.herbs.evaluation.report.markup import build_bilingual, build_element, isolate_text
from sanya.suites.herbs.evaluation.report.sections import format_kind

_MAX_QUESTIONS = 20
_MAX_HITS = 10


def build_worst_questions(figures: EvaluationFigures) -> Element:
    worst = figures.list_worst(_MAX_QUESTIONS)
    if worst:
        note = (
            "Wrong answers that were given come first, then answers withheld, then what search did not bring in full."
        )
    else:
        note = "Nothing stands out: every question was found, and handled well."
    return build_element(
        "section",
        {"class": "panel"},
        build_bilingual(texts.HEADINGS["worst"], "h2"),
        build_element("p", {"class": "note"}, note),
        *(_build_question(figures, judgement) for judgement in worst),
    )


def _build_question(figures: EvaluationFigures, judgement: Judgement) -> Element:
    question = judgement.question
    tags = [build_element("span", {"class": f"tag {css}"}, text) for text, css in _list_tags(figures, judgement)]
    asked = build_element("span", {"class": "asked"}, isolate_text(question.text, question.language))
    return build_element(
        "details",
        None,
        build_element("summary", None, *tags, asked),
        build_element(
            "div",
            {"class": "told"},
            _build_expected(judgement),
            _build_found(judgement),
            _build_answer(figures, judgement),
        ),
    )


def _list_tags(figures: EvaluationFigures, judgement: Judgement) -> list[tuple[str, str]]:
    tags: list[tuple[str, str]] = []
    if judgement.question.judges_answer:
        outcome = texts.OUTCOMES[figures.classify_outcome(judgement)][0]
        tags.append((outcome, "doubt" if figures.is_withheld(judgement) else "" if judgement.right else "ill"))
    if not all(judgement.supported_sentences) and not figures.is_withheld(judgement):
        tags.append(("A sentence is not supported", "ill"))
    if judgement.question.relevant:
        recall = compute_recall(judgement.hit_ids, judgement.question.relevant, figures.k)
        if recall < 1:
            tags.append((f"R@{figures.k} {recall:.2f}", "doubt"))
    return tags


def _build_expected(judgement: Judgement) -> Element:
    question = judgement.question
    relevant = [build_element("li", None, isolate_text(id)) for id in sorted(question.relevant)]
    facts = [
        build_element(
            "li", None, isolate_text(fact.subject), f" {fact.relation.replace('_', ' ')} ", isolate_text(fact.object)
        )
        for fact in question.facts
    ]
    if facts:
        expected = build_element("ul", None, *facts)
    elif question.judges_answer:
        expected = build_element("p", None, "There is no answer in the graph: it should be withheld.")
    else:
        expected = build_element("p", None, "Search alone was measured.")
    return build_element(
        "div",
        None,
        build_element("h3", None, "Expected to be found"),
        build_element("ul", None, *relevant) if relevant else build_element("p", None, "Nothing."),
        build_element("h3", None, "Expected to be said"),
        expected,
        build_element("h3", None, "Kind"),
        build_element("p", None, format_kind(question.kind)),
    )


def _build_found(judgement: Judgement) -> Element:
    hits = [
        build_element("li", {"class": "hit"} if id in judgement.question.relevant else None, isolate_text(id))
        for id in judgement.hit_ids[:_MAX_HITS]
    ]
    return build_element(
        "div",
        None,
        build_element("h3", None, "Found, best first"),
        build_element("ol", None, *hits) if hits else build_element("p", None, "Nothing."),
    )


def _build_answer(figures: EvaluationFigures, judgement: Judgement) -> Element:
    head = "Would have said" if figures.is_withheld(judgement) else "Said"
    lines = [
        build_element("li", None, isolate_text(sentence.text), "" if sentence.is_supported else " (not supported)")
        for sentence in judgement.sentences
    ]
    tests = f"{head}, confidence {judgement.answer_conf:.2f}, {len(judgement.drafted.cited)} citations"
    return build_element(
        "div",
        {"class": "wide"},
        build_element("h3", None, tests),
        build_element("ul", None, *lines) if lines else build_element("p", None, "Nothing."),
    )
