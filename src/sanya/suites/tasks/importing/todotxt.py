"""Reads todo.txt, a task a line (https://github.com/todotxt/todo.txt).

The format has no ids. `id:` or `uid:` in a line is used as one. Otherwise the id comes from the creation date and the
words of the text without tags and keys. So it survives changes of completion, priority, due date, projects and
contexts, and changes with the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from sanya.suite.text import fold
from sanya.suites.tasks.contract import Priority
from sanya.suites.tasks.importing.decoding import convert_to_utf8, decode_line, number_lines
from sanya.suites.tasks.importing.recurrence import read_recurrence
from sanya.suites.tasks.importing.rows import (
    BadRow,
    ImportedTask,
    ParsedRows,
    check_key,
    check_title,
    make_project,
    reject_row,
)
from sanya.suites.tasks.timestamps import get_day_end, get_day_start, to_common_year

_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_LINE = re.compile(
    rf"(?P<done>x\s+)?(?:\((?P<priority>[A-Z])\)\s+)?(?:(?P<first>{_DAY})\s+)?(?:(?P<second>{_DAY})\s+)?(?P<text>.*)",
    re.DOTALL,
)
_KEY = re.compile(r"(due|t|rec|pri|id|uid):(\S+)")


@dataclass(frozen=True, slots=True)
class _LineText:
    """The text of a line without the keys that we read."""

    words: list[str]
    keys: dict[str, str]

    @property
    def plain_words(self) -> list[str]:
        return [word for word in self.words if not (word[0] in "+@" and len(word) > 1)]

    @property
    def project(self) -> str | None:
        return next((word[1:] for word in self.words if word[0] == "+" and len(word) > 1), None)


def parse_todotxt(data: bytes, zone: ZoneInfo) -> ParsedRows:
    for number, raw in number_lines(convert_to_utf8(data)):
        if not raw.strip():
            continue
        try:
            yield _read_task(number, decode_line(raw).strip(), zone)
        except BadRow as problem:
            yield reject_row(number, str(problem), raw.decode("utf-8", "replace"))


def _read_task(number: int, line: str, zone: ZoneInfo) -> ImportedTask:
    match = _LINE.fullmatch(line)
    assert match is not None, "every line matches: all its parts are optional"
    text = _split_text(match["text"])
    done = match["done"] is not None
    # The first date of a completed line is when it was completed; the second, or the only one elsewhere, its creation.
    created = match["second"] if done else match["first"]
    letter = match["priority"] or text.keys.get("pri", "").upper()
    own_id = text.keys.get("id") or text.keys.get("uid")
    return ImportedTask(
        line=number,
        title=check_title(" ".join(text.words)),
        key=check_key(own_id) if own_id else None,
        identity=("todotxt", created or "", fold(" ".join(text.plain_words or text.words))),
        project=make_project(text.project) if text.project else None,
        status="DONE" if done else "TODO",
        priority=_to_priority(letter),
        is_important=letter == "A",
        due_at=_parse_end(text.keys.get("due"), zone),
        remind_at=_parse_start(text.keys.get("t"), zone),
        recurrence=_parse_recurrence(text.keys.get("rec", "")),
        created_at=_parse_start(created, zone),
        status_since=_parse_start(match["first"], zone) if done else None,
    )


def _split_text(text: str) -> _LineText:
    words, keys = [], {}
    for word in text.split():
        key = _KEY.fullmatch(word)
        if key is None:
            words.append(word)
        else:
            keys[key[1]] = key[2]
    return _LineText(words, keys)


def _to_priority(letter: str) -> Priority:
    if letter == "A":
        return "URGENT"
    return "LOW" if "D" <= letter <= "Z" else "NORMAL"


def _parse_start(day: str | None, zone: ZoneInfo) -> datetime | None:
    return None if day is None else _parse_day(day, zone, get_day_start)


def _parse_end(day: str | None, zone: ZoneInfo) -> datetime | None:
    return None if day is None else _parse_day(day, zone, get_day_end)


def _parse_day(text: str, zone: ZoneInfo, to_timestamp: Callable[[date, ZoneInfo], datetime]) -> datetime:
    try:
        year, month, day = map(int, text.split("-"))
        return to_timestamp(date(to_common_year(year), month, day), zone)
    except (ValueError, OverflowError):
        raise BadRow(f"{text[:40]} is not a date; write it as 2025-01-31") from None


def _parse_recurrence(text: str) -> str:
    recurrence = read_recurrence(text)
    if recurrence is None:
        raise BadRow(f"rec:{text} is not a recurrence; write it as 1d, 2w, 1m or 1y")
    return recurrence
