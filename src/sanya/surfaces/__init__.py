"""Surfaces translate between a wire protocol and kernel calls. They hold no domain logic."""
