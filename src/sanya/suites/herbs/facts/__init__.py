"""Facts: the statements of the graph as sentences in Thai and English."""
