"""The embedded index: tantivy for words and usearch for vectors, in files of the home."""
