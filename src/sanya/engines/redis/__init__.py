"""Redis: state that several processes share and that any of them can do without."""
