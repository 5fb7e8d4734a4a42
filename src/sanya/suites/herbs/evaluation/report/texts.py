"""The texts of the report in English and Thai, from texts.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

BilingualLabel = tuple[str, str]
"""English, and Thai."""


def _read_labels(table: Mapping[str, list[str]]) -> dict[str, BilingualLabel]:
    return {name: (english, thai) for name, (english, thai) in table.items()}


_TEXTS: dict[str, Any] = json.loads(
    (files("sanya.suites.herbs.evaluation.report") / "texts.json").read_text(encoding="utf-8")
)
HEADINGS = _read_labels(_TEXTS["headings"])
SETS = _read_labels(_TEXTS["sets"])
LANGUAGES = _read_labels(_TEXTS["languages"])
KINDS = _read_labels(_TEXTS["kinds"])
OUTCOMES = _read_labels(_TEXTS["outcomes"])
METRIC_LABELS = _read_labels({name: metric["label"] for name, metric in _TEXTS["metrics"].items()})
METRIC_EXPLANATIONS: dict[str, str] = {name: metric["explanation"] for name, metric in _TEXTS["metrics"].items()}
