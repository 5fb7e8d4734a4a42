"""Imports from the browser: files are uploaded, read as a dry run, and written only when the owner says so."""
