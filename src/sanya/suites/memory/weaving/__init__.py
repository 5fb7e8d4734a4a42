"""Weaving memories into the graph: what a reading found becomes nodes and edges, each with the memory that says so."""
