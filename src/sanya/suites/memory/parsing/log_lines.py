"""Texts that are records rather than prose: lines of a log or chat with date and speaker, and rows of fields."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from sanya.suite.text import Span, find_dates, parse_date
from sanya.suites.memory.word_lists import invert_table, open_word_file

_SPOKEN = re.compile(
    r"^\s*[\[(](?P<date>[^\])\n]{4,40})[\])]\s*(?:(?P<speaker>[^\W\d_][^:\n\[\]|]{0,60}?)\s?:\s)?(?P<body>\S.*)$",
    re.DOTALL,
)
_SPEAKER = re.compile(
    r"^\s*(?P<speaker>[A-Z][\w'.-]{0,30}(?:\s[A-Z][\w'.-]{0,30}){0,2}|[ก-๛]{2,20})\s?:\s(?P<body>\S.*)$", re.DOTALL
)
_ROUTE = re.compile(r"^\s*(?P<origin>[^|>;:]{2,60}?)\s*(?:->|→|=>|–>|-->)\s*(?P<destination>[^|>;:]{2,60}?)\s*$")
_FIELD = re.compile(r"^\s*(?P<key>[^\W\d_][\w ]{1,30}?)\s*[:=]\s*(?P<value>.+?)\s*$", re.DOTALL)
_WORDS = open_word_file(__file__)
_NOT_SPEAKERS = _WORDS.read_set("not_speakers")
_PEOPLE_FIELDS = invert_table(_WORDS.read_table("people_fields"))


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """A line of a log or a chat: its speaker, its day and the span of what was said."""

    speaker: str | None
    stated_on: date | None
    body: Span


@dataclass(frozen=True, slots=True)
class LogRow:
    """A row of fields separated by bars: its day, its route, the people with their roles, and its other fields."""

    day: str | None
    origin: str | None
    destination: str | None
    people: tuple[tuple[str, str], ...]
    """Each name as written, with its role."""
    fields: tuple[tuple[str, str], ...]

    def format_sentence(self, names: dict[str, str] | None = None) -> str:
        """Return the row as a sentence. `names` maps names as written to the names under which people are known."""
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
            f"{role}s {', '.join(known.get(name, name) for name, own_role in self.people if own_role == role)}"
            for role in self.roles
        ]
        lists += [f"{key} {value}" for key, value in self.fields]
        return " ".join(parts) + (f" with {'; '.join(lists)}." if lists else ".")

    @property
    def roles(self) -> list[str]:
        return list(dict.fromkeys(role for _, role in self.people))


def parse_spoken_line(text: str) -> SpokenLine | None:
    match = _SPOKEN.match(text)
    if match:
        written = match["date"].strip()
        day = parse_date(written) or next((match.date for match in find_dates(written)), None)
        if day is not None:
            stated_on = day.first_day if day.precision == "day" else None
            return SpokenLine(match["speaker"], stated_on, Span(match.start("body"), len(text)))
    match = _SPEAKER.match(text)
    if match and match["speaker"].lower() not in _NOT_SPEAKERS:
        return SpokenLine(match["speaker"], None, Span(match.start("body"), len(text)))
    return None


def parse_log_row(text: str) -> LogRow | None:
    """Parse a single line that has a route, or a day and people, among its fields; return None for any other text."""
    line = text.strip()
    cells = [cell.strip() for cell in line.split("|") if cell.strip()]
    if "\n" in line or not 2 <= len(cells) <= 20:
        return None
    day: str | None = None
    route: re.Match[str] | None = None
    people: list[tuple[str, str]] = []
    fields: list[tuple[str, str]] = []
    for cell in cells:
        if day is None and (parsed := parse_date(cell)):
            day = parsed.to_iso()
        elif route is None and (matched := _ROUTE.match(cell)):
            route = matched
        elif matched := _FIELD.match(cell):
            role = _PEOPLE_FIELDS.get(matched["key"].lower())
            people += [(name, role) for name in _split_names(matched["value"])] if role else []
            fields += [] if role else [(matched["key"], matched["value"])]
    if not (route or (day and people)):
        return None
    return LogRow(day, route and route["origin"], route and route["destination"], tuple(people), tuple(fields))


def _split_names(value: str) -> list[str]:
    """Split names at semicolons, or at commas where there is none: a comma also stands in "Last, First"."""
    parts = value.split(";") if ";" in value else [value] if value.count(",") == 1 else value.split(",")
    return [name.strip() for name in parts if name.strip()][:200]
