"""Tries a learned reranker over the features that a search has, on parts of the data that it has not seen.

`python -m scripts.reranker` prints, for each set and model, nDCG@10 (papers) or the share of questions whose evidence
is among the first ten (memories) beside today's order, with a bootstrapped interval of the difference. Nothing is
shipped: `docs/search.md` has the table.
"""
