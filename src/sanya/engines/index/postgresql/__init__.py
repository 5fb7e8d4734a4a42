"""The search index on PostgreSQL with pgvector."""
