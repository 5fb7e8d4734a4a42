"""Builds what a client reads before its first call: lists, schemas, instructions."""
