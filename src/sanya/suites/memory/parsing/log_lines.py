"""Texts that are records rather than prose: lines of a log or chat with a date and a speaker, rows of a flight log."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from sanya.suites.memory.word_lists import word_set
from sanya.text.dates import find_dates, parse_date
from sanya.text.spans import Span

_SPOKEN = re.compile(
    r"^\s*[\[(](?P<date>[^\])\n]{4,40})[\])]\s*(?:(?P<speaker>[^\W\d_][^:\n\[\]|]{0,60}?)\s?:\s)?(?P<body>\S.*)$",
    re.DOTALL,
)
_SPEAKER = re.compile(
    r"^\s*(?P<speaker>[A-Z][\w'.-]{0,30}(?:\s[A-Z][\w'.-]{0,30}){0,2}|[ก-๛]{2,20})\s?:\s(?P<body>\S.*)$", re.DOTALL
)
_NO_SPEAKERS = word_set(
    """note notes warning todo question answer summary update status result subject fact info background"""
)
_ROUTE = re.compile(r"^\s*(?P<origin>[^|>;:]{2,60}?)\s*(?:->|→|=>|–>|-->)\s*(?P<destination>[^|>;:]{2,60}?)\s*$")
_FIELD = re.compile(r"^\s*(?P<key>[^\W\d_][\w ]{1,30}?)\s*[:=]\s*(?P<value>.+?)\s*$", re.DOTALL)
_PEOPLE = {
    "passengers": "passenger",
    "passenger": "passenger",
    "pax": "passenger",
    "crew": "crew",
    "pilot": "pilot",
    "pilots": "pilot",
    "attendees": "attendee",
    "participants": "participant",
    "witnesses": "witness",
    "witness": "witness",
    "author": "author",
    "authors": "author",
    "buyer": "buyer",
    "seller": "seller",
    "sender": "sender",
    "recipient": "recipient",
    "ผู้โดยสาร": "passenger",
    "ผู้เข้าร่วม": "participant",
    "ผู้ซื้อ": "buyer",
    "ผู้ขาย": "seller",
    "พยาน": "witness",
    "ผู้เขียน": "author",
}


@dataclass(frozen=True, slots=True)
class Spoken:
    """A line of a log or a chat: who said it, when, and where what was said begins."""

    speaker: str | None
    said: date | None
    body: Span


@dataclass(frozen=True, slots=True)
class Row:
    """A row of fields parted by bars: its day, its route, the people in each role, whatever else it names."""

    day: str | None
    origin: str | None
    destination: str | None
    people: tuple[tuple[str, str], ...]
    """Name as written and role."""
    fields: tuple[tuple[str, str], ...]

    def statement(self, names: dict[str, str] | None = None) -> str:
        """The row as a sentence. `names` are the names under which people are known, by the name as written."""
        known = names or {}
        parts = [
            "Flight"
            if any(role in ("passenger", "pilot", "crew") for _, role in self.people)
            else "Journey"
            if self.origin
            else "Record"
        ]
        if self.day:
            parts.append(f"on {self.day}")
        if self.origin and self.destination:
            parts.append(f"from {self.origin} to {self.destination}")
        lists = [
            f"{role}s {', '.join(known.get(name, name) for name, one in self.people if one == role)}"
            for role in self.roles
        ]
        lists += [f"{key} {value}" for key, value in self.fields]
        return " ".join(parts) + (f" with {'; '.join(lists)}." if lists else ".")

    @property
    def roles(self) -> list[str]:
        return list(dict.fromkeys(role for _, role in self.people))


def read_spoken(text: str) -> Spoken | None:
    match = _SPOKEN.match(text)
    if match:
        written = match["date"].strip()
        day = parse_date(written) or next((found.date for found in find_dates(written)), None)
        if day is not None:
            said = day.first_day if day.precision == "day" else None
            return Spoken(match["speaker"], said, Span(match.start("body"), len(text)))
    match = _SPEAKER.match(text)
    if match and match["speaker"].lower() not in _NO_SPEAKERS:
        return Spoken(match["speaker"], None, Span(match.start("body"), len(text)))
    return None


def read_row(text: str) -> Row | None:
    """A single line with at least two bars, or one bar and a route; None if it is not one."""
    line = text.strip()
    cells = [cell.strip() for cell in line.split("|") if cell.strip()]
    if "\n" in line or not 2 <= len(cells) <= 20:
        return None
    day: str | None = None
    route: re.Match[str] | None = None
    people: list[tuple[str, str]] = []
    fields: list[tuple[str, str]] = []
    for cell in cells:
        if day is None and (found := parse_date(cell)):
            day = found.iso()
        elif route is None and (matched := _ROUTE.match(cell)):
            route = matched
        elif matched := _FIELD.match(cell):
            role = _PEOPLE.get(matched["key"].lower())
            people += [(name, role) for name in _names(matched["value"])] if role else []
            fields += [] if role else [(matched["key"], matched["value"])]
    if not (route or (day and people)):
        return None
    return Row(day, route and route["origin"], route and route["destination"], tuple(people), tuple(fields))


def _names(value: str) -> list[str]:
    """Names parted by semicolons, or by commas where there is none: a comma also stands in "Last, First"."""
    parts = value.split(";") if ";" in value else [value] if value.count(",") == 1 else value.split(",")
    return [name.strip() for name in parts if name.strip()][:200]
