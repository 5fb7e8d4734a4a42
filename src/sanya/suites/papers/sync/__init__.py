"""Syncs queries with PubMed: the Entrez port, watermarks, watches, and the two sync tools."""
