"""Text with inline markup (italics, raised and lowered characters, MathML) as plain text that keeps its meaning."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

_BLANKS = re.compile(r"[ \t\n\r]+")
# Raised and lowered figures have characters of their own: 10⁻³ must not become 10-3. Search reads them as figures.
_PLAIN = "0123456789+-=()"
_RAISED = str.maketrans(_PLAIN + "n−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ⁻")
_LOWERED = str.maketrans(_PLAIN + "−", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎₋")
_TABLES = {"sup": _RAISED, "sub": _LOWERED}


def extract_text(element: Element | None) -> str:
    """All the text inside, markup resolved, blanks made single."""
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
    """In the order of reading. No recursion: the depth of markup is the writer's choice."""
    found: list[str] = []
    pending: list[Element | str] = [element]
    while pending:
        one = pending.pop()
        if isinstance(one, str):
            found.append(one)
            continue
        table = _TABLES.get(one.tag)
        if table is not None and not len(one):
            found.append(_translate_all(one.text or "", table))
            continue
        for child in reversed(one):
            pending += [child.tail or "", child]
        pending.append(one.text or "")
    return found


def _translate_all(text: str, table: dict[int, int]) -> str:
    return text.translate(table) if all(ord(character) in table for character in text) else text
