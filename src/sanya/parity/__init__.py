"""Checks live that a call has the same answer on every surface."""
