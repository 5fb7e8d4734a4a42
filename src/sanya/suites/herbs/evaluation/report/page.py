"""The page of a report: what was measured, how it compares with the last run, and where to look first.

The page contains no time and loads nothing, so the same run gives the same bytes.
"""

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
    page = build_element("html", {"lang": "en"}, _build_head(report), _build_body(report))
    return f"<!doctype html>\n{render_html(page)}\n"


@cache
def read_style() -> str:
    return (files("sanya.suites.herbs.evaluation.report") / "style.css").read_text(encoding="utf-8")


def _build_head(report: EvaluationReport) -> Element:
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
        _build_style(),
    )


def _build_style() -> Element:
    element = Element("style")
    element.text = read_style()
    return element


def _build_body(report: EvaluationReport) -> Element:
    figures = report.figures
    plots = [build_calibration(figures), build_score_distribution(figures), build_recall(figures), build_gate(figures)]
    available = [plot for plot in plots if plot is not None]
    return build_element(
        "body",
        None,
        _build_header(report),
        build_element(
            "main",
            None,
            build_cards(figures, report.previous),
            build_element("div", {"class": "plots pair"}, *available),
            build_element("div", {"class": "plots"}, build_language_table(figures), build_kind_table(figures)),
            build_worst_questions(figures),
            _build_method(report),
        ),
        build_element(
            "footer", None, "Run ", build_element("code", None, report.run_id), f" · graph revision {figures.revision}"
        ),
    )


def _build_header(report: EvaluationReport) -> Element:
    figures = report.figures
    english, thai = _summarise(figures)
    return build_element(
        "header",
        {"class": "top"},
        build_element("p", {"class": "brand"}, "Sanya · Herbs · ", build_element("span", {"lang": "th"}, "สมุนไพร")),
        build_bilingual(texts.HEADINGS["title"], "h1"),
        build_element("p", {"class": "lead"}, english),
        build_element("p", {"class": "lead", "lang": "th"}, thai),
        build_element(
            "ul",
            {"class": "chips"},
            build_element("li", None, build_bilingual(texts.SETS[report.set_name], "b")),
            _build_chip("questions", str(len(figures.judged))),
            _build_chip("k", str(figures.k)),
            _build_chip("gate τ", f"{figures.least_confidence:g}"),
            _build_chip("graph revision", str(figures.revision)),
            _build_chip("compared with", report.previous.id if report.previous else "no earlier run"),
        ),
    )


def _build_chip(name: str, value: str) -> Element:
    return build_element("li", None, build_element("span", None, f"{name} "), build_element("b", None, value))


def _summarise(figures: EvaluationFigures) -> texts.BilingualLabel:
    """Return the result in two or three sentences, in English and Thai."""
    given, withheld = len(figures.given), len(figures.withheld)
    right = sum(judgement.right for judgement in figures.given)
    rightly = sum(not judgement.right for judgement in figures.withheld)
    recall = figures.metrics.get(f"R@{figures.k}")
    english, thai = [], []
    if recall is not None:
        english.append(f"Search brings {recall.value:.0%} of what is relevant among the first {figures.k} hits.")
        thai.append(f"การค้นหาพบสิ่งที่เกี่ยวข้อง {recall.value:.0%} ใน {figures.k} อันดับแรก")
    if figures.answering:
        english.append(f"{given} of {given + withheld} questions were answered, {right} of them rightly.")
        english.append(f"{withheld} were withheld, {rightly} of them with good reason.")
        thai.append(f"ตอบ {given} จาก {given + withheld} คำถาม ถูกต้อง {right} งดตอบ {withheld} ซึ่งเหมาะสม {rightly}")
    return " ".join(english), " ".join(thai)


def _build_method(report: EvaluationReport) -> Element:
    figures = report.figures
    paragraphs = [
        "Every question is asked as by tool.hybrid_search and tool.rag_answer. Hits are compared with the ids that the "
        "question's author listed as relevant. An answer is right where one of its sentences states a reference fact. "
        "A question without a reference fact has no right answer: it should be withheld.",
        "A sentence is supported where the span it cites supports its words, numbers and warnings, and the statement "
        "behind the span is in the graph with its edges and sources. Answers are quoted, never phrased by a model, so "
        "the same graph gives the same report.",
        f"An answer needs a confidence of {figures.least_confidence:g} and three citations. Confidence is "
        "measured on every draft, given or not.",
    ]
    if report.set_name != "custom":
        paragraphs.append(
            "The questions were written by the authors of the search, from the tables it searches. They show that it "
            "does what it was built for, not how it handles questions nobody foresaw."
        )
    return build_element(
        "section",
        {"class": "panel method"},
        build_bilingual(texts.HEADINGS["method"], "h2"),
        *(build_element("p", None, paragraph) for paragraph in paragraphs),
    )
