"""Reads arguments as models and hosts send them."""
