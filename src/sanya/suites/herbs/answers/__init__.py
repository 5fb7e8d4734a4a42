"""tool.rag_answer: cited answers from the facts of the graph, or none."""
