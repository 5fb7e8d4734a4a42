"""Turns records into documents of the shared search index: chunks, fields, quality, embedding."""
