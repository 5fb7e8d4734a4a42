"""Parsers of option values, each with a message that says what the option takes."""

from __future__ import annotations

from argparse import ArgumentTypeError

_LARGEST = 2**53 - 1


def parse_positive(text: str) -> int:
    return _parse_whole_number(text, least=1)


def parse_natural(text: str) -> int:
    return _parse_whole_number(text, least=0)


def _parse_whole_number(text: str, *, least: int) -> int:
    if text.isascii() and text.isdigit() and least <= int(text[:20]) <= _LARGEST:
        return int(text)
    raise ArgumentTypeError(f"expected a whole number of at least {least}, got {text!r}")
