"""The sections of the report: cards of metrics, plots, and tables with bars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from xml.etree.ElementTree import Element

from sanya.suites.herbs.evaluation.figures import LOWER_IS_BETTER, EvaluationFigures, GateOutcome, Metric, QuestionGroup
from sanya.suites.herbs.evaluation.judgement import Judgement
from sanya.suites.herbs.evaluation.report import texts
from sanya.suites.herbs.evaluation.report.markup import Child, build_bilingual, build_element, isolate_text
from sanya.suites.herbs.evaluation.report.plots import (
    PlotCaption,
    PlotLine,
    draw_meter,
    draw_recall,
    draw_reliability,
    draw_scores,
)
from sanya.suites.herbs.evaluation.store import EvaluationRun

_RECALL_DEPTH = 20
_MIN_CHANGE = 0.0005


def build_cards(figures: EvaluationFigures, previous: EvaluationRun | None) -> Element:
    before = previous.metrics if previous else {}
    metrics = [figures.metrics[name] for name in figures.list_metric_names() if name in figures.metrics]
    cards = [
        _build_card(metric, before[metric.name][0] if metric.name in before else None, figures.k) for metric in metrics
    ]
    return build_element(
        "section",
        None,
        build_bilingual(texts.HEADINGS["headlines"], "h2"),
        build_element("div", {"class": "cards"}, *cards),
    )


def _build_card(metric: Metric, before: float | None, k: int) -> Element:
    base_name = metric.name.partition("@")[0]
    english, thai = texts.METRIC_LABELS[base_name]
    is_error = metric.name in LOWER_IS_BETTER
    return build_element(
        "article",
        {"class": "panel card"},
        build_bilingual((english.format(k=k), thai.format(k=k)), "h3"),
        build_element("p", {"class": "value"}, f"{metric.value:.3f}"),
        _build_change(metric, before),
        draw_meter(min(1.0, metric.value), "error" if is_error else ""),
        build_element("p", {"class": "why"}, f"{metric.name}, n = {metric.n}. {texts.METRIC_EXPLANATIONS[base_name]}"),
    )


def _build_change(metric: Metric, before: float | None) -> Element:
    if before is None:
        return build_element("p", {"class": "change same"}, "no earlier figure")
    change = metric.value - before
    if abs(change) < _MIN_CHANGE:
        return build_element("p", {"class": "change same"}, f"= unchanged from {before:.3f}")
    is_better = (change < 0) == (metric.name in LOWER_IS_BETTER)
    arrow = "▲" if change > 0 else "▼"
    text = f"{arrow} {change:+.3f} from {before:.3f}, {'better' if is_better else 'worse'}"
    return build_element("p", {"class": f"change {'better' if is_better else 'worse'}"}, text)


def build_calibration(figures: EvaluationFigures) -> Element | None:
    if not figures.curve:
        return None
    description = "; ".join(
        f"{bin_.count} answers near {bin_.confidence:.2f}: {bin_.right:.2f} right" for bin_ in figures.curve
    )
    plot = draw_reliability(PlotCaption("reliability", "Confidence against truth", description), figures.curve)
    rows = [
        (f"{bin_.least:.1f}–{bin_.most:.1f}", str(bin_.count), f"{bin_.confidence:.3f}", f"{bin_.right:.3f}")
        for bin_ in figures.curve
    ]
    return _build_panel(
        texts.HEADINGS["reliability"],
        "A point on the dashed line is as right as it was sure. Below the line it was too sure, above it too modest. "
        "Larger points stand for more answers.",
        plot,
        _build_number_table(("confidence", "answers", "on average", "right"), rows),
    )


def build_score_distribution(figures: EvaluationFigures) -> Element | None:
    if not figures.certainties:
        return None
    above = sum(outcome.confidence >= figures.least_confidence for outcome in figures.certainties)
    description = f"{above} of {len(figures.certainties)} drafts reach the minimum of {figures.least_confidence:g}"
    plot = draw_scores(
        PlotCaption("scores", "Confidence of right and wrong drafts", description),
        figures.certainties,
        figures.least_confidence,
    )
    return _build_panel(
        texts.HEADINGS["scores"],
        "Every draft by its confidence: right ones stand up, wrong ones hang down. The gate keeps back what lies left "
        "of τ, in the shade. Red to the right of it is an answer that should not have been given.",
        plot,
    )


def build_recall(figures: EvaluationFigures) -> Element | None:
    by_language: dict[str, list[Judgement]] = {}
    for judgement in figures.searched:
        by_language.setdefault(judgement.question.language, []).append(judgement)
    if not by_language:
        return None
    lines = [
        PlotLine(texts.LANGUAGES[lang][0], css, figures.compute_recalls(judgements, _RECALL_DEPTH))
        for (lang, judgements), css in zip(sorted(by_language.items(), reverse=True), ("first", "second"), strict=False)
    ]
    ends = "; ".join(
        f"{line.name}: {line.values[0]:.2f} in the first hit, {line.values[-1]:.2f} in 20" for line in lines
    )
    plot = draw_recall(PlotCaption("recall", "Recall by the number of hits", ends), lines, figures.k)
    depths = (1, 2, 3, 5, 10, 20)
    rows = [(line.name, *(f"{line.values[at - 1]:.3f}" for at in depths)) for line in lines]
    return _build_panel(
        texts.HEADINGS["recall"],
        "The share of what is relevant among the first hits. Where more is relevant than there are hits, of those that "
        "fit. The scale does not begin at zero.",
        plot,
        _build_number_table(("language", *(f"R@{at}" for at in depths)), rows),
    )


def build_gate(figures: EvaluationFigures) -> Element | None:
    if not figures.answering:
        return None
    counts = Counter(figures.classify_outcome(judgement) for judgement in figures.answering)
    heads = [
        build_element("th", {"scope": "col"}, english, _build_thai(thai))
        for english, thai in (("Draft right", "ร่างถูก"), ("Draft wrong", "ร่างผิด"))
    ]
    table = build_element(
        "table",
        {"class": "gate"},
        build_element("thead", None, build_element("tr", None, build_element("td", None), *heads)),
        build_element(
            "tbody",
            None,
            _build_gate_row(("Given", "ให้คำตอบ"), counts, ("given_right", "given_wrong")),
            _build_gate_row(("Withheld", "งดตอบ"), counts, ("withheld_needlessly", "withheld_rightly")),
        ),
    )
    return _build_panel(
        texts.HEADINGS["gate"],
        "Every draft, by whether it was right and what the gate did with it. A wrong answer given does harm; a right "
        "one withheld costs a second look. The gate is set to err on that side.",
        table,
    )


def _build_gate_row(
    name: texts.BilingualLabel, counts: Counter[GateOutcome], outcomes: Sequence[GateOutcome]
) -> Element:
    cells = [
        build_element(
            "td",
            {"class": "well" if outcome in ("given_right", "withheld_rightly") else "ill"},
            str(counts[outcome]),
            build_bilingual(texts.OUTCOMES[outcome], "small"),
        )
        for outcome in outcomes
    ]
    return build_element("tr", None, build_element("th", {"scope": "row"}, name[0], _build_thai(name[1])), *cells)


def build_language_table(figures: EvaluationFigures) -> Element:
    groups = figures.group_by(lambda judgement: judgement.question.language)
    return _build_group_table(
        texts.HEADINGS["by_language"], groups, figures.k, lambda name: build_bilingual(texts.LANGUAGES[name])
    )


def build_kind_table(figures: EvaluationFigures) -> Element:
    """Build the table by kind of question, the weakest kind first."""
    groups = figures.group_by(lambda judgement: judgement.question.kind)
    ranked = sorted(
        groups, key=lambda group: (2.0 if group.handled is None else group.handled, group.recall or 0.0, group.name)
    )
    return _build_group_table(texts.HEADINGS["by_kind"], ranked, figures.k, format_kind)


def format_kind(name: str) -> Element:
    """Return the label of a kind. Kinds of a custom set keep the names that their author gave them."""
    known = texts.KINDS.get(name)
    return build_bilingual(known) if known else isolate_text(name)


def _build_group_table(
    title: texts.BilingualLabel, groups: Sequence[QuestionGroup], k: int, format_name: Callable[[str], Element]
) -> Element:
    heads = (
        build_element("th", {"scope": "col"}, "Questions about" if title is texts.HEADINGS["by_kind"] else "Language"),
        build_element("th", {"scope": "col", "class": "number"}, "n"),
        build_element("th", {"scope": "col"}, f"Found in the first {k}", _build_thai(f"พบใน {k} อันดับแรก")),
        build_element("th", {"scope": "col"}, "Handled well", _build_thai("จัดการได้ถูกต้อง")),
        build_element("th", {"scope": "col"}, "Answers that are right", _build_thai("คำตอบที่ถูกต้อง")),
        build_element("th", {"scope": "col", "class": "number"}, "Wrongly withheld", _build_thai("งดตอบโดยไม่ควร")),
        build_element("th", {"scope": "col", "class": "number"}, "Wrongly given", _build_thai("ตอบโดยไม่ควร")),
    )
    rows = [
        build_element(
            "tr",
            None,
            build_element("th", {"scope": "row"}, format_name(group.name)),
            build_element("td", {"class": "number"}, str(group.questions)),
            _build_share(group.recall),
            _build_share(group.handled),
            _build_share(group.precision),
            build_element("td", {"class": "number"}, str(group.withheld_wrongly)),
            build_element("td", {"class": "number"}, str(group.given_wrongly)),
        )
        for group in groups
    ]
    table = build_element(
        "table",
        None,
        build_element("thead", None, build_element("tr", None, *heads)),
        build_element("tbody", None, *rows),
    )
    note = (
        "Handled well: answered rightly where there is an answer, withheld where there is none. Wrongly withheld: "
        "there is an answer. Wrongly given: the answer is wrong, or there is none."
    )
    return _build_panel(title, note, _make_scrollable(table, title[0]))


def _build_share(share: float | None) -> Element:
    if share is None:
        return build_element("td", {"class": "bar none"}, "nothing to find")
    return build_element("td", {"class": "bar"}, f"{share:.2f}", draw_meter(share))


def _build_number_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Element:
    heads = [build_element("th", {"scope": "col"}, column) for column in columns]
    lines = [
        build_element(
            "tr",
            None,
            build_element("th", {"scope": "row"}, row[0]),
            *(build_element("td", None, cell) for cell in row[1:]),
        )
        for row in rows
    ]
    table = build_element(
        "table",
        None,
        build_element("thead", None, build_element("tr", None, *heads)),
        build_element("tbody", None, *lines),
    )
    summary = build_element("summary", None, build_bilingual(texts.HEADINGS["numbers"]))
    return build_element("details", {"class": "numbers"}, summary, _make_scrollable(table, "The numbers of the plot"))


def _make_scrollable(table: Element, name: str) -> Element:
    """Make a wide table scrollable on small screens, by keyboard as well."""
    return build_element("div", {"class": "scroll", "tabindex": 0, "role": "group", "aria-label": name}, table)


def _build_thai(text: str) -> Element:
    return build_element("span", {"lang": "th", "class": "thai"}, text)


def _build_panel(title: texts.BilingualLabel, note: str, *children: Child) -> Element:
    return build_element(
        "section",
        {"class": "panel"},
        build_bilingual(title, "h2"),
        build_element("p", {"class": "note"}, note),
        *children,
    )
