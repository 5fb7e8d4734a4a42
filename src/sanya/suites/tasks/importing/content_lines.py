"""iCalendar's lines (RFC 5545, 3.1): unfolded, parted into name, parameters and value.

By hand, because the library at hand refuses a whole calendar for one bad line, knows no line numbers, and holds every
component of a large calendar at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sanya.suites.tasks.importing.decoding import decoded, numbered_lines
from sanya.suites.tasks.importing.rows import BadRow

_NAME = re.compile(r"[A-Za-z0-9-]+")
_PARAMETER = re.compile(r';([A-Za-z0-9-]+)=("[^"]*"|[^";:,]*)((?:,(?:"[^"]*"|[^";:,]*))*)')
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Property:
    name: str
    parameters: dict[str, str]
    value: str

    def text(self) -> str:
        return _ESCAPE.sub(lambda found: "\n" if found[1] in "nN" else found[1], self.value)

    def texts(self) -> list[str]:
        """The values of a list, which commas part unless they are escaped."""
        parts = re.split(r"(?<!\\),", self.value)
        return [Property(self.name, {}, part).text() for part in parts]


@dataclass(slots=True)
class Component:
    """A component with its properties, and the components within it."""

    name: str
    line: int
    properties: list[Property] = field(default_factory=list)
    inner: list[Component] = field(default_factory=list)
    problem: str | None = None

    def first(self, name: str) -> Property | None:
        return next((one for one in self.properties if one.name == name), None)


def unfolded_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Content lines with the number of their first line. They are joined as bytes: a fold may part a character."""
    number, gathered = 0, bytearray()
    for at, line in numbered_lines(data):
        if line[:1] in (b" ", b"\t"):
            gathered += line[1:]
            continue
        if gathered:
            yield number, bytes(gathered)
        number, gathered = at, bytearray(line)
    if gathered:
        yield number, bytes(gathered)


def read_property(line: bytes) -> Property:
    text = decoded(line)
    name = _NAME.match(text)
    if name is None:
        raise BadRow(f"a line has no property name: {text[:40]!r}")
    parameters: dict[str, str] = {}
    at = name.end()
    while (found := _PARAMETER.match(text, at)) is not None:
        parameters[found[1].upper()] = found[2].strip('"')
        at = found.end()
    if text[at : at + 1] != ":":
        raise BadRow(f"a line has no colon after {name[0]}: {text[:40]!r}")
    return Property(name[0].upper(), parameters, text[at + 1 :])
