"""Reads the text of a .docx: a ZIP archive with one XML file that counts. Its size and its nesting are bounded."""

from __future__ import annotations

import io
import zipfile
from xml.parsers import expat

from sanya.kernel.faults import InvalidArgument, TooLarge
from sanya.sources.documents.layout import CELL_GAP
from sanya.sources.documents.limits import DocumentLimits
from sanya.text.normalisation import normalise

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_STRICT_WORD = "http://purl.oclc.org/ooxml/wordprocessingml/main"
# Content for older programs: a copy of what stands beside it.
_FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_TITLE = "http://purl.org/dc/elements/1.1/ title"
_CHUNK = 256 * 1024
# The text inside may be this many times larger than the largest document.
_EXPANSION = 4


def read_word_pages(data: bytes, limits: DocumentLimits) -> tuple[str | None, list[str]]:
    """Return the title and the pages, split where the word processor last split them."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            body = _Body(limits.max_nesting)
            core = _Core(limits.max_nesting)
            _parse(archive, "word/document.xml", body, limits)
            for name, reader in (("word/footnotes.xml", body), ("docProps/core.xml", core)):
                if name in archive.namelist():
                    _parse(archive, name, reader, limits)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        encrypted = isinstance(error, RuntimeError) and "password" in str(error)
        problem = "encrypted. Remove its password first" if encrypted else "damaged. Save it again"
        raise InvalidArgument(f"This .docx is {problem}.", field="uri") from None
    except expat.ExpatError:
        raise InvalidArgument("The XML of this .docx is damaged. Save it again.", field="uri") from None
    return normalise("".join(core.title)) or None, [normalise("".join(page)) for page in body.pages]


def _parse(archive: zipfile.ZipFile, name: str, reader: _Elements, limits: DocumentLimits) -> None:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = reader.handle_start
    parser.EndElementHandler = reader.handle_end
    parser.CharacterDataHandler = reader.on_text
    # No word processor declares types or entities; a document that does is an attack.
    parser.StartDoctypeDeclHandler = _refuse_doctype
    left = limits.max_bytes * _EXPANSION
    with archive.open(name) as entry:
        while chunk := entry.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise TooLarge(
                    f"This .docx unpacks into more than {limits.max_bytes * _EXPANSION} bytes.",
                    hint="Split it, or raise the setting ingest_max_bytes.",
                )
            parser.Parse(chunk, False)
    parser.Parse(b"", True)


def _refuse_doctype(*_: object) -> None:
    raise InvalidArgument("This .docx declares XML entities, which is not accepted. Save it again.", field="uri")


class _Elements:
    def __init__(self, max_nesting: int) -> None:
        self._depth, self._max_nesting = 0, max_nesting

    def handle_start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > self._max_nesting:
            raise TooLarge(
                f"The elements of this .docx are nested more than {self._max_nesting} levels deep.",
                hint="Save it as text, or raise the setting ingest_max_nesting.",
            )
        self.on_start(name, attributes)

    def handle_end(self, name: str) -> None:
        self._depth -= 1
        self.on_end(name)

    def on_start(self, name: str, attributes: dict[str, str]) -> None: ...

    def on_end(self, name: str) -> None: ...

    def on_text(self, text: str) -> None: ...


class _Core(_Elements):
    def __init__(self, max_nesting: int) -> None:
        super().__init__(max_nesting)
        self.title: list[str] = []
        self._in_title = False

    def on_start(self, name: str, attributes: dict[str, str]) -> None:  # noqa: ARG002
        self._in_title = name == _TITLE

    def on_end(self, name: str) -> None:  # noqa: ARG002
        self._in_title = False

    def on_text(self, text: str) -> None:
        if self._in_title:
            self.title.append(text)


class _Body(_Elements):
    def __init__(self, max_nesting: int) -> None:
        super().__init__(max_nesting)
        self.pages: list[list[str]] = [[]]
        self._in_text = False
        self._rows = 0
        self._cells = 0
        self._fallbacks = 0

    def on_start(self, name: str, attributes: dict[str, str]) -> None:
        self._fallbacks += name == _FALLBACK
        namespace, _, element = name.rpartition(" ")
        if namespace not in (_WORD, _STRICT_WORD) or self._fallbacks:
            return
        match element:
            case "t":
                self._in_text = True
            case "tab":
                self.pages[-1].append(" ")
            case "br" | "cr" if attributes.get(f"{namespace} type") != "page":
                self.pages[-1].append("\n")
            case "br" | "lastRenderedPageBreak":
                self._turn_page()
            case "tr":
                self._rows, self._cells = self._rows + 1, 0
            case "tc":
                self.pages[-1].append(CELL_GAP if self._cells else "")
                self._cells += 1

    def on_end(self, name: str) -> None:
        self._fallbacks -= name == _FALLBACK
        namespace, _, element = name.rpartition(" ")
        if namespace not in (_WORD, _STRICT_WORD) or self._fallbacks:
            return
        match element:
            case "t":
                self._in_text = False
            case "p":
                self.pages[-1].append(" " if self._rows else "\n")
            case "tr":
                self._rows -= 1
                self.pages[-1].append("\n")

    def on_text(self, text: str) -> None:
        if self._in_text:
            self.pages[-1].append(text)

    def _turn_page(self) -> None:
        """Start a new page. A manual break is followed by the mark of the word processor for the same break."""
        if any(part.strip() for part in self.pages[-1]):
            self.pages.append([])
