"""How good search and answers are: question sets, measures, and the runs that put them together."""
