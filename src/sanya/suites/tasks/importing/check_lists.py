"""Reads check lists in Markdown, plain ones and those of Obsidian's Tasks plugin, a task a line.

The project is the nearest heading above. Dates, priority and recurrence are Obsidian's signs (📅 2025-01-31) or inline
fields ([due:: 2025-01-31]). Indented lines below a task are its notes. Without 🆔 the id comes from the heading and the
words of the text, so it survives changes of completion, dates and priority, and changes with the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from zoneinfo import ZoneInfo

from sanya.suite.text import fold
from sanya.suites.tasks.contract import Priority, TaskStatus
from sanya.suites.tasks.importing.decoding import convert_to_utf8, decode_line, number_lines
from sanya.suites.tasks.importing.recurrence import read_spoken_recurrence
from sanya.suites.tasks.importing.rows import (
    BadRow,
    ImportedTask,
    ImportNotice,
    ParsedRow,
    ParsedRows,
    RejectedRow,
    check_key,
    check_optional_text,
    check_title,
    make_project,
    reject_row,
)
from sanya.suites.tasks.importing.thai_dates import parse_thai_day
from sanya.suites.tasks.timestamps import get_day_end, get_day_start, parse_iso

_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+\[(?P<mark>.)\]\s+(?P<text>.*)")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*\s*")
_FENCE = re.compile(r"\s*(```|~~~)")
_STATUSES: dict[str, TaskStatus] = {"x": "DONE", "X": "DONE", "/": "DOING", "-": "ARCHIVED"}
_FIELDS = {
    "📅": "due", "📆": "due", "🗓": "due", "⏳": "scheduled", "⌛": "scheduled", "🛫": "start", "➕": "created",
    "✅": "done", "❌": "cancelled", "🔁": "repeat", "🆔": "id",
}  # fmt: skip
_PRIORITIES: dict[str, Priority] = {"🔺": "URGENT", "⏫": "URGENT", "🔼": "NORMAL", "🔽": "LOW", "⏬": "LOW"}
_PRIORITY_WORDS: dict[str, Priority] = {
    "highest": "URGENT", "high": "URGENT", "medium": "NORMAL", "low": "LOW", "lowest": "LOW",
}  # fmt: skip
_SIGNS = "".join([*_FIELDS, *_PRIORITIES])
# A sign may be followed by the invisible mark that asks for its coloured form.
_SIGN = re.compile(rf"([{_SIGNS}])\ufe0f?")
_INLINE = re.compile(r"[\[(]\s*([A-Za-z]+)\s*::\s*([^\])]*)[\])]")
_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_THAI_MONTH = re.compile("[\u0e01-\u0e4e]")
_ALIASES = {"completion": "done"}
_NOTES_INDENT = 2


@dataclass(slots=True)
class _Item:
    line: int
    mark: str
    text: str
    heading: str | None
    notes: list[str] = field(default_factory=list)


def parse_markdown(data: bytes, zone: ZoneInfo) -> ParsedRows:
    for item in _collect_items(convert_to_utf8(data)):
        if isinstance(item, RejectedRow):
            yield item
            continue
        try:
            yield from _read_task(item, zone)
        except BadRow as problem:
            yield reject_row(item.line, str(problem), item.text)


def _collect_items(data: bytes) -> Iterator[_Item | RejectedRow]:
    """Yield the items with their heading and notes. Text in fenced code is no task."""
    heading, item, is_code = None, None, False
    for number, raw in number_lines(data):
        try:
            line = decode_line(raw)
        except BadRow as problem:
            yield reject_row(number, str(problem), raw.decode("utf-8", "replace"))
            continue
        is_code ^= _FENCE.match(line) is not None
        match = None if is_code else _ITEM.fullmatch(line)
        if match is None and item is not None and _is_note(line):
            item.notes.append(line.strip())
            continue
        if match is None and not line.strip():
            continue
        if item is not None:
            yield item
        item = None if match is None else _Item(number, match["mark"], match["text"], heading)
        if match is None and not is_code and (title := _HEADING.fullmatch(line)):
            heading = title[1]
    if item is not None:
        yield item


def _is_note(line: str) -> bool:
    return bool(line.strip()) and (line.startswith("\t") or len(line) - len(line.lstrip(" ")) >= _NOTES_INDENT)


def _read_task(item: _Item, zone: ZoneInfo) -> Iterator[ParsedRow]:
    title, fields, priority = _split_fields(item.text)
    recurrence = read_spoken_recurrence(fields.get("repeat", ""))
    if recurrence is None:
        yield ImportNotice(item.line, f"the recurrence {fields['repeat'][:60]!r} is unknown and left out")
    finished = fields.get("done") or fields.get("cancelled")
    yield ImportedTask(
        line=item.line,
        title=check_title(title),
        key=check_key(fields["id"]) if fields.get("id") else None,
        identity=("markdown", fold(item.heading or ""), fold(" ".join(title.split()))),
        notes_markdown=check_optional_text("notes", "\n".join(item.notes)),
        project=make_project(item.heading) if item.heading else None,
        status=_STATUSES.get(item.mark, "TODO"),
        priority=priority or "NORMAL",
        is_important=any(sign in item.text for sign in ("🔺", "⏫")),
        due_at=_read_day(fields, "due", zone, at_end=True),
        remind_at=_read_day(fields, "scheduled", zone) or _read_day(fields, "start", zone),
        recurrence=recurrence or "NONE",
        created_at=_read_day(fields, "created", zone),
        status_since=_read_day({"done": finished}, "done", zone) if finished else None,
    )


def _split_fields(text: str) -> tuple[str, dict[str, str], Priority | None]:
    """Return the text without its fields, the fields, and the priority."""
    fields = {_ALIASES.get(name.casefold(), name.casefold()): value.strip() for name, value in _INLINE.findall(text)}
    priority = _PRIORITY_WORDS.get(fields.get("priority", "").casefold())
    parts = _SIGN.split(_INLINE.sub("", text))
    words = [parts[0]]
    for sign, follows in zip(parts[1::2], parts[2::2], strict=True):
        if sign in _PRIORITIES:
            priority = _PRIORITIES[sign]
            words.append(follows)
        else:
            value, rest = _split_value(_FIELDS[sign], follows)
            fields[_FIELDS[sign]] = value
            words.append(rest)
    return " ".join(words), fields, priority


def _split_value(name: str, text: str) -> tuple[str, str]:
    """Split what follows a sign into its value and further words: a recurrence ends at a tag, a date after it."""
    if name == "repeat":
        value, mark, rest = text.partition("#")
        return value.strip(), mark + rest
    if name != "id" and not _ISO_DAY.match(text.strip()) and _THAI_MONTH.search(text):
        return text.strip(), ""
    value, _, rest = text.strip().partition(" ")
    return value, rest


def _read_day(
    fields: dict[str, str | None] | dict[str, str], name: str, zone: ZoneInfo, *, at_end: bool = False
) -> datetime | None:
    text = fields.get(name)
    if not text:
        return None
    try:
        value = parse_thai_day(text, zone) or parse_iso(text)
        day = value.date() if isinstance(value, datetime) else value
        assert isinstance(day, date)
        return get_day_end(day, zone) if at_end else get_day_start(day, zone)
    except (ValueError, OverflowError):
        raise BadRow(f"{name} is {text[:40]!r}; write it as 2025-01-31") from None
