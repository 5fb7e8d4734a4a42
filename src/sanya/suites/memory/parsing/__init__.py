"""Parsing: text to claims, mentions, times and links, in Thai and English. Rules and word lists, no model."""
