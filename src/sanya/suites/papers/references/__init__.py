"""References: what people paste to the paper that it names, and a paper to its citation and to related papers."""
