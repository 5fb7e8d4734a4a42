"""Contradiction detection: pure functions that say how two claims exclude each other."""
