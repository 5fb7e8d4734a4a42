"""Recall: the search over memories, its ranking, and the answer that is built around each match."""
