"""Builds a release: wheels, source, bundle, registry entry and notes, each checked by using it."""
