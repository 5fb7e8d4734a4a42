"""Splits an iCalendar file into tasks and time zones, and parses them one at a time.

The library `icalendar` reads one component at a time. Given the whole file, it would refuse it for one bad line, report
no line numbers, and hold every component of a large calendar in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from icalendar import Alarm, Component, ComponentFactory, Todo
from icalendar.parser import unescape_backslash
from icalendar.parser.ical import ComponentIcalParser

from sanya.suites.tasks.importing.decoding import decode_line
from sanya.suites.tasks.importing.rows import BadRow

_FLAGS = re.IGNORECASE | re.MULTILINE
_BLOCK = re.compile(
    rb"^BEGIN:(?P<name>VTODO|VTIMEZONE)\s*?$(?s:.*?)(?P<end>^END:(?P=name)\s*?$|(?=^BEGIN:(?P=name))|\Z)", _FLAGS
)
_CALENDAR = re.compile(rb"^BEGIN:VCALENDAR\b", _FLAGS)
_CALENDAR_NAMES = re.compile(rb"^(NAME|X-WR-CALNAME)\b[^:\n]*:(.*)$", _FLAGS)
FOLD = re.compile(rb"\r?\n[ \t]")
_LEAP_SECOND = re.compile(rb"(:[0-9]{8}T[0-9]{4})60(?=Z?\s*$)", re.MULTILINE)  # Python has none
_CONTENT_LINE = re.compile(rb"^[^ \t\r\n].*(?:\r?\n[ \t].*)*", re.MULTILINE)


class _TolerantTodo(Todo):
    """Keeps a bad value as `vBroken`, so that only a property that we read can spoil a task."""

    ignore_exceptions = True


class _TolerantAlarm(Alarm):
    ignore_exceptions = True


class _Parser(ComponentIcalParser):
    """Leaves time zones to `ical._attach_zone`: the library would read a time in an unknown zone as a local time."""

    datetime_names = ()


_FACTORY = ComponentFactory()
_FACTORY.add_component_class(_TolerantTodo)
_FACTORY.add_component_class(_TolerantAlarm)


class IcalBlock(NamedTuple):
    """A task or a time zone as it stands in the file, with its first line and the name of its calendar."""

    is_task: bool
    is_whole: bool
    line: int
    content: bytes
    calendar_name: str


def split_blocks(data: bytes) -> Iterator[IcalBlock]:
    """Yield tasks and time zones in the order of the file. The name of a calendar stands before the first of them."""
    line, last, calendar_name = 1, 0, ""
    for match in _BLOCK.finditer(data):
        between = FOLD.sub(b"", data[last : match.start()])
        if _CALENDAR.search(between):
            names = {name.upper(): value.strip() for name, value in _CALENDAR_NAMES.findall(between)}
            name = names.get(b"NAME") or names.get(b"X-WR-CALNAME") or b""
            calendar_name = str(unescape_backslash(name.decode("utf-8", "replace")))
        line += data.count(b"\n", last, match.start())
        yield IcalBlock(match["name"].upper() == b"VTODO", bool(match["end"]), line, match[0].strip(), calendar_name)
        line += data.count(b"\n", match.start(), match.end())
        last = match.end()


def parse_block(block: IcalBlock) -> Component:
    """Parse a block. The library remembers a time zone, for the tasks behind it."""
    if not block.is_whole:
        raise BadRow("it has no END:VTODO; the file may be cut short")
    for match in _CONTENT_LINE.finditer(block.content):
        try:
            # The library reads a line without a colon as a property without a value.
            if ":" not in decode_line(FOLD.sub(b"", match[0])):
                raise BadRow(f"there is no colon in {match[0][:40].decode('utf-8', 'replace').strip()!r}")
        except BadRow as problem:
            number = block.line + block.content.count(b"\n", 0, match.start())
            raise BadRow(f"line {number}: {problem}") from None
    try:
        content = _LEAP_SECOND.sub(rb"\g<1>59", FOLD.sub(b"", block.content))
        (component,) = _Parser(content, _FACTORY, Component.types_factory).parse()
    except Exception as error:  # for bad input the library raises errors of many kinds, AttributeError among them
        raise BadRow(f"it cannot be read as iCalendar: {str(error)[:120]}") from None
    return component
