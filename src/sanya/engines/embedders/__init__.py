"""Embedding models that run in this process, offline, from weights inside installed packages."""
