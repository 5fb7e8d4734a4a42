"""Benchmarks of the project, each reported as a ratio to a peer measured in the same run."""
