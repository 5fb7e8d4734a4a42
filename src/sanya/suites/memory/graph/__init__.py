"""Graph building: parsed memories become nodes and edges, each with the memory that says so."""
