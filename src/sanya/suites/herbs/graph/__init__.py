"""The knowledge graph: its model, its tables, and the resolution of names to nodes."""
