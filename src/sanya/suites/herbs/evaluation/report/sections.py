"""The parts of the report that are figures: cards, plots, and tables with bars."""

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

_DEEP = 20
_NOTHING = 0.0005


def build_cards(figures: EvaluationFigures, previous: EvaluationRun | None) -> Element:
    before = previous.metrics if previous else {}
    found = [figures.metrics[name] for name in figures.list_metric_names() if name in figures.metrics]
    shown = [_card(one, before[one.name][0] if one.name in before else None, figures.k) for one in found]
    return build_element(
        "section", None, build_bilingual(texts.HEADLINES, "h2"), build_element("div", {"class": "cards"}, *shown)
    )


def _card(metric: Metric, before: float | None, k: int) -> Element:
    (english, thai), why = texts.METRICS[metric.name.partition("@")[0]]
    is_error = metric.name in LOWER_IS_BETTER
    return build_element(
        "article",
        {"class": "panel card"},
        build_bilingual((english.format(k=k), thai.format(k=k)), "h3"),
        build_element("p", {"class": "value"}, f"{metric.value:.3f}"),
        _change(metric, before),
        draw_meter(min(1.0, metric.value), "error" if is_error else ""),
        build_element("p", {"class": "why"}, f"{metric.name}, n = {metric.n}. {why}"),
    )


def _change(metric: Metric, before: float | None) -> Element:
    if before is None:
        return build_element("p", {"class": "change same"}, "no earlier figure")
    change = metric.value - before
    if abs(change) < _NOTHING:
        return build_element("p", {"class": "change same"}, f"= unchanged from {before:.3f}")
    is_better = (change < 0) == (metric.name in LOWER_IS_BETTER)
    arrow = "▲" if change > 0 else "▼"
    told = f"{arrow} {change:+.3f} from {before:.3f}, {'better' if is_better else 'worse'}"
    return build_element("p", {"class": f"change {'better' if is_better else 'worse'}"}, told)


def build_calibration(figures: EvaluationFigures) -> Element | None:
    if not figures.curve:
        return None
    told = "; ".join(f"{one.count} answers near {one.confidence:.2f}: {one.right:.2f} right" for one in figures.curve)
    plot = draw_reliability(PlotCaption("reliability", "Confidence against truth", told), figures.curve)
    rows = [
        (f"{one.least:.1f}–{one.most:.1f}", str(one.count), f"{one.confidence:.3f}", f"{one.right:.3f}")
        for one in figures.curve
    ]
    return _panel(
        texts.RELIABILITY,
        "A point on the dashed line is as right as it was sure. Below the line it was too sure, above it too modest. "
        "Larger points stand for more answers.",
        plot,
        _numbers(("confidence", "answers", "on average", "right"), rows),
    )


def build_score_distribution(figures: EvaluationFigures) -> Element | None:
    if not figures.certainties:
        return None
    above = sum(one.confidence >= figures.least_confidence for one in figures.certainties)
    told = f"{above} of {len(figures.certainties)} drafts reach the bar of {figures.least_confidence:g}"
    plot = draw_scores(
        PlotCaption("scores", "Confidence of right and wrong drafts", told),
        figures.certainties,
        figures.least_confidence,
    )
    return _panel(
        texts.SCORES,
        "Every draft by its confidence: right ones stand up, wrong ones hang down. The gate keeps back what lies left "
        "of τ, in the shade. Red to the right of it is an answer that should not have been given.",
        plot,
    )


def build_recall(figures: EvaluationFigures) -> Element | None:
    by_language: dict[str, list[Judgement]] = {}
    for one in figures.searched:
        by_language.setdefault(one.question.language, []).append(one)
    if not by_language:
        return None
    lines = [
        PlotLine(texts.LANGUAGES[lang][0], css, figures.compute_recalls(some, _DEEP))
        for (lang, some), css in zip(sorted(by_language.items(), reverse=True), ("first", "second"), strict=False)
    ]
    ends = "; ".join(
        f"{line.name}: {line.values[0]:.2f} in the first hit, {line.values[-1]:.2f} in 20" for line in lines
    )
    plot = draw_recall(PlotCaption("recall", "Recall by the number of hits", ends), lines, figures.k)
    depths = (1, 2, 3, 5, 10, 20)
    rows = [(line.name, *(f"{line.values[at - 1]:.3f}" for at in depths)) for line in lines]
    return _panel(
        texts.RECALL,
        "The share of what is relevant among the first hits. Where more is relevant than there are hits, of those that "
        "fit. The scale does not begin at zero.",
        plot,
        _numbers(("language", *(f"R@{at}" for at in depths)), rows),
    )


def build_gate(figures: EvaluationFigures) -> Element | None:
    if not figures.answering:
        return None
    counts = Counter(figures.classify_outcome(one) for one in figures.answering)
    heads = [
        build_element("th", {"scope": "col"}, english, _thai(thai))
        for english, thai in (("Draft right", "ร่างถูก"), ("Draft wrong", "ร่างผิด"))
    ]
    table = build_element(
        "table",
        {"class": "gate"},
        build_element("thead", None, build_element("tr", None, build_element("td", None), *heads)),
        build_element(
            "tbody",
            None,
            _gate_row(("Given", "ให้คำตอบ"), counts, ("given_right", "given_wrong")),
            _gate_row(("Withheld", "งดตอบ"), counts, ("withheld_needlessly", "withheld_rightly")),
        ),
    )
    return _panel(
        texts.GATE,
        "Every draft, by whether it was right and what the gate did with it. A wrong answer given does harm; a right "
        "one withheld costs a second look. The gate is set to err on that side.",
        table,
    )


def _gate_row(name: texts.BilingualLabel, counts: Counter[GateOutcome], outcomes: Sequence[GateOutcome]) -> Element:
    cells = [
        build_element(
            "td",
            {"class": "well" if one in ("given_right", "withheld_rightly") else "ill"},
            str(counts[one]),
            build_bilingual(texts.OUTCOMES[one], "small"),
        )
        for one in outcomes
    ]
    return build_element("tr", None, build_element("th", {"scope": "row"}, name[0], _thai(name[1])), *cells)


def build_language_table(figures: EvaluationFigures) -> Element:
    groups = figures.group_by(lambda one: one.question.language)
    return _groups(texts.BY_LANGUAGE, groups, figures.k, lambda name: build_bilingual(texts.LANGUAGES[name]))


def build_kind_table(figures: EvaluationFigures) -> Element:
    """The weakest first."""
    groups = figures.group_by(lambda one: one.question.kind)
    ranked = sorted(groups, key=lambda one: (2.0 if one.handled is None else one.handled, one.recall or 0.0, one.name))
    return _groups(texts.BY_KIND, ranked, figures.k, format_kind)


def format_kind(name: str) -> Element:
    """Kinds of a custom set have the names that their author gave them."""
    known = texts.KINDS.get(name)
    return build_bilingual(known) if known else isolate_text(name)


def _groups(
    title: texts.BilingualLabel, groups: Sequence[QuestionGroup], k: int, name_of: Callable[[str], Element]
) -> Element:
    heads = (
        build_element("th", {"scope": "col"}, "Questions about" if title is texts.BY_KIND else "Language"),
        build_element("th", {"scope": "col", "class": "number"}, "n"),
        build_element("th", {"scope": "col"}, f"Found in the first {k}", _thai(f"พบใน {k} อันดับแรก")),
        build_element("th", {"scope": "col"}, "Handled well", _thai("จัดการได้ถูกต้อง")),
    )
    rows = [
        build_element(
            "tr",
            None,
            build_element("th", {"scope": "row"}, name_of(one.name)),
            build_element("td", {"class": "number"}, str(one.questions)),
            _share(one.recall),
            _share(one.handled),
        )
        for one in groups
    ]
    table = build_element(
        "table",
        None,
        build_element("thead", None, build_element("tr", None, *heads)),
        build_element("tbody", None, *rows),
    )
    note = "Handled well: answered rightly where there is an answer, withheld where there is none."
    return _panel(title, note, _scrolling(table, title[0]))


def _share(share: float | None) -> Element:
    if share is None:
        return build_element("td", {"class": "bar none"}, "nothing to find")
    return build_element("td", {"class": "bar"}, f"{share:.2f}", draw_meter(share))


def _numbers(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Element:
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
    summary = build_element("summary", None, build_bilingual(texts.NUMBERS))
    return build_element("details", {"class": "numbers"}, summary, _scrolling(table, "The numbers of the plot"))


def _scrolling(table: Element, name: str) -> Element:
    """What is too wide for a phone can be moved, by keys as well."""
    return build_element("div", {"class": "scroll", "tabindex": 0, "role": "group", "aria-label": name}, table)


def _thai(text: str) -> Element:
    return build_element("span", {"lang": "th", "class": "thai"}, text)


def _panel(title: texts.BilingualLabel, note: str, *children: Child) -> Element:
    return build_element(
        "section",
        {"class": "panel"},
        build_bilingual(title, "h2"),
        build_element("p", {"class": "note"}, note),
        *children,
    )
