"""The edges of safety statements, with every word that a check shows of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sanya.suites.herbs.graph.name_keys import fold_name
from scripts.herbs_starter.joining import Joined, group_pairs
from scripts.herbs_starter.rows import BuildError, StarterRows
from scripts.herbs_starter.rules import SEVERITIES, rank_severity
from scripts.herbs_starter.statements import Statement, collect_notes
from scripts.herbs_starter.strengths import Strengths
from scripts.herbs_starter.tables import unique
from scripts.herbs_starter.wording import find_foreign_words, read_labels

Pair = tuple[str, str]
# What is said of the raw plant, or of too much of it, does not hold for a medicine that contains a measured share.
_NOT_INHERITED = frozenset({"condition:anyone", "condition:overdose"})
_WORDS = ("effect", "mechanism", "management", "object")


def add_safety(rows: StarterRows, joined: Sequence[Joined]) -> None:
    problems: list[str] = []
    strengths = Strengths.read(rows, joined)
    for pair in group_pairs(joined).values():
        for statement in pair:
            data, notes = _describe(rows, statement), _explain(statement, pair)
            if strengths.is_lowered(statement) and statement.shown.severity != SEVERITIES[0]:
                notes.append(read_labels("notes")["laboratory"])
            problems += _find_gaps(statement, data, notes)
            _add_edge(rows, statement, data, notes, strengths.derive(statement))
    if problems:
        raise BuildError("statements without whole Thai words:\n" + "\n".join(unique(problems)))


def _add_edge(
    rows: StarterRows, joined: Joined, data: dict[str, Any], notes: list[tuple[str, str]], strength: str
) -> None:
    shown = joined.shown
    rows.add_edge(
        f"{joined.fact}:{joined.object_id}",
        (joined.entity_id, _edge_type(joined), joined.object_id),
        fact=joined.fact,
        strength=strength,
        basis="source" if shown.basis == "assigned" else shown.basis,
        review="reviewed" if joined.is_supported else "needs_review",
        note=" ".join(english for english, _ in notes) or None,
        sources=joined.sources,
        data=data | {"note_th": " ".join(thai for _, thai in notes)},
    )


def _edge_type(joined: Joined) -> str:
    return "interacts_with" if joined.object_id.startswith("drug:") else "contraindicated_in"


def _describe(rows: StarterRows, joined: Joined) -> dict[str, Any]:
    shown = joined.shown
    words = {f"{name}_{lang}": shown.words.get(f"{name}_{lang}") for name in _WORDS for lang in ("en", "th")}
    detail = {key: shown.words.get(key) for key in ("form", "form_th", "evidence_detail_en", "evidence_detail_th")}
    return {
        **words,
        **detail,
        **_source_phrase(rows, joined),
        "kind": shown.kind,
        "severity": shown.severity,
        "severity_basis": shown.severity_basis,
        "evidence": joined.evidence,
        "route": _route(joined),
        "effect_class": joined.effect_class,
        "finding": "negative" if all(statement.is_negative for statement in joined.statements) else None,
        "not_inherited": joined.object_id in _NOT_INHERITED or None,
        "via_formulation": shown.via_formulation,
        "rows": [statement.id for statement in joined.statements] if joined.others else None,
        "differences": [_differ(other) for other in joined.others if _is_different(other, joined)],
    }


def _source_phrase(rows: StarterRows, joined: Joined) -> dict[str, str | None]:
    """Return the words of the source, where the condition that they are filed under is called otherwise."""
    english = joined.shown.words["object_en"] or ""
    if not joined.object_id.startswith("condition:") or (joined.object_id, fold_name(english)) in rows.names:
        return {}
    return {"source_phrase_en": english, "source_phrase_th": joined.shown.words["object_th"]}


def _route(joined: Joined) -> str:
    routes = {statement.route for statement in joined.statements if statement.severity == joined.shown.severity}
    return routes.pop() if len(routes) == 1 else "any"


def _is_different(other: Statement, joined: Joined) -> bool:
    return other.severity != joined.shown.severity or other.evidence != joined.evidence


def _differ(other: Statement) -> dict[str, Any]:
    return {
        "id": other.id,
        "kind": other.kind,
        "severity": other.severity,
        "evidence": other.evidence,
        "effect_en": other.words["effect_en"],
        "effect_th": other.words["effect_th"],
        "sources": list(other.sources),
    }


def _explain(joined: Joined, pair: list[Joined]) -> list[tuple[str, str]]:
    """Tell why it is as it is: the remarks of its rows, where they differ, what else is said of the pair."""
    notes = [note for statement in joined.statements for note in collect_notes(statement)]
    if not joined.is_supported and not notes:
        notes.append(read_labels("notes")["unsupported"])
    if joined.is_disputed:
        notes.append(_tell_dispute(joined))
    for other in pair:
        if other is not joined and other.shown.severity != joined.shown.severity:
            notes.append(_tell_other(other))
    if "nlem-2566" in joined.sources and "herbs97" in joined.sources:
        notes.append(read_labels("notes")["copy"])
    return unique(notes)


def _tell_dispute(joined: Joined) -> tuple[str, str]:
    severities, kinds = read_labels("severity"), read_labels("evidence")
    ranked = sorted(joined.statements, key=lambda statement: -rank_severity(statement.severity))
    graded = unique((severities[row.severity], kinds[row.evidence]) for row in ranked)
    listed_en = ", ".join(f"{severity[0]} ({kind[0]})" for severity, kind in graded)
    listed_th = " ".join(f"{severity[1]} ({kind[1]})" for severity, kind in graded)
    english, thai = read_labels("notes")["dispute"]
    return english.format(listed=listed_en), thai.format(listed=listed_th)


def _tell_other(other: Joined) -> tuple[str, str]:
    severity, about = read_labels("severity")[other.shown.severity], read_labels("effect_class")[other.effect_class]
    english, thai = read_labels("notes")["other"]
    return (
        english.format(about=about[0], severity=severity[0]),
        thai.format(about=about[1], severity=severity[1]),
    )


def _find_gaps(joined: Joined, data: dict[str, Any], notes: list[tuple[str, str]]) -> list[str]:
    """List words that are missing in Thai, and Thai words that are not Thai."""
    found = [
        f"{joined.fact}: no {name}_{lang}"
        for name in ("effect", "management", "object")
        for lang in ("en", "th")
        if not data[f"{name}_{lang}"]
    ]
    if bool(data["mechanism_en"]) != bool(data["mechanism_th"]):
        found.append(f"{joined.fact}: mechanism in one language only")
    thai = [*(text for key, text in data.items() if key.endswith("_th") and text), *(text for _, text in notes)]
    thai += [text["effect_th"] for text in data["differences"]]
    found += [f"{joined.fact}: {words} in {text!r}" for text in thai if (words := find_foreign_words(text))]
    return found


def find_lowered(joined: Iterable[Joined], before: dict[Pair, str], allowed: set[Pair]) -> list[str]:
    """List pairs that ended less severe than an official warning about them was before any correction."""
    strongest: dict[Pair, str] = {}
    for statement in joined:
        key = statement.entity_id, statement.object_id
        strongest[key] = max(strongest.get(key, statement.shown.severity), statement.shown.severity, key=rank_severity)
    return [
        f"{entity} and {target}: {severity} became {strongest.get((entity, target), 'nothing')}"
        for (entity, target), severity in sorted(before.items())
        if (entity, target) not in allowed
        and rank_severity(strongest.get((entity, target), "minor")) < rank_severity(severity)
    ]
