"""The corpus at a glance: papers by year and by kind of study, and the newest ones. For people; no tool needs it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import orjson

from sanya.suite.store import Database, Value

_NEWEST = 25
_KINDS = 12
_CHECKPOINTS = 50
# Kinds that nearly every paper has say nothing about it.
_PLAIN_KINDS = frozenset({"Journal Article", "English Abstract"})
_FUNDING = "Research Support"
_FIELDS = {
    "sqlite": "json_extract(content, '$.pdat'), json_extract(content, '$.pub_types')",
    "postgresql": "content::json ->> 'pdat', content::json ->> 'pub_types'",
}
_HEAD = {
    "sqlite": "json_extract(content, '$.title'), json_extract(content, '$.journal'), json_extract(content, '$.pdat')",
    "postgresql": "content::json ->> 'title', content::json ->> 'journal', content::json ->> 'pdat'",
}


@dataclass(frozen=True, slots=True)
class CorpusFigures:
    years: list[dict[str, int]]
    kinds: list[dict[str, Any]]
    newest: list[dict[str, Any]]


async def read_corpus_figures(database: Database) -> CorpusFigures:
    """Read every current record once: a second for a hundred thousand, so a caller keeps the answer."""
    years: Counter[int] = Counter()
    kinds: Counter[str] = Counter()
    sql = f"SELECT {_FIELDS[database.dialect]} FROM paper_versions WHERE to_seq IS NULL"  # noqa: S608 - constants only
    for published, types in await database.fetch(sql):
        year = str(published or "")[:4]
        if year.isdigit():
            years[int(year)] += 1
        kinds.update(_read_kinds(types))
    return CorpusFigures(
        years=[{"year": year, "papers": years[year]} for year in sorted(years)],
        kinds=[{"kind": kind, "papers": count} for kind, count in kinds.most_common(_KINDS)],
        newest=await _list_newest(database),
    )


def _read_kinds(types: object) -> list[str]:
    names = orjson.loads(types) if isinstance(types, str) else []
    return [name for name in names if name not in _PLAIN_KINDS and not name.startswith(_FUNDING)]


async def _list_newest(database: Database) -> list[dict[str, Any]]:
    rows = await database.fetch(
        f"SELECT pmid, edat, is_sample, {_HEAD[database.dialect]} FROM paper_versions "  # noqa: S608 - constants only
        "WHERE to_seq IS NULL ORDER BY edat DESC, pmid DESC LIMIT ?",
        (_NEWEST,),
    )
    return [
        {
            "pmid": pmid,
            "entered": edat,
            "sample": bool(sample),
            "title": title,
            "journal": journal,
            "published": published,
        }
        for pmid, edat, sample, title, journal, published in rows
    ]


async def describe_holding(database: Database, pmid: str) -> dict[str, Any]:
    """Describe what is here of a paper beside its record: its versions, the checkpoints that keep each, a full text."""
    rows = await database.fetch(
        "SELECT version, from_seq, to_seq, lr FROM paper_versions WHERE pmid = ? ORDER BY version DESC", (pmid,)
    )
    checkpoints = await database.fetch(
        "SELECT name, seq FROM paper_checkpoints ORDER BY created_at DESC LIMIT ?", (_CHECKPOINTS,)
    )
    full_text = await database.fetch("SELECT 1 FROM paper_fulltexts WHERE pmid = ? LIMIT 1", (pmid,), touches=1)
    versions = [
        {
            "version": version,
            "is_current": to_seq is None,
            "revised": lr,
            "checkpoints": [name for name, seq in checkpoints if _is_held(seq, from_seq, to_seq)],
        }
        for version, from_seq, to_seq, lr in rows
    ]
    return {"versions": versions, "has_full_text": bool(full_text)}


def _is_held(seq: Value, from_seq: Value, to_seq: Value) -> bool:
    """Return whether a version that was current from one sequence number to another was so at `seq`."""
    assert isinstance(seq, int) and isinstance(from_seq, int) and isinstance(to_seq, int | None)
    return from_seq <= seq and (to_seq is None or seq < to_seq)
