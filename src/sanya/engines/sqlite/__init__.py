"""The SQLite engine: one writer thread, several reader threads, one file in the home."""
