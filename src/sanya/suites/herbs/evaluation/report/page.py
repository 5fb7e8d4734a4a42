"""The whole page: what was measured, how it stands against the last run, and where to look. It has no clock in it and
asks nothing of any other place, so the same run is the same bytes."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from xml.etree.ElementTree import Element

from sanya.suites.herbs.evaluation.figures import EvaluationFigures
from sanya.suites.herbs.evaluation.report import texts
from sanya.suites.herbs.evaluation.report.markup import build_bilingual, build_element, render_html
from sanya.suites.herbs.evaluation.report.sections import (
    build_calibration,
    build_cards,
    build_gate,
    build_kind_table,
    build_language_table,
    build_recall,
    build_score_distribution,
)
from sanya.suites.herbs.evaluation.report.worst_questions import build_worst_questions
from sanya.suites.herbs.evaluation.store import EvaluationRun


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    set_name: str
    run_id: str
    figures: EvaluationFigures
    previous: EvaluationRun | None


def render_report(report: EvaluationReport) -> str:
    page = build_element("html", {"lang": "en"}, _head(report), _body(report))
    return f"<!doctype html>\n{render_html(page)}\n"


@cache
def read_style() -> str:
    return (files("sanya.suites.herbs.evaluation.report") / "style.css").read_text(encoding="utf-8")


def _head(report: EvaluationReport) -> Element:
    digest = base64.b64encode(sha256(read_style().encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'"
    return build_element(
        "head",
        None,
        build_element("meta", {"charset": "utf-8"}),
        build_element("meta", {"http-equiv": "Content-Security-Policy", "content": policy}),
        build_element("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        build_element("meta", {"name": "color-scheme", "content": "light dark"}),
        build_element("title", None, f"Evaluation {report.run_id} · Sanya"),
        _style(),
    )


def _style() -> Element:
    made = Element("style")
    made.text = read_style()
    return made


def _body(report: EvaluationReport) -> Element:
    figures = report.figures
    plots = [build_calibration(figures), build_score_distribution(figures), build_recall(figures), build_gate(figures)]
    drawn = [one for one in plots if one is not None]
    return build_element(
        "body",
        None,
        _top(report),
        build_element(
            "main",
            None,
            build_cards(figures, report.previous),
            build_element("div", {"class": "plots pair"}, *drawn),
            build_element("div", {"class": "plots"}, build_language_table(figures), build_kind_table(figures)),
            build_worst_questions(figures),
            _method(report),
        ),
        build_element(
            "footer", None, "Run ", build_element("code", None, report.run_id), f" · graph revision {figures.revision}"
        ),
    )


def _top(report: EvaluationReport) -> Element:
    figures = report.figures
    english, thai = _verdict(figures)
    return build_element(
        "header",
        {"class": "top"},
        build_element("p", {"class": "brand"}, "Sanya · Herbs · ", build_element("span", {"lang": "th"}, "สมุนไพร")),
        build_bilingual(texts.TITLE, "h1"),
        build_element("p", {"class": "lead"}, english),
        build_element("p", {"class": "lead", "lang": "th"}, thai),
        build_element(
            "ul",
            {"class": "chips"},
            build_element("li", None, build_bilingual(texts.SETS[report.set_name], "b")),
            _chip("questions", str(len(figures.judged))),
            _chip("k", str(figures.k)),
            _chip("gate τ", f"{figures.least_confidence:g}"),
            _chip("graph revision", str(figures.revision)),
            _chip("compared with", report.previous.id if report.previous else "no earlier run"),
        ),
    )


def _chip(name: str, value: str) -> Element:
    return build_element("li", None, build_element("span", None, f"{name} "), build_element("b", None, value))


def _verdict(figures: EvaluationFigures) -> texts.BilingualLabel:
    """The whole report in a breath."""
    given, kept = len(figures.given), len(figures.withheld)
    right = sum(one.right for one in figures.given)
    rightly = sum(not one.right for one in figures.withheld)
    found = figures.metrics.get(f"R@{figures.k}")
    english, thai = [], []
    if found is not None:
        english.append(f"Search brings {found.value:.0%} of what is relevant among the first {figures.k} hits.")
        thai.append(f"การค้นหาพบสิ่งที่เกี่ยวข้อง {found.value:.0%} ใน {figures.k} อันดับแรก")
    if figures.answering:
        english.append(f"{given} of {given + kept} questions were answered, {right} of them rightly.")
        english.append(f"{kept} were withheld, {rightly} of them with good reason.")
        thai.append(f"ตอบ {given} จาก {given + kept} คำถาม ถูกต้อง {right} งดตอบ {kept} ซึ่งเหมาะสม {rightly}")
    return " ".join(english), " ".join(thai)


def _method(report: EvaluationReport) -> Element:
    figures = report.figures
    told = [
        "Every question goes the way of tool.hybrid_search and tool.rag_answer. Found counts against the ids that the "
        "question's author named as relevant; an answer is right where one of its sentences states a reference fact. "
        "A question without a reference fact has no right answer: it should be withheld.",
        "A sentence is borne out where the span it cites supports its words, numbers and warnings, and the statement "
        "behind the span is in the graph with its edges and sources. Answers are quoted, never phrased by a model, so "
        "the same graph gives the same report.",
        f"An answer is given from confidence {figures.least_confidence:g} and three citations on. Confidence is "
        "measured on every draft, given or not.",
    ]
    if report.set_name != "custom":
        told.append(
            "The questions were written by those who built the search, from the tables it searches: they show that it "
            "does what it was built for, not how it fares with questions nobody foresaw."
        )
    return build_element(
        "section",
        {"class": "panel method"},
        build_bilingual(texts.METHOD, "h2"),
        *(build_element("p", None, one) for one in told),
    )
