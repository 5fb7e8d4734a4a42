"""Builds the page as a tree, so that no text, whoever wrote it, can become markup."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element, tostring

from sanya.suites.herbs.evaluation.report.texts import BilingualLabel

Child = Element | str | None
Attributes = Mapping[str, str | float | int]


def build_element(tag: str, attributes: Attributes | None = None, *children: Child) -> Element:
    """A string is a text, never markup; None is left out."""
    made = Element(tag, {name: _shown(value) for name, value in (attributes or {}).items()})
    last: Element | None = None
    for child in children:
        if isinstance(child, Element):
            made.append(child)
            last = child
        elif child is not None and last is None:
            made.text = (made.text or "") + replace_unprintable(child)
        elif child is not None and last is not None:
            last.tail = (last.tail or "") + replace_unprintable(child)
    return made


def build_bilingual(words: BilingualLabel, tag: str = "span") -> Element:
    """English, and Thai beside or below it."""
    english, thai = words
    return build_element(
        tag, {"class": "both"}, english, " ", build_element("span", {"lang": "th", "class": "thai"}, thai)
    )


def isolate_text(text: str, lang: str = "") -> Element:
    """A text of somebody else: its direction stays its own."""
    return build_element("bdi", {"lang": lang} if lang else None, text)


def replace_unprintable(text: str) -> str:
    """Without what would hide or move other text."""
    return "".join(one if one.isprintable() or one == "\n" else "\N{REPLACEMENT CHARACTER}" for one in text)


def render_html(tree: Element) -> str:
    return tostring(tree, encoding="unicode", method="html")


def _shown(value: str | float | int) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
