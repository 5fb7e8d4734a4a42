"""Redaction of secrets: keys, tokens, passwords, card numbers and Thai national ids."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sanya.suite.text import PersonalDatum, RedactedText, find_identity_numbers, redact_spans
from sanya.suites.memory.word_lists import open_word_file

_PATTERNS = [
    (kind, re.compile(pattern))
    for kind, _, pattern in (line.partition(" ") for line in open_word_file(__file__).read_lines("patterns"))
]


def redact_secrets(text: str) -> RedactedText:
    """Replace every secret by a word that names its kind."""
    return redact_spans(text, _find_secrets(text))


def _find_secrets(text: str) -> Iterator[PersonalDatum]:
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            group = "secret" if "secret" in match.groupdict() else 0
            if not match.group(group).startswith("[redacted:"):
                yield *match.span(group), kind
    yield from find_identity_numbers(text)
