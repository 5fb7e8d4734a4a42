"""Opens what search needs: models, indexes, rerankers."""
