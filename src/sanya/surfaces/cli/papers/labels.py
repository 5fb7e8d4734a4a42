"""Labels of `sanya papers` in English and Thai."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from sanya.surfaces.cli.output.labels import load_labels

_FILE = Path(__file__).with_name("labels.json")


@cache
def get_labels(language: str | None) -> Mapping[str, str]:
    """Return the labels in Thai for `th`, else in English. Keys that end in `_one` are English singulars only."""
    chosen = "th" if language == "th" else "en"
    return {key: texts[chosen] for key, texts in load_labels(_FILE).items() if chosen in texts}


def format_count(language: str | None, name: str, count: int, **more: str) -> str:
    """Fill a count into the label of this name, in the singular where the language has one."""
    labels = get_labels(language)
    label = labels.get(f"{name}_one", labels[name]) if count == 1 else labels[name]
    return label.format(count=f"{count:,}", **more)
