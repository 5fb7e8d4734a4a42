"""Decisions of the owner's reviewers about statements of the graph."""
