"""Extraction: an optional language model that reads memories after the rules. Only literal quotations are kept."""
