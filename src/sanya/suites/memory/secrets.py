"""Finds what should never be remembered: keys, tokens, passwords, card numbers and Thai national ids."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sanya.text.personal import Found, Redacted, identity_numbers, redact

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


def redact_secrets(text: str) -> Redacted:
    """The text with every secret replaced by a word that says what stood there."""
    return redact(text, _found(text))


def _found(text: str) -> Iterator[Found]:
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            group = "secret" if "secret" in match.groupdict() else 0
            if not match.group(group).startswith("[redacted:"):
                yield *match.span(group), kind
    yield from identity_numbers(text)
