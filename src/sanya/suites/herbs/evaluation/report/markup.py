"""Construction of the page as an element tree, so that text from data can never become markup."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element, tostring

from sanya.suites.herbs.evaluation.report.texts import BilingualLabel

Child = Element | str | None
Attributes = Mapping[str, str | float | int]


def build_element(tag: str, attributes: Attributes | None = None, *children: Child) -> Element:
    """Build an element. A string child becomes text, never markup; None is left out."""
    parent = Element(tag, {name: _format_value(value) for name, value in (attributes or {}).items()})
    last: Element | None = None
    for child in children:
        if isinstance(child, Element):
            parent.append(child)
            last = child
        elif child is not None and last is None:
            parent.text = (parent.text or "") + replace_unprintable(child)
        elif child is not None and last is not None:
            last.tail = (last.tail or "") + replace_unprintable(child)
    return parent


def build_bilingual(label: BilingualLabel, tag: str = "span") -> Element:
    """Build an element with the English text and the Thai text after it."""
    english, thai = label
    return build_element(
        tag, {"class": "both"}, english, " ", build_element("span", {"lang": "th", "class": "thai"}, thai)
    )


def isolate_text(text: str, lang: str = "") -> Element:
    """Wrap text from data so that its writing direction does not affect the page."""
    return build_element("bdi", {"lang": lang} if lang else None, text)


def replace_unprintable(text: str) -> str:
    """Replace control characters, which could hide or move other text."""
    return "".join(
        character if character.isprintable() or character == "\n" else "\N{REPLACEMENT CHARACTER}" for character in text
    )


def render_html(tree: Element) -> str:
    return tostring(tree, encoding="unicode", method="html")


def _format_value(value: str | float | int) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
