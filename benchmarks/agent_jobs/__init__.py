"""Jobs of an assistant over all suites, as calls that a good model makes from the descriptions alone."""
