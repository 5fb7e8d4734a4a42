"""Ingest: documents into the graph, as unreviewed statements that can be rolled back."""
