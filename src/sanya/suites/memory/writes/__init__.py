"""Writes: sending memories, correcting them, undoing corrections and forgetting."""
