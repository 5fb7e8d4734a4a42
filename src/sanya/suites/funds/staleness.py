"""The age of the data in an answer, told to people beside the summary.

The age changes by the day while the answer does not, so it is no part of the body, which is hashed. It is computed
where the answer is shown, from the NAV days in the body and the time of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

_THAI = re.compile("[\u0e01-\u0e5b]")
# What the caller searched for is quoted in the language of the caller, not of the sentence.
_QUOTED = re.compile("“[^”]*”")
# Up to this age, the longest run of holidays, a NAV is nothing to remark on.
_FRESH_DAYS = 7
_DAYS = ("nav_date", "currentDate", "to")


def describe_staleness(body: Mapping[str, Any]) -> str | None:
    """Return a sentence about the newest NAV in the answer, or None if it is at most a week old."""
    newest = max(_iterate_days(body["structuredContent"]), default=None)
    if newest is None:
        return None
    age = (date.fromisoformat(body["_meta"]["timestamp"][:10]) - date.fromisoformat(newest)).days
    if age <= _FRESH_DAYS:
        return None
    if _THAI.search(_QUOTED.sub("", body["content"][0]["text"])):
        return f"NAV ณ {newest} เก่า {age:,} วัน"
    return f"NAV of {newest}, {age:,} days old."


def _iterate_days(content: Mapping[str, Any]) -> Iterator[str]:
    for part in (content, content.get("fund") or {}, *(content.get("funds") or ())):
        yield from (part[name] for name in _DAYS if part.get(name))
