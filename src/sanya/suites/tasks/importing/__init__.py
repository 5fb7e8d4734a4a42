"""Imports tasks from files: pure parsers, and one writer that imports a file in one transaction."""
