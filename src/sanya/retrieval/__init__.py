"""Hybrid search for all suites: words and meaning, Thai and English. Pure logic, and the ports it depends on."""
