"""Labels of `sanya herbs` in English and Thai."""

from __future__ import annotations

from pathlib import Path

from sanya.surfaces.cli.output.labels import load_labels
from sanya.text.characters import has_thai

_FILE = Path(__file__).with_name("labels.json")


def get_label(key: str, lang: str) -> str:
    return load_labels(_FILE)[key]["th" if lang == "th" else "en"]


def choose_language(chosen: str | None, *given: str) -> str:
    """Return the chosen language, else Thai if any given text has Thai characters, else English."""
    return chosen or ("th" if any(map(has_thai, given)) else "en")
