"""Measures the herb safety check on cases in people's words: `python -m benchmarks.herb_safety [--unseen]`."""
