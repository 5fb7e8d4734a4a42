"""Reads the visible text of a .html file: no scripts, a table row on one line."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from sanya.kernel.faults import TooLarge
from sanya.sources.documents.layout import CELL_GAP
from sanya.sources.documents.plain_text import decode_text
from sanya.text.normalisation import normalise

_UNSEEN = {"script", "style", "template", "noscript", "svg", "math", "object", "iframe", "title"}
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_INLINE = {
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "dfn", "em", "font", "i", "kbd", "label", "mark", "q", "s",
    "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
}  # fmt: skip
_PARAGRAPHS = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "section", "article", "blockquote"}
_CELLS = {"td", "th"}
# An element without an end tag ends where the next of its kind begins, unless a container opened in between.
_ENDS_BEFORE = {
    **{tag: {tag} for tag in ("p", "li", "tr", "option", "thead", "tbody", "tfoot")},
    **{tag: _CELLS for tag in _CELLS},  # noqa: C420 - as the others
    **{tag: {"dt", "dd"} for tag in ("dt", "dd")},
}
_CONTAINERS = {"table", "ul", "ol", "dl", "select", "div", "section", "article", "body", "blockquote"}
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([A-Za-z0-9_-]{2,40})""", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")


def read_web_page(data: bytes, max_nesting: int) -> tuple[str | None, str, str | None]:
    """Return the title, the text and a note."""
    named = _CHARSET.search(data[:4096])
    text, note = decode_text(data, _resolve_code_page(named[1].decode("ascii").lower()) if named else None)
    reader = _Reader(max_nesting)
    reader.feed(text)
    reader.close()
    return normalise("".join(reader.title)) or None, normalise("".join(reader.parts)), note


def _resolve_code_page(name: str) -> str:
    # Browsers read these names as the wider Windows code pages, and authors mean those.
    return {"tis-620": "cp874", "windows-874": "cp874", "iso-8859-11": "cp874", "iso-8859-1": "cp1252"}.get(name, name)


class _Reader(HTMLParser):
    def __init__(self, max_nesting: int) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.title: list[str] = []
        self._open: list[str] = []
        self._unseen = 0
        self._cells = 0
        self._max_nesting = max_nesting

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag in _ENDS_BEFORE:
            self._end_before(_ENDS_BEFORE[tag])
        if tag not in _VOID and tag not in _INLINE:
            self._open.append(tag)
            self._unseen += tag in _UNSEEN
            if len(self._open) > self._max_nesting:
                raise TooLarge(
                    f"The elements of this page are nested more than {self._max_nesting} levels deep.",
                    hint="Save it as text, or raise the setting ingest_max_nesting.",
                )
        self._separate(tag, begins=True)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            self._close(len(self._open) - 1 - self._open[::-1].index(tag))
        self._separate(tag, begins=False)

    def _close(self, place: int) -> None:
        self._unseen -= sum(tag in _UNSEEN for tag in self._open[place:])
        del self._open[place:]

    def _end_before(self, kinds: set[str]) -> None:
        for place in range(len(self._open) - 1, -1, -1):
            if self._open[place] in kinds:
                self._close(place)
                return
            if self._open[place] in _CONTAINERS:
                return

    def _separate(self, tag: str, *, begins: bool) -> None:
        """Separate the text before and after an element: a paragraph, a line, a cell or nothing."""
        if self._unseen or tag in _INLINE:
            return
        if tag in _CELLS:
            if begins:
                self.parts.append(CELL_GAP if self._cells else "")
                self._cells += 1
        elif tag == "tr":
            self._cells = 0
            self.parts.append("\n")
        elif self._is_in_cell():
            self.parts.append(" ")
        else:
            self.parts.append("\n\n" if tag in _PARAGRAPHS else "\n")

    def _is_in_cell(self) -> bool:
        return any(tag in _CELLS for tag in self._open)

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "title":
            if self._unseen == 1:
                self.title.append(data)
        elif not self._unseen:
            self.parts.append(data if "pre" in self._open else _BLANKS.sub(" ", data))
