"""The fact tables as they are read, and small words about their rows that every step of the build shares."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

Row = dict[str, Any]
DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Tables:
    """One field for each table, named as its file."""

    herbs: list[Row]
    herbs_more: list[Row]
    herb_aliases: list[Row]
    herb_toxic: list[Row]
    constituents: list[Row]
    formulations: list[Row]
    formulation_aliases: list[Row]
    indications: list[Row]
    interactions: list[Row]
    safety: list[Row]
    corrections: list[Row]
    drugs: list[Row]
    classes: list[Row]
    conditions: list[Row]
    condition_phrases: list[Row]
    look_alikes: list[Row]
    fda_herbal_enzyme_roles: list[Row]
    dosing: list[Row]
    evidence: list[Row]
    papers: list[Row]
    sources: list[Row]
    sources_more: list[Row]


# Rows that the build adds to a table: plants, statements, look-alikes and sources that the tables lack, each with its
# own source.
_OWN_ROWS = {
    "herbs_more": "own_herbs.jsonl",
    "herb_aliases": "own_aliases.jsonl",
    "formulation_aliases": "own_formulation_aliases.jsonl",
    "look_alikes": "own_look_alikes.jsonl",
    "safety": "own_safety.jsonl",
    "sources_more": "own_sources.jsonl",
}


def read_tables(folder: Path) -> Tables:
    return Tables(*(_read_table(folder, table.name) for table in fields(Tables)))


def _read_table(folder: Path, name: str) -> list[Row]:
    own = read_own(_OWN_ROWS[name]) if name in _OWN_ROWS else []
    return [*read_rows(folder / f"{name}.jsonl"), *own]


def read_rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


@cache
def read_own(name: str) -> Any:
    """Read what was written for the build itself: word lists and assignments beside the tables."""
    path = DATA / name
    return read_rows(path) if path.suffix == ".jsonl" else json.loads(path.read_text("utf-8"))


def slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.replace("×", "x")).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def review_of(row: Row, *, assigned: bool = False) -> str:
    """Flagged rows need review; what was assigned while compiling has had none."""
    if row.get("check"):
        return "needs_review"
    return "unreviewed" if assigned else "reviewed"


def basis_of(text: str | None) -> str:
    """Say what a judgement rests on in the graph's words; the tables call what they assigned `mapper`."""
    return "assigned" if text in (None, "mapper") else text


def unique(values: Any) -> list[Any]:
    return list(dict.fromkeys(values))
