"""Warnings: contraindications, precautions and interactions, each filed under the drugs or conditions it is about."""

from __future__ import annotations

from collections import Counter

from sanya.text.characters import has_thai
from scripts.herbs_starter.assigned import CONDITION_NAMES, CONDITIONS, DRUG_CONDITIONS, DRUG_NAMES
from scripts.herbs_starter.drugs import all_drugs, drug_id, drug_terms, memberships, thai_names
from scripts.herbs_starter.lines import Lines
from scripts.herbs_starter.tables import Row, Tables, basis_of, review_of, slug


def add_warnings(lines: Lines, tables: Tables) -> None:
    _add_drugs(lines, tables)
    _add_conditions(lines, tables)
    for row in tables.interactions:
        for target in _targets(row):
            _add_warning(lines, row, target)


def condition_terms(row: Row) -> tuple[str, ...]:
    phrase = row["object_en"]
    if row["object_type"] != "condition" or phrase in DRUG_CONDITIONS:
        return ()
    return CONDITIONS.get(phrase, (phrase,))


def _targets(row: Row) -> list[str]:
    return [*map(drug_id, drug_terms(row)), *map(_condition_id, condition_terms(row))]


def _condition_id(term: str) -> str:
    return f"condition:{slug(term)}"


def _add_drugs(lines: Lines, tables: Tables) -> None:
    thai = thai_names(tables)
    for term in all_drugs(tables):
        id = drug_id(term)
        names = [*thai.get(term, ()), *DRUG_NAMES.get(term, ())]
        label_th = next(filter(has_thai, names), None)
        lines.node(id, "drug", (label_th, term), basis="source", review="reviewed", sources=_sources(tables, id))
        lines.name(id, term, "en", "main")
        lines.name(id, term.removesuffix("s"), "en", "alias")
        _add_names(lines, id, names, label_th)
    for member, group, basis, sources_of in memberships(tables):
        lines.edge(
            f"{drug_id(member)}:part_of:{drug_id(group)}",
            (drug_id(member), "part_of", drug_id(group)),
            basis=basis,
            review="reviewed" if basis == "source" else "unreviewed",
            sources=sources_of,
        )


def _add_conditions(lines: Lines, tables: Tables) -> None:
    phrases: dict[str, Counter[str]] = {}
    for row in tables.interactions:
        for term in condition_terms(row):
            own = phrases.setdefault(term, Counter())
            if row["object_en"] == term:
                own[row["object_th"]] += 1
    for term, own in sorted(phrases.items()):
        id = _condition_id(term)
        thai = [*sorted(own, key=lambda name: (-own[name], name)), *CONDITION_NAMES.get(term, ())]
        label_th = next(filter(has_thai, thai), None)
        basis = "source" if own else "rule: the condition that a longer phrase is about"
        review = "reviewed" if own else "unreviewed"
        lines.node(id, "condition", (label_th, term), basis=basis, review=review, sources=_sources(tables, id))
        lines.name(id, term, "en", "main")
        _add_names(lines, id, thai, label_th)


def _add_names(lines: Lines, id: str, names: list[str], main: str | None) -> None:
    for name in names:
        lines.name(id, name, "th" if has_thai(name) else "en", "main" if name == main else "alias")
        if has_thai(name) and name.startswith("ยา"):
            lines.name(id, name.removeprefix("ยา"), "th", "alias")


def _sources(tables: Tables, id: str) -> list[str]:
    found = {ref for row in tables.interactions if id in _targets(row) for ref in row["source_refs"]}
    return sorted(found) or ["mapper"]


def _add_warning(lines: Lines, row: Row, target: str) -> None:
    type = "interacts_with" if target.startswith("drug:") else "contraindicated_in"
    lines.edge(
        f"{row['id']}:{target}",
        (row["entity_id"], type, target),
        fact=row["id"],
        strength=row["strength"],
        basis=basis_of(row["strength_basis"]),
        review=review_of(row),
        note=row.get("reason"),
        sources=row["source_refs"],
        data={
            key: row.get(key)
            for key in ("kind", "object_en", "object_th", "mechanism", "effect", "evidence", "via_formulation")
        },
    )
