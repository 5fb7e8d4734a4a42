"""Names the works in a reference list, so that two papers that cite the same work are seen to do so."""

from __future__ import annotations


def name_cited_work(pmid: str | None, doi: str | None, pmcid: str | None) -> str | None:
    """Return `pmid:N`, else `doi:…` in lower case, else `pmcid:PMCN`; None for a work without any of these."""
    if pmid and pmid.isascii() and pmid.isdecimal() and (number := pmid.lstrip("0")):
        return f"pmid:{number}"
    if doi and doi.startswith("10.") and "/" in doi:
        return f"doi:{doi.lower()}"
    if pmcid and (number := pmcid.upper().removeprefix("PMC")).isascii() and number.isdecimal():
        return f"pmcid:PMC{number}"
    return None
