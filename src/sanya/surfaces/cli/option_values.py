"""Reading option values, with a sentence for what cannot be read."""

from __future__ import annotations

from argparse import ArgumentTypeError

_LARGEST = 2**53 - 1


def positive(text: str) -> int:
    return _whole(text, least=1)


def natural(text: str) -> int:
    return _whole(text, least=0)


def _whole(text: str, *, least: int) -> int:
    if text.isascii() and text.isdigit() and least <= int(text[:20]) <= _LARGEST:
        return int(text)
    raise ArgumentTypeError(f"takes a whole number from {least} on, got {text!r}")
