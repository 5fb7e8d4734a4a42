"""Filling the suite from the files people have: pure parsers, and one writer that makes an import all or nothing."""
