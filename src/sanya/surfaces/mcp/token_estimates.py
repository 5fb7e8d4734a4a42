"""How many tokens a text costs a model, near enough to keep within a host's limits."""

from __future__ import annotations

# English JSON has 3 to 4 bytes a token; a Thai character has 3 bytes and is about a token of its own.
BYTES_PER_TOKEN = 3


def estimate_tokens(text: bytes) -> int:
    return -(-len(text) // BYTES_PER_TOKEN)


def estimate_bytes(tokens: int) -> int:
    return tokens * BYTES_PER_TOKEN
