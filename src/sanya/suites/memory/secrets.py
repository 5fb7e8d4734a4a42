"""Finds what should never be remembered: keys, tokens, passwords, card numbers and Thai national ids.

A card number has to pass its check digit and an id number its own, because a long number is mostly something else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

_THAI_DIGITS = str.maketrans("๐๑๒๓๔๕๖๗๘๙", "0123456789")
_SEPARATED = re.compile(r"[ -]")

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("private_key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.S)),
    ("token", re.compile(r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+")),
    ("token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,})")),
    ("token", re.compile(r"\bxox[abeoprs]-[\w-]{10,}")),
    ("api_key", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("api_key", re.compile(r"\bAIza[\w-]{35}")),
    ("api_key", re.compile(r"\b(?:sk|rk|pk)[-_](?:live[-_]|test[-_]|proj-|ant-)?[\w-]{16,}")),
    ("api_key", re.compile(r"\b(?:npm_|pypi-|hf_)[\w-]{20,}")),
    ("token", re.compile(r"(?i)\bbearer\s+(?P<secret>[\w.~+/-]{16,}=*)")),
    ("password", re.compile(r"://[^\s/:@]+:(?P<secret>[^\s/@]+)@")),
    (
        "password",
        re.compile(
            r"(?i)(?:\b(?:password|passwd|passphrase|pwd|secret|api[ _-]?key|access[ _-]?key|auth[ _-]?token|token)"
            r"|รหัสผ่าน|รหัสลับ|พาสเวิร์ด)(?:\s+(?:is|คือ)\s+|\s*(?:[:=]|คือ)\s*)[\"']?(?P<secret>[^\s\"',;]{6,})"
        ),
    ),
)
_LONG_NUMBER = re.compile(r"(?<![\w.])[0-9๐-๙](?:[ -]?[0-9๐-๙]){12,18}(?![\w])")


@dataclass(frozen=True, slots=True)
class Redacted:
    text: str
    found: Mapping[str, int]
    """How many of each kind were taken out."""


def redact_secrets(text: str) -> Redacted:
    """The text with every secret replaced by a word that says what stood there."""
    kept: list[str] = []
    kinds: Counter[str] = Counter()
    end = 0
    for start, stop, kind in sorted(_found(text)):
        if start < end:
            continue
        kept += [text[end:start], f"[redacted: {kind}]"]
        kinds[kind] += 1
        end = stop
    return Redacted("".join([*kept, text[end:]]), dict(sorted(kinds.items())))


def _found(text: str) -> Iterator[tuple[int, int, str]]:
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            group = "secret" if "secret" in match.groupdict() else 0
            if not match.group(group).startswith("[redacted:"):
                yield *match.span(group), kind
    for match in _LONG_NUMBER.finditer(text):
        digits = _SEPARATED.sub("", match.group()).translate(_THAI_DIGITS)
        for kind, is_one in _NUMBERS.items():
            if is_one(digits):
                yield *match.span(), kind
                break


def is_thai_id(digits: str) -> bool:
    """Thirteen digits, the first 1 to 8, the last a check digit modulo 11."""
    if len(digits) != 13 or digits[0] in "09":
        return False
    total = sum(int(digit) * weight for digit, weight in zip(digits, range(13, 1, -1), strict=False))
    return (11 - total % 11) % 10 == int(digits[-1])


def is_card_number(digits: str) -> bool:
    """Thirteen to nineteen digits that a card network gives out and that pass the Luhn check."""
    if not 13 <= len(digits) <= 19 or digits[0] not in "3456" or len(set(digits)) < 2:
        return False
    doubled = [int(digit) * (2 if at % 2 else 1) for at, digit in enumerate(reversed(digits))]
    return sum(one - 9 if one > 9 else one for one in doubled) % 10 == 0


_NUMBERS: Mapping[str, Callable[[str], bool]] = {"thai_national_id": is_thai_id, "card_number": is_card_number}
