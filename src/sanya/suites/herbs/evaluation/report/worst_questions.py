"""The questions that fared worst, with what was expected, found and said: where whoever improves the search begins."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from sanya.suites.herbs.evaluation.figures import Figures
from sanya.suites.herbs.evaluation.judgement import Judgement
from sanya.suites.herbs.evaluation.measures import recall_at
from sanya.suites.herbs.evaluation.report import texts
from sanya.suites.herbs.evaluation.report.markup import both, element, foreign
from sanya.suites.herbs.evaluation.report.sections import kind_name

_MOST = 20
_FOUND = 10


def worst(figures: Figures) -> Element:
    some = figures.worst(_MOST)
    if some:
        note = (
            "Wrong answers that were given come first, then answers withheld, then what search did not bring in full."
        )
    else:
        note = "Nothing stands out: every question was found, and handled well."
    return element(
        "section",
        {"class": "panel"},
        both(texts.WORST, "h2"),
        element("p", {"class": "note"}, note),
        *(_question(figures, one) for one in some),
    )


def _question(figures: Figures, one: Judgement) -> Element:
    question = one.question
    tags = [element("span", {"class": f"tag {css}"}, text) for text, css in _tags(figures, one)]
    asked = element("span", {"class": "asked"}, foreign(question.text, question.language))
    return element(
        "details",
        None,
        element("summary", None, *tags, asked),
        element("div", {"class": "told"}, _expected(one), _found(one), _said(figures, one)),
    )


def _tags(figures: Figures, one: Judgement) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    if one.question.judges_answer:
        outcome = texts.OUTCOMES[figures.outcome(one)][0]
        found.append((outcome, "doubt" if figures.is_withheld(one) else "" if one.right else "ill"))
    if not all(one.borne_out) and not figures.is_withheld(one):
        found.append(("A sentence is not borne out", "ill"))
    if one.question.relevant:
        recall = recall_at(one.found, one.question.relevant, figures.k)
        if recall < 1:
            found.append((f"R@{figures.k} {recall:.2f}", "doubt"))
    return found


def _expected(one: Judgement) -> Element:
    question = one.question
    relevant = [element("li", None, foreign(id)) for id in sorted(question.relevant)]
    facts = [
        element("li", None, foreign(fact.subject), f" {fact.relation.replace('_', ' ')} ", foreign(fact.object))
        for fact in question.facts
    ]
    if facts:
        wanted = element("ul", None, *facts)
    elif question.judges_answer:
        wanted = element("p", None, "There is no answer in the graph: it should be withheld.")
    else:
        wanted = element("p", None, "Search alone was measured.")
    return element(
        "div",
        None,
        element("h3", None, "Expected to be found"),
        element("ul", None, *relevant) if relevant else element("p", None, "Nothing."),
        element("h3", None, "Expected to be said"),
        wanted,
        element("h3", None, "Kind"),
        element("p", None, kind_name(question.kind)),
    )


def _found(one: Judgement) -> Element:
    hits = [
        element("li", {"class": "hit"} if id in one.question.relevant else None, foreign(id))
        for id in one.found[:_FOUND]
    ]
    return element(
        "div",
        None,
        element("h3", None, "Found, best first"),
        element("ol", None, *hits) if hits else element("p", None, "Nothing."),
    )


def _said(figures: Figures, one: Judgement) -> Element:
    head = "Would have said" if figures.is_withheld(one) else "Said"
    lines = [
        element("li", None, foreign(each.text), "" if each.is_borne_out else " (not borne out)")
        for each in one.sentences
    ]
    tests = f"{head}, confidence {one.answer_conf:.2f}, {len(one.drafted.cited)} citations"
    return element(
        "div",
        {"class": "wide"},
        element("h3", None, tests),
        element("ul", None, *lines) if lines else element("p", None, "Nothing."),
    )
