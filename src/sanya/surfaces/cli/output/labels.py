"""LabelTexts of a command's output in English and Thai, read from a `labels.json` beside the command."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import orjson

LabelTexts = Mapping[str, Mapping[str, str]]


@cache
def load_labels(path: Path) -> LabelTexts:
    """Map each key to its text by language: `{"title": {"en": …, "th": …}}`."""
    labels: LabelTexts = orjson.loads(path.read_bytes())
    return labels
