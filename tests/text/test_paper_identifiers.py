"""Identifiers are found as people paste them, and numbers that are none are left alone."""

from __future__ import annotations

import pytest

from sanya.text.paper_identifiers import find_identifiers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("29768149", ["pmid:29768149"]),
        ("pmid:29768149", ["pmid:29768149"]),
        ("PMID 0029768149.", ["pmid:29768149"]),
        ("https://pubmed.ncbi.nlm.nih.gov/29768149/", ["pmid:29768149"]),
        ("https://www.ncbi.nlm.nih.gov/pubmed/29768149?x=1", ["pmid:29768149"]),
        ("PMC6021401", ["pmcid:PMC6021401"]),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC6021401/", ["pmcid:PMC6021401"]),
        ("10.1056/NEJMoa1715274", ["doi:10.1056/nejmoa1715274"]),
        ("https://doi.org/10.1056/NEJMoa1715274.", ["doi:10.1056/nejmoa1715274"]),
        ("https://doi.org/10.1016%2FS0140-6736(18)30841-4", ["doi:10.1016/s0140-6736(18)30841-4"]),
        ("(doi: 10.1016/S0140-6736(18)30841-4)", ["doi:10.1016/s0140-6736(18)30841-4"]),
        (
            "Smith J. Title. N Engl J Med. 2018;378(20):1865-1876. doi: 10.1056/NEJMoa1715274. PMID: 29768149.",
            ["pmid:29768149", "doi:10.1056/nejmoa1715274"],
        ),
        ("๒๙๗๖๘๑๔๙", ["pmid:29768149"]),
        ("https://doi.org/10.1056/NEJMoa1715274?utm_source=x", ["doi:10.1056/nejmoa1715274"]),
        ("doi.org/10.1056/NEJMoa1715274#abstract", ["doi:10.1056/nejmoa1715274"]),
        ("https://www.nejm.org/doi/full/10.1056/NEJMoa1715274", ["doi:10.1056/nejmoa1715274"]),
        ("https://www.spandidos-publications.com/10.3892/ol.2016.4904/abstract", ["doi:10.3892/ol.2016.4904"]),
        ("10.3892/ol.2016.4904.pdf", ["doi:10.3892/ol.2016.4904"]),
        ("https://www.frontiersin.org/articles/10.3389/fphar.2020.00106/full", ["doi:10.3389/fphar.2020.00106"]),
        ("https://www.medrxiv.org/content/10.1101/2020.03.01.20029397v2.full.pdf", ["doi:10.1101/2020.03.01.20029397"]),
        ("10.1093/full/abc123", ["doi:10.1093/full/abc123"]),
        ("2018 May 17;378(20):1865-1876", []),
        ("3.5 mg of vitamin D in 1024 adults", []),
        ("ผลของขิงต่ออาการคลื่นไส้ 2563", []),
    ],
)
def test_identifiers_are_found_as_people_paste_them(text: str, expected: list[str]) -> None:
    assert [f"{found.kind}:{found.value}" for found in find_identifiers(text)] == expected
