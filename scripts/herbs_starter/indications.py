"""What herbs and formulations are used for, by ICD-10 code, and what follows from it for their constituents."""

from __future__ import annotations

from collections import Counter, defaultdict

from scripts.herbs_starter.lines import Lines, indication_id
from scripts.herbs_starter.tables import Row, Tables, basis_of, review_of

_FOLLOWS = "rule: constituent of a herb that has this use; no source says that the constituent acts"


def add_indications(lines: Lines, tables: Tables) -> None:
    rows = [row for row in tables.indications if lines.has(row["herb_or_formulation_id"])]
    by_id: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_id[indication_id(row["icd10"], row["description_en"])].append(row)
    for id, some in by_id.items():
        _add_indication(lines, id, some)
    _add_hierarchy(lines, set(by_id))
    for number, row in enumerate(rows):
        _add_use(lines, row, number)
    _add_actions(lines, tables, rows)


def _add_indication(lines: Lines, id: str, rows: list[Row]) -> None:
    """The description used most often is the label; all of them are names."""
    counted = Counter((row["description_th"], row["description_en"]) for row in rows)
    ranked = sorted(counted, key=lambda pair: (-counted[pair], len(pair[1]), pair))
    from_source = any(row["icd10_basis"] == "source" for row in rows)
    has_code = rows[0]["icd10"] is not None
    lines.node(
        id,
        "indication",
        ranked[0],
        basis="source" if from_source or not has_code else "assigned",
        review="reviewed" if from_source or not has_code else "unreviewed",
        sources=sorted({ref for row in rows for ref in row["source_refs"]}),
        data={
            "icd10": rows[0]["icd10"],
            "icd10_tm": sorted({code for row in rows for code in row.get("icd10_tm", [])}),
        },
    )
    for number, (thai, english) in enumerate(ranked):
        kind = "alias" if number else "main"
        lines.name(id, thai, "th", kind)
        lines.name(id, english, "en", kind)
    if has_code:
        lines.name(id, rows[0]["icd10"], "en", "code")


def _add_hierarchy(lines: Lines, ids: set[str]) -> None:
    for id in sorted(ids):
        above = id.rpartition(".")[0]
        if above in ids:
            basis = "rule: a subcode is part of its ICD-10 code"
            lines.edge(f"{id}:part_of:{above}", (id, "part_of", above), basis=basis, review="unreviewed")


def _add_use(lines: Lines, row: Row, number: int) -> None:
    entity, target = row["herb_or_formulation_id"], indication_id(row["icd10"], row["description_en"])
    lines.edge(
        f"use-{number:04}",
        (entity, "treats", target),
        basis="source",
        review=review_of(row, assigned=row["icd10_basis"] == "mapper"),
        note="the ICD-10 code was assigned, not given by a source" if row["icd10_basis"] == "mapper" else None,
        sources=row["source_refs"],
        data={
            "description_th": row["description_th"],
            "description_en": row["description_en"],
            "evidence_level": row.get("evidence_level"),
            "icd10_basis": basis_of(row["icd10_basis"]) if row["icd10"] else None,
            "via_formulations": row.get("via_formulations"),
        },
    )


def _add_actions(lines: Lines, tables: Tables, rows: list[Row]) -> None:
    """So that one can ask from a herb over its constituents to its uses; every such edge says that it is inferred."""
    uses: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        uses[row["herb_or_formulation_id"]].add(indication_id(row["icd10"], row["description_en"]))
    for constituent in tables.constituents:
        through: dict[str, list[str]] = defaultdict(list)
        for herb_id in constituent["herb_ids"]:
            for target in uses[herb_id]:
                through[target].append(herb_id)
        for target, herbs in through.items():
            lines.edge(
                f"{constituent['id']}:acts_on:{target}",
                (constituent["id"], "acts_on", target),
                basis=_FOLLOWS,
                review="unreviewed",
                sources=constituent["source_refs"],
                data={"herb_ids": sorted(herbs)},
            )
