"""tool.hybrid_search: passages of the graph in the shared search, ranked with what the graph knows of the question."""
