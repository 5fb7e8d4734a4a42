"""Corrections of the first tables: what the sources that were read say about doubtful rows, with those sources.

`more_corrections.jsonl` holds the same classes of mistakes found elsewhere: coumarin as a reason, an enzyme that does
not clear the drug, terms lost in filing, a paper cited for what it does not test."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from scripts.herbs_starter.rows import BuildError
from scripts.herbs_starter.tables import Row, Tables, read_own, unique

_STRENGTHS = ("low", "moderate", "high")
_PLAIN_FIELDS = ("mechanism", "effect", "evidence", "strength", "object_en", "object_terms")


@dataclass
class Corrected:
    """The rows that stay, as they should be, and those that were withdrawn, each with the reason."""

    rows: list[Row] = field(default_factory=list)
    withdrawn: list[Row] = field(default_factory=list)
    applied: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def correct_interactions(tables: Tables) -> Corrected:
    corrected = Corrected()
    own: list[Row] = read_own("more_corrections.jsonl")
    known = {row["id"] for row in tables.interactions}
    unknown = {entry["id"].partition(".")[0] for entry in [*tables.corrections, *own] if "id" in entry} - known
    if unknown:
        raise BuildError(f"corrections of rows that are not there: {sorted(unknown)}")
    for row in tables.interactions:
        entries = [entry for entry in [*tables.corrections, *own] if _concerns(entry, row)]
        _correct(corrected, row, entries)
    for entry in own:
        corrected.rows = [part for row in corrected.rows for part in _correct_part(row, entry)]
    return corrected


def _correct_part(row: Row, entry: Row) -> list[Row]:
    """Correct one of the rows that a row was split into."""
    is_meant = row.get("is_part") and entry.get("id") == row["id"]
    return _apply(row, entry) if is_meant else [row]


def _concerns(entry: Row, row: Row) -> bool:
    if "match" in entry:
        return all(row.get(key) == value for key, value in entry["match"].items())
    return bool(entry["id"] == row["id"])


def _correct(corrected: Corrected, row: Row, entries: list[Row]) -> None:
    parts = [dict(row, notes=[row["reason"]] if row.get("reason") else [], corrected=False)]
    for entry in entries:
        corrected.applied[entry["verdict"]] += 1
        if _is_drop(entry["should_be"]):
            corrected.withdrawn.append({**row, "reason": entry["reason"], "corrected_by": entry["source_refs"]})
            return
        parts = [changed for part in parts for changed in _apply(part, entry)]
    corrected.rows += parts


def _is_drop(should_be: Row | str) -> bool:
    return should_be == "drop" or (isinstance(should_be, dict) and bool(should_be.get("drop")))


def _apply(row: Row, entry: Row) -> list[Row]:
    """Change the row as one correction wants it, or split it."""
    should_be = entry["should_be"]
    if isinstance(should_be, str):
        should_be = {"effect": should_be}
    changed = dict(row, corrected=True)
    _set_fields(changed, should_be)
    changed["source_refs"] = unique([*should_be.get("source_refs", row["source_refs"]), *entry["source_refs"]])
    notes = [should_be.get("note"), entry["reason"]]
    changed["notes"] = unique([*row["notes"], *filter(None, notes)])
    if "split" not in should_be:
        return [changed]
    return [_split(changed, part, number) for number, part in enumerate(should_be["split"], start=1)]


def _set_fields(changed: Row, should_be: Row) -> None:
    for key in _PLAIN_FIELDS:
        if key in should_be:
            if key == "strength":
                changed["strength_before"] = changed.get("strength_before", changed["strength"])
            if key == "object_terms":
                changed["is_corrected_terms"] = True
            changed[key] = should_be[key]
    changed["check"] = bool(changed.get("check") or should_be.get("check"))
    changed["dropped_terms"] = [
        *changed.get("dropped_terms", ()),
        *(term.partition(" (")[0] for term in should_be.get("drop_terms", ())),
    ]


def _split(row: Row, part: Row, number: int) -> Row:
    found = dict(row, id=f"{row['id']}.{number}")
    _set_fields(found, part)
    found["is_part"] = True
    return found


def is_lowered(row: Row) -> bool:
    before = row.get("strength_before")
    return before is not None and _STRENGTHS.index(row["strength"]) < _STRENGTHS.index(before)
