"""The PMIDs of the sample papers. PubMed's own have eight digits, so a sample is never taken for a real paper."""

from __future__ import annotations

FIRST_SAMPLE = 9_900_000_001
_LAST_SAMPLE = 9_900_000_999


def is_sample_id(pmid: str) -> bool:
    return pmid.isdecimal() and len(pmid) == 10 and FIRST_SAMPLE <= int(pmid) <= _LAST_SAMPLE
