"""Embedders that run here, offline, from weights that come inside packages."""
