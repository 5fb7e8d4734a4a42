"""CSL-JSON: the item of a paper for citation processors (Zotero, Pandoc, citeproc)."""

from __future__ import annotations

from typing import Any

from sanya.suites.papers.citations.bibtex import make_key
from sanya.suites.papers.citations.reference import Reference
from sanya.suites.papers.pubmed.record import Author


def build_csl_item(reference: Reference) -> dict[str, Any]:
    record, pages = reference.record, reference.pages
    item: dict[str, Any] = {
        "id": make_key(reference),
        "type": "article-journal",
        "author": [_build_name(author) for author in record.authors],
        "title": reference.title,
        "container-title": record.journal,
        "container-title-short": record.journal_abbreviation,
        "issued": {"date-parts": [list(reference.date_parts)]} if reference.date_parts else None,
        "volume": record.volume,
        "issue": record.issue,
        "page": "-".join(filter(None, pages)) if pages else None,
        "ISSN": record.issn,
        "DOI": record.doi,
        "PMID": record.pmid if reference.url else None,
        "PMCID": record.pmcid,
        "URL": reference.url,
        "language": record.languages[0] if record.languages else None,
        "abstract": record.abstract,
        "note": " ".join(notice.sentence for notice in reference.notices),
    }
    return {name: value for name, value in item.items() if value}


def _build_name(author: Author) -> dict[str, str]:
    if author.collective:
        return {"literal": author.collective}
    names = {"family": author.last, "given": author.fore or author.initials}
    return {kind: name for kind, name in names.items() if name}
