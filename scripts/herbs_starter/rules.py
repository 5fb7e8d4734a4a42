"""The rules by which a statement gets what its table does not say: severity, evidence, route, review.

Severity of a row of the first tables, which have none: a contraindication is `contraindicated`; otherwise strength high
is `major`, moderate is `moderate`, low is `minor`. The strength that is shown is derived in `strengths.py`."""

from __future__ import annotations

from functools import cache
from typing import Any

from scripts.herbs_starter.rows import BuildError
from scripts.herbs_starter.tables import Row, Tables, read_own

SEVERITIES = ("minor", "moderate", "major", "contraindicated")
EVIDENCE = (
    *("official", "trial", "pharmacokinetic", "observational"),
    *("case_reports", "animal", "in_vitro", "theoretical"),
)
_SEVERITY_OF = {"high": "major", "moderate": "moderate", "low": "minor"}
_TABLE_EVIDENCE = {
    "clinical-trial": "trial",
    "pharmacokinetic-study": "pharmacokinetic",
    "case-reports": "case_reports",
    "in-vitro": "in_vitro",
}
OFFICIAL = frozenset({"nlem-2566", "nlem-2568", "nlem-herbs97", "dms-cpg-2568", "dtam-sub-2567", "ema-senna"})
# Sources that were seen, but that cannot carry a statement alone: the copy of the list has interactions of its own.
_NO_SUPPORT = frozenset({"herbs97", "mapper", "textbook-knowledge", "by-component", "present-tables", "qa20"})


def rank_severity(severity: str) -> int:
    return SEVERITIES.index(severity)


def derive_severity(row: Row) -> tuple[str, str]:
    """Return the severity of a row of the first tables, and what it rests on."""
    severity = "contraindicated" if row["kind"] == "contraindication" else _SEVERITY_OF[row["strength"]]
    return severity, "correction" if "strength_before" in row else "rule"


@cache
def _evidence_words() -> dict[str, Any]:
    found: dict[str, Any] = read_own("evidence_words.json")
    return found


def derive_evidence(row: Row) -> tuple[str, str | None, str | None]:
    """Return the kind of evidence and, where the source says more than the kind, its words in English and Thai."""
    wording = row.get("evidence")
    if wording is None:
        kind = "official" if OFFICIAL & set(row["source_refs"]) else "theoretical"
        return kind, None, None
    if wording in _TABLE_EVIDENCE or wording in EVIDENCE:
        return _TABLE_EVIDENCE.get(wording) or str(wording), None, None
    if wording not in _evidence_words():
        raise BuildError(f"evidence_words.json does not know {wording!r} of {row['id']}")
    kind, english, thai = _evidence_words()[wording]
    return kind, english, thai


def read_sources(tables: Tables) -> frozenset[str]:
    """List the sources that were read and can support a statement."""
    papers = {f"pmid:{row['pmid']}" for row in tables.papers if row["found_in"] == "ttm-rag-chunks"}
    more = {row["id"] for row in tables.sources_more if row["read"] != "not-read"}
    same = {f"pmid:{row['pmid']}" for row in tables.sources_more if row.get("pmid") and row["read"] != "not-read"}
    first = {
        row["id"]
        for row in tables.sources
        if not row.get("check") and (not row["id"].startswith("pmid:") or row["id"] in papers | same)
    }
    return frozenset((first | more) - _NO_SUPPORT)
