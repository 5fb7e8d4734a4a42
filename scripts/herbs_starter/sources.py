"""Sources with their title, their address or none, and how they were read."""

from __future__ import annotations

from scripts.herbs_starter.rows import StarterRows
from scripts.herbs_starter.tables import Row, Tables, read_own


def add_sources(rows: StarterRows, tables: Tables) -> None:
    more = {row["pmid"]: row for row in tables.sources_more if row.get("pmid")}
    found_in = {row["pmid"]: row["found_in"] for row in tables.papers}
    remarks: dict[str, dict[str, str]] = read_own("source_remarks.json")
    for row in tables.sources:
        remark = remarks.get(row["id"], {})
        read = remark.get("read") or _how_read(row, more, found_in)
        _add(rows, row, read, remark.get("note") or row.get("reason"))
    for row in tables.sources_more:
        _add(rows, row, row["read"], row.get("note"))


def _how_read(row: Row, more: dict[str, Row], found_in: dict[str, str]) -> str:
    pmid = row.get("pmid")
    if pmid in more:
        return str(more[pmid]["read"])
    if found_in.get(pmid or "") == "ttm-rag-chunks":
        return "abstract"
    if row.get("check"):
        return "title" if row.get("title") and pmid else "not-read"
    return "title" if pmid else "copy"


def _add(rows: StarterRows, row: Row, read: str, note: str | None) -> None:
    address = row.get("url") or None
    if address is None:
        note = "; ".join(filter(None, [note, "it has no address"]))
    review = "needs_review" if row.get("check") or read in ("not-read", "title") else "reviewed"
    title = row.get("title") or f"PubMed record {row['pmid']} (its title was not seen)"
    named = [row["kind"], title, row.get("year"), address, row.get("publisher"), row.get("pmid")]
    rows.add_source(row["id"], [*named, review, note, read])
