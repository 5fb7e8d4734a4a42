"""The state of the corpus: `corpus.status` and `corpus.checkpoint.list`."""
