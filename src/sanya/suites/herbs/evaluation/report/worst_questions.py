"""The questions that fared worst, with what was expected, found and said: where whoever improves the search begins."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from sanya.suites.herbs.evaluation.figures import EvaluationFigures
from sanya.suites.herbs.evaluation.judgement import Judgement
from sanya.suites.herbs.evaluation.measures import compute_recall
from sanya.suites.herbs.evaluation.report import texts
from sanya.suites.herbs.evaluation.report.markup import build_bilingual, build_element, isolate_text
from sanya.suites.herbs.evaluation.report.sections import format_kind

_MOST = 20
_FOUND = 10


def build_worst_questions(figures: EvaluationFigures) -> Element:
    some = figures.list_worst(_MOST)
    if some:
        note = (
            "Wrong answers that were given come first, then answers withheld, then what search did not bring in full."
        )
    else:
        note = "Nothing stands out: every question was found, and handled well."
    return build_element(
        "section",
        {"class": "panel"},
        build_bilingual(texts.WORST, "h2"),
        build_element("p", {"class": "note"}, note),
        *(_question(figures, one) for one in some),
    )


def _question(figures: EvaluationFigures, one: Judgement) -> Element:
    question = one.question
    tags = [build_element("span", {"class": f"tag {css}"}, text) for text, css in _tags(figures, one)]
    asked = build_element("span", {"class": "asked"}, isolate_text(question.text, question.language))
    return build_element(
        "details",
        None,
        build_element("summary", None, *tags, asked),
        build_element("div", {"class": "told"}, _expected(one), _found(one), _said(figures, one)),
    )


def _tags(figures: EvaluationFigures, one: Judgement) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    if one.question.judges_answer:
        outcome = texts.OUTCOMES[figures.classify_outcome(one)][0]
        found.append((outcome, "doubt" if figures.is_withheld(one) else "" if one.right else "ill"))
    if not all(one.supported_sentences) and not figures.is_withheld(one):
        found.append(("A sentence is not borne out", "ill"))
    if one.question.relevant:
        recall = compute_recall(one.found, one.question.relevant, figures.k)
        if recall < 1:
            found.append((f"R@{figures.k} {recall:.2f}", "doubt"))
    return found


def _expected(one: Judgement) -> Element:
    question = one.question
    relevant = [build_element("li", None, isolate_text(id)) for id in sorted(question.relevant)]
    facts = [
        build_element(
            "li", None, isolate_text(fact.subject), f" {fact.relation.replace('_', ' ')} ", isolate_text(fact.object)
        )
        for fact in question.facts
    ]
    if facts:
        wanted = build_element("ul", None, *facts)
    elif question.judges_answer:
        wanted = build_element("p", None, "There is no answer in the graph: it should be withheld.")
    else:
        wanted = build_element("p", None, "Search alone was measured.")
    return build_element(
        "div",
        None,
        build_element("h3", None, "Expected to be found"),
        build_element("ul", None, *relevant) if relevant else build_element("p", None, "Nothing."),
        build_element("h3", None, "Expected to be said"),
        wanted,
        build_element("h3", None, "Kind"),
        build_element("p", None, format_kind(question.kind)),
    )


def _found(one: Judgement) -> Element:
    hits = [
        build_element("li", {"class": "hit"} if id in one.question.relevant else None, isolate_text(id))
        for id in one.found[:_FOUND]
    ]
    return build_element(
        "div",
        None,
        build_element("h3", None, "Found, best first"),
        build_element("ol", None, *hits) if hits else build_element("p", None, "Nothing."),
    )


def _said(figures: EvaluationFigures, one: Judgement) -> Element:
    head = "Would have said" if figures.is_withheld(one) else "Said"
    lines = [
        build_element("li", None, isolate_text(each.text), "" if each.is_supported else " (not borne out)")
        for each in one.sentences
    ]
    tests = f"{head}, confidence {one.answer_conf:.2f}, {len(one.drafted.cited)} citations"
    return build_element(
        "div",
        {"class": "wide"},
        build_element("h3", None, tests),
        build_element("ul", None, *lines) if lines else build_element("p", None, "Nothing."),
    )
