"""The search index on a Weaviate server."""
