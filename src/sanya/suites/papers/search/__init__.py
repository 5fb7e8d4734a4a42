"""Searches the papers: synonyms, ranking, and the assembly of whole papers."""
