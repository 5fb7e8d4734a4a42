"""The numbered steps of the one schema; `schema.py` says how they are written."""
