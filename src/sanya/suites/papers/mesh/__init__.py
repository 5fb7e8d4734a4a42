"""Subjects of the stored papers, by the headings of MeSH."""
