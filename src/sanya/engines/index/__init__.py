"""Search indexes behind one port: the embedded one, PostgreSQL with pgvector, Weaviate; and the store they share."""
