"""Estimates the tokens of a text, closely enough to stay within a host's limits."""

from __future__ import annotations

# English JSON has 3 to 4 bytes a token. A Thai character has 3 bytes and is about one token.
BYTES_PER_TOKEN = 3


def estimate_tokens(text: bytes) -> int:
    return -(-len(text) // BYTES_PER_TOKEN)


def estimate_bytes(tokens: int) -> int:
    return tokens * BYTES_PER_TOKEN
