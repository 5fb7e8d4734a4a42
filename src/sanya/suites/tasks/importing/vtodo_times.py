"""iCalendar's times: dates, local times, UTC, time zones by name or as the calendar defines them, durations, alarms."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sanya.suites.tasks.importing.content_lines import Component, Property
from sanya.suites.tasks.importing.rows import BadRow
from sanya.suites.tasks.moments import common_year, end_of_day, start_of_day

_MOMENT = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})(?:T([0-9]{2})([0-9]{2})([0-9]{2})(Z?))?")
_DURATION = re.compile(
    r"([+-]?)P(?:([0-9]{1,4})W)?(?:([0-9]{1,5})D)?(?:T(?:([0-9]{1,6})H)?(?:([0-9]{1,7})M)?(?:([0-9]{1,8})S)?)?"
)
_OFFSET = re.compile(r"([+-])([0-9]{2})([0-9]{2})(?:[0-9]{2})?")


class Zones:
    """Time zones by TZID: the IANA name, the name at the end of a longer path, or the calendar's own definition of a
    zone that does not change its clocks."""

    def __init__(self, default: ZoneInfo) -> None:
        self.default = default
        self._defined: dict[str, tzinfo] = {}

    def add(self, definition: Component) -> None:
        tzid = definition.first("TZID")
        if tzid is None:
            return
        location = definition.first("X-LIC-LOCATION")
        zone = (_named(location.value) if location else None) or _fixed(definition)
        if zone is not None:
            self._defined[tzid.value] = zone

    def find(self, tzid: str) -> tzinfo:
        zone = _named(tzid) or self._defined.get(tzid)
        if zone is None:
            raise BadRow(f"the time zone {tzid[:60]!r} is unknown; use an IANA name such as Asia/Bangkok")
        return zone


def _named(tzid: str) -> ZoneInfo | None:
    parts = tzid.strip().strip("/").split("/")
    for count in (len(parts), 3, 2):
        try:
            return ZoneInfo("/".join(parts[-count:]))
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
    return None


def _fixed(definition: Component) -> tzinfo | None:
    """The offset of a zone without summer time; one with it needs a name that we know."""
    found = {offset.value.strip() for one in definition.inner if (offset := one.first("TZOFFSETTO")) is not None}
    matched = _OFFSET.fullmatch(found.pop()) if len(found) == 1 else None
    if matched is None:
        return None
    ahead = timedelta(hours=int(matched[2]), minutes=int(matched[3]))
    return timezone(-ahead if matched[1] == "-" else ahead) if ahead < timedelta(hours=24) else None


def read_moment(found: Property, zones: Zones, *, at_end: bool = False) -> datetime:
    """A moment in UTC. A date alone is the start of its day or, `at_end`, its last millisecond."""
    parts = _MOMENT.fullmatch(found.value.strip())
    if parts is None:
        raise BadRow(f"{found.name} is {found.value[:40]!r}; iCalendar writes 20250131 or 20250131T093000Z")
    try:
        return _moment_of(parts, found.parameters.get("TZID"), zones, at_end=at_end)
    except (ValueError, OverflowError) as error:
        if isinstance(error, BadRow):
            raise
        raise BadRow(f"{found.name} is {found.value[:40]!r}, which is no date of the calendar") from None


def _moment_of(parts: re.Match[str], tzid: str | None, zones: Zones, *, at_end: bool) -> datetime:
    year, month, day = common_year(int(parts[1])), int(parts[2]), int(parts[3])
    if parts[4] is None:
        date = datetime(year, month, day).date()
        return end_of_day(date, zones.default) if at_end else start_of_day(date, zones.default)
    zone = UTC if parts[7] else zones.find(tzid) if tzid else zones.default
    # iCalendar has leap seconds; our clocks do not.
    return datetime(year, month, day, int(parts[4]), int(parts[5]), min(int(parts[6]), 59), tzinfo=zone).astimezone(UTC)


def moved_by(moment: datetime, duration: Property) -> datetime:
    try:
        return moment + _duration_of(duration.value)
    except OverflowError:
        raise BadRow(f"the {duration.name} {duration.value[:40]!r} leaves the calendar") from None


def _duration_of(text: str) -> timedelta:
    found = _DURATION.fullmatch(text.strip())
    if found is None or text.strip().endswith(("P", "T")):
        raise BadRow(f"{text[:40]!r} is not a duration; iCalendar writes PT15M or P1D")
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in found.groups()[1:])
    length = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return -length if found[1] == "-" else length


def alarm_moment(alarm: Component, zones: Zones, start: datetime | None, due: datetime | None) -> datetime | None:
    """When an alarm rings; None where it hangs on a start or due date that the task has not."""
    trigger = alarm.first("TRIGGER")
    if trigger is None:
        return None
    if trigger.parameters.get("VALUE", "").upper() == "DATE-TIME" or trigger.value[:1].isdigit():
        return read_moment(trigger, zones)
    from_end = trigger.parameters.get("RELATED", "").upper() == "END"
    anchor = due if from_end else start or due
    return None if anchor is None else moved_by(anchor, trigger)
