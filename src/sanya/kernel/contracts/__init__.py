"""Contracts: the shapes, tools and suites that a server consists of, and how their published form is compared."""
