"""Serves a home: in one process, or in several workers behind one address that a supervisor keeps running."""
