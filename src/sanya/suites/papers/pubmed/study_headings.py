"""MeSH headings that tell what kind of study a paper is."""

from __future__ import annotations

COHORTS = frozenset(
    (
        "Cohort Studies",
        "Prospective Studies",
        "Retrospective Studies",
        "Longitudinal Studies",
        "Follow-Up Studies",
    )
)
PRECLINICAL = frozenset(
    (
        "Disease Models, Animal",
        "In Vitro Techniques",
        "Cells, Cultured",
        "Cell Line",
        "Cell Line, Tumor",
        "Xenograft Model Antitumor Assays",
    )
)
STUDY_HEADINGS = COHORTS | PRECLINICAL | {"Humans", "Animals"}
