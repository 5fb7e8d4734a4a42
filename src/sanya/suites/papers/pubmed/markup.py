"""Converts inline markup (italics, superscripts, subscripts, MathML) to plain text that keeps its meaning."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

_BLANKS = re.compile(r"[ \t\n\r]+")
# Unicode has superscript and subscript digits: 10⁻³ must not become 10-3. Search reads them as digits.
_PLAIN = "0123456789+-=()"
_SUPERSCRIPTS = str.maketrans(_PLAIN + "n−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ⁻")
_SUBSCRIPTS = str.maketrans(_PLAIN + "−", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎₋")
_TABLES = {"sup": _SUPERSCRIPTS, "sub": _SUBSCRIPTS}


def extract_text(element: Element | None) -> str:
    """Return all text inside the element, with markup resolved and single blanks."""
    if element is None:
        return ""
    if not len(element):
        return collapse_blanks(element.text or "")
    return collapse_blanks("".join(_collect_text(element)))


def collapse_blanks(text: str) -> str:
    if "\n" in text or "  " in text or "\t" in text or "\r" in text:
        text = _BLANKS.sub(" ", text)
    return text.strip(" ")


def _collect_text(element: Element) -> list[str]:
    """Return the parts of the text in reading order. A loop and no recursion, because a file may nest markup deeply."""
    parts: list[str] = []
    pending: list[Element | str] = [element]
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        table = _TABLES.get(node.tag)
        if table is not None and not len(node):
            parts.append(_translate_all(node.text or "", table))
            continue
        for child in reversed(node):
            pending += [child.tail or "", child]
        pending.append(node.text or "")
    return parts


def _translate_all(text: str, table: dict[int, int]) -> str:
    """Translate the text if the table has every character of it."""
    return text.translate(table) if all(ord(character) in table for character in text) else text
