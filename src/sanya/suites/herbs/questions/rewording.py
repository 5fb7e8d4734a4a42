"""Turns ways of saying a thing into the usual one before a question is read: "pain in my knees", "ใส่ไรบ้าง"."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from sanya.suite.text import has_thai


def normalise_question(text: str) -> str:
    for pattern, replacement in _load_rewordings("thai" if has_thai(text) else "english"):
        text = pattern.sub(replacement, text)
    return text


@cache
def _load_rewordings(lang: str) -> list[tuple[re.Pattern[str], str]]:
    content = (files("sanya.suites.herbs.questions") / "rewording.toml").read_text(encoding="utf-8")
    return [(re.compile(pattern, re.IGNORECASE), replacement) for pattern, replacement in tomllib.loads(content)[lang]]
