"""What herbs and formulations are used for, by ICD-10 code, and what follows from it for their constituents."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from scripts.herbs_starter.rows import StarterRows
from scripts.herbs_starter.tables import Row, Tables, basis_of, read_own, review_of, slug

_FOLLOWS = "rule: constituent of a herb that has this use; no source says that the constituent acts"
_SUBCODE = "rule: a subcode is part of its ICD-10 code"


def add_uses(rows: StarterRows, tables: Tables) -> None:
    used = [row for row in tables.indications if not row.get("check") and rows.has(row["herb_or_formulation_id"])]
    by_id: dict[str, list[Row]] = defaultdict(list)
    for row in used:
        by_id[indication_id(row["icd10"], row["description_en"])].append(row)
    plain: dict[str, dict[str, list[str]]] = read_own("plain_uses.json")
    for id, some in by_id.items():
        _add_indication(rows, id, some, plain["labels"])
    for code, labels in plain["parents"].items():
        _add_parent(rows, code, labels)
    _add_hierarchy(rows, {*by_id, *(f"icd10:{code}" for code in plain["parents"])})
    for number, row in enumerate(used):
        _add_use(rows, row, number)
    _add_actions(rows, tables, used)


def indication_id(code: str | None, description: str) -> str:
    return f"icd10:{code}" if code else f"indication:{slug(description)}"


def _add_indication(rows: StarterRows, id: str, uses: list[Row], plain: dict[str, list[str]]) -> None:
    """Label a code by what it means in plain words, where descriptions are narrower than the code; else by the
    description used most often. All descriptions are names."""
    counted = Counter((row["description_th"], row["description_en"]) for row in uses)
    ranked: list[Any] = sorted(counted, key=lambda pair: (-counted[pair], len(pair[1]), pair))
    code = uses[0]["icd10"]
    former = ranked[0]
    if code in plain:
        ranked = [tuple(plain[code]), *(pair for pair in ranked if pair != tuple(plain[code]))]
    from_source = code is None or any(row["icd10_basis"] == "source" for row in uses)
    rows.add_node(
        id,
        "indication",
        ranked[0],
        basis="source" if from_source else "assigned",
        review="reviewed" if from_source else "unreviewed",
        sources=sorted({ref for row in uses for ref in row["source_refs"]}),
        data={"icd10": code, "icd10_tm": sorted({tm for row in uses for tm in row.get("icd10_tm", [])})},
    )
    for number, (thai, english) in enumerate(ranked):
        kind = "alias" if number else "main"
        rows.add_name(id, thai, "th", kind)
        rows.add_name(id, english, "en", kind)
    # What was the label before is often a list: each of its words still means this use.
    for part in former[0].split() if former != ranked[0] else ():
        rows.add_name(id, part, "th", "alias")
    for part in former[1].split(", ") if former != ranked[0] else ():
        rows.add_name(id, part, "en", "alias")
    if code is not None:
        rows.add_name(id, code, "en", "code")


def _add_parent(rows: StarterRows, code: str, labels: list[str]) -> None:
    """A code that no row uses itself, above those that narrow it."""
    id = f"icd10:{code}"
    thai, english = labels
    data = {"icd10": code}
    rows.add_node(
        id, "indication", (thai, english), basis="assigned", review="unreviewed", sources=["mapper"], data=data
    )
    for name, lang, kind in ((thai, "th", "main"), (english, "en", "main"), (code, "en", "code")):
        rows.add_name(id, name, lang, kind)


def _add_hierarchy(rows: StarterRows, ids: set[str]) -> None:
    for id in sorted(ids):
        above = id.rpartition(".")[0]
        if above in ids:
            rows.add_edge(f"{id}:part_of:{above}", (id, "part_of", above), basis=_SUBCODE, review="unreviewed")


def _add_use(rows: StarterRows, row: Row, number: int) -> None:
    entity, target = row["herb_or_formulation_id"], indication_id(row["icd10"], row["description_en"])
    is_assigned = row["icd10_basis"] == "mapper"
    rows.add_edge(
        f"use-{number:04}",
        (entity, "treats", target),
        basis="source",
        review=review_of(row, assigned=is_assigned),
        note="the ICD-10 code was assigned, not given by a source" if is_assigned else None,
        sources=row["source_refs"],
        data={
            "description_th": row["description_th"],
            "description_en": row["description_en"],
            "evidence_level": row.get("evidence_level"),
            "icd10_basis": basis_of(row["icd10_basis"]) if row["icd10"] else None,
            "via_formulations": row.get("via_formulations"),
        },
    )


def _add_actions(rows: StarterRows, tables: Tables, used: list[Row]) -> None:
    """Let one ask from a herb over its constituents to its uses; every such edge says that it is inferred."""
    uses: dict[str, set[str]] = defaultdict(set)
    for row in used:
        uses[row["herb_or_formulation_id"]].add(indication_id(row["icd10"], row["description_en"]))
    for constituent in tables.constituents:
        through: dict[str, list[str]] = defaultdict(list)
        for herb_id in constituent["herb_ids"]:
            for target in uses[herb_id]:
                through[target].append(herb_id)
        for target, herbs in through.items():
            rows.add_edge(
                f"{constituent['id']}:acts_on:{target}",
                (constituent["id"], "acts_on", target),
                basis=_FOLLOWS,
                review="unreviewed",
                sources=constituent["source_refs"],
                data={"herb_ids": sorted(herbs)},
            )
