"""Peers of the benchmarks: the minimum that each framework does for the same request."""
