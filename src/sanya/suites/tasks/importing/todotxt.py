"""todo.txt: a task a line, the rest by its marks (https://github.com/todotxt/todo.txt).

The format has no ids. `id:` or `uid:` in a line is taken as one; else the id comes from the creation date and the words
of the text without tags and keys, so that it outlives completion, priority, due date, projects and contexts, and
changes when the words do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from sanya.kernel.folding import fold
from sanya.suites.tasks.contract import Priority
from sanya.suites.tasks.importing.decoding import as_utf8, decoded, numbered_lines
from sanya.suites.tasks.importing.recurrence import read_recurrence
from sanya.suites.tasks.importing.rows import (
    BadRow,
    ImportedTask,
    Rows,
    checked_key,
    checked_title,
    project_named,
    rejected,
)
from sanya.suites.tasks.moments import common_year, end_of_day, start_of_day

_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_LINE = re.compile(
    rf"(?P<done>x\s+)?(?:\((?P<priority>[A-Z])\)\s+)?(?:(?P<first>{_DAY})\s+)?(?:(?P<second>{_DAY})\s+)?(?P<text>.*)",
    re.DOTALL,
)
_KEY = re.compile(r"(due|t|rec|pri|id|uid):(\S+)")


@dataclass(frozen=True, slots=True)
class _Text:
    """The text of a line, with the keys we read taken out."""

    words: list[str]
    keys: dict[str, str]

    @property
    def plain_words(self) -> list[str]:
        return [word for word in self.words if not (word[0] in "+@" and len(word) > 1)]

    @property
    def project(self) -> str | None:
        return next((word[1:] for word in self.words if word[0] == "+" and len(word) > 1), None)


def parse_todotxt(data: bytes, zone: ZoneInfo) -> Rows:
    for number, raw in numbered_lines(as_utf8(data)):
        if not raw.strip():
            continue
        try:
            yield _read(number, decoded(raw).strip(), zone)
        except BadRow as problem:
            yield rejected(number, str(problem), raw.decode("utf-8", "replace"))


def _read(number: int, line: str, zone: ZoneInfo) -> ImportedTask:
    found = _LINE.fullmatch(line)
    assert found is not None, "every line matches: all its marks are optional"
    text = _split(found["text"])
    done = found["done"] is not None
    # The first date of a completed line is when it was completed; the second, or the only one elsewhere, its creation.
    created = found["second"] if done else found["first"]
    letter = found["priority"] or text.keys.get("pri", "").upper()
    own_id = text.keys.get("id") or text.keys.get("uid")
    return ImportedTask(
        line=number,
        title=checked_title(" ".join(text.words)),
        key=checked_key(own_id) if own_id else None,
        identity=("todotxt", created or "", fold(" ".join(text.plain_words or text.words))),
        project=project_named(text.project) if text.project else None,
        status="DONE" if done else "TODO",
        priority=_priority(letter),
        is_important=letter == "A",
        due_at=_end(text.keys.get("due"), zone),
        remind_at=_begin(text.keys.get("t"), zone),
        recurrence=_recurrence(text.keys.get("rec", "")),
        created_at=_begin(created, zone),
        status_since=_begin(found["first"], zone) if done else None,
    )


def _split(text: str) -> _Text:
    words, keys = [], {}
    for word in text.split():
        key = _KEY.fullmatch(word)
        if key is None:
            words.append(word)
        else:
            keys[key[1]] = key[2]
    return _Text(words, keys)


def _priority(letter: str) -> Priority:
    if letter == "A":
        return "URGENT"
    return "LOW" if "D" <= letter <= "Z" else "NORMAL"


def _begin(day: str | None, zone: ZoneInfo) -> datetime | None:
    return None if day is None else _within(day, zone, start_of_day)


def _end(day: str | None, zone: ZoneInfo) -> datetime | None:
    return None if day is None else _within(day, zone, end_of_day)


def _within(text: str, zone: ZoneInfo, moment_of: Callable[[date, ZoneInfo], datetime]) -> datetime:
    try:
        year, month, day = map(int, text.split("-"))
        return moment_of(date(common_year(year), month, day), zone)
    except (ValueError, OverflowError):
        raise BadRow(f"{text[:40]} is not a date; write it as 2025-01-31") from None


def _recurrence(text: str) -> str:
    read = read_recurrence(text)
    if read is None:
        raise BadRow(f"rec:{text} is not a recurrence; write it as 1d, 2w, 1m or 1y")
    return read
