"""Composition of each suite from engines, sources and settings. With `app.py`, the only code that knows them all."""
