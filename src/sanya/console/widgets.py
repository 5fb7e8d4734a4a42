"""The built widgets. Each is a complete page in one file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files

WIDGETS = ("rmf-fund-list", "rmf-fund-card", "rmf-performance-chart", "rmf-fund-comparison")


@dataclass(frozen=True)
class Widget:
    name: str
    html: str

    @cached_property
    def digest(self) -> str:
        return sha256(self.html.encode("utf-8")).hexdigest()


@cache
def load_widget(name: str) -> Widget:
    return Widget(name, files("sanya.console").joinpath("widgets", f"{name}.html").read_text(encoding="utf-8"))
