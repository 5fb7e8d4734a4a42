"""Thai names with their official Latin spelling, and names with Latin spellings that people really use."""

from __future__ import annotations

import json
from pathlib import Path

_FOLDER = Path(__file__).parent


def load_names(section: str) -> list[tuple[str, str]]:
    """Return the pairs of a Thai and a Latin name of one section of `official_names.txt`."""
    text = (_FOLDER / "official_names.txt").read_text(encoding="utf-8").partition(f"[{section}]\n")[2]
    lines = [line for line in text.partition("\n[")[0].split("\n") if line and not line.startswith("#")]
    return [(thai, latin) for thai, latin in (line.split(maxsplit=1) for line in lines)]


SPELLINGS: dict[str, list[str]] = json.loads((_FOLDER / "name_spellings.json").read_text(encoding="utf-8"))
"""Latin spellings in use, by Thai name."""
