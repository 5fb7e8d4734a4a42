"""The fact tables as they are read, and which of their rows are fit to enter the graph."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Row = dict[str, Any]
_NAMES = ("herbs", "constituents", "formulations", "indications", "interactions", "papers", "sources")


@dataclass(frozen=True)
class Tables:
    herbs: list[Row]
    constituents: list[Row]
    formulations: list[Row]
    indications: list[Row]
    interactions: list[Row]
    papers: list[Row]
    sources: list[Row]


def read_tables(folder: Path) -> Tables:
    return fit(Tables(*(_read(folder / f"{name}.jsonl") for name in _NAMES)))


def _read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def fit(tables: Tables) -> Tables:
    """Without the rows that are flagged as doubtful, but for those that a warning hangs on: a warning is never left
    out, nor the herb or formulation that it is about, nor an ingredient through which it is inherited."""
    warned = {row["entity_id"] for row in tables.interactions}
    herbs = [row for row in tables.herbs if not row.get("check") or row["id"] in warned | _ingredients(tables)]
    formulations = [
        row for row in tables.formulations if not row.get("check") or row["id"] in warned or _has_herbs(row)
    ]
    cited = {ref for row in tables.interactions for ref in row["source_refs"]}
    papers = [row for row in tables.papers if not row.get("check") or f"pmid:{row['pmid']}" in cited]
    return Tables(
        herbs=herbs,
        constituents=[row for row in tables.constituents if not row.get("check")],
        formulations=formulations,
        indications=[row for row in tables.indications if not row.get("check")],
        interactions=tables.interactions,
        papers=papers,
        sources=tables.sources,
    )


def _ingredients(tables: Tables) -> set[str]:
    return {one.get("herb_id") for row in tables.formulations for one in row["ingredients"]} - {None}


def _has_herbs(row: Row) -> bool:
    return any(one.get("herb_id") for one in row["ingredients"])


def slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.replace("×", "x")).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def review_of(row: Row, *, assigned: bool = False) -> str:
    """Flagged rows need review; what was assigned while compiling has had none."""
    if row.get("check"):
        return "needs_review"
    return "unreviewed" if assigned else "reviewed"


def basis_of(text: str | None) -> str:
    """What a judgement rests on, in the graph's words; the tables call what they assigned `mapper`."""
    return "assigned" if text in (None, "mapper") else text
