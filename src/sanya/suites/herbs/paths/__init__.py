"""tool.query_kg: paths through the graph, and the pattern language that selects them."""
