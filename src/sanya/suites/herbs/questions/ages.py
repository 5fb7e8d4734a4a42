"""Finds the ages in a question ("my 4 year old", "ลูก 5 ขวบ", "แม่อายุ 80") and how far a pregnancy is.

The safety check reads an age as an entry of its own; here it stands among other numbers: "for 3 days", "20 mg".
"""

from __future__ import annotations

import re

from sanya.suites.herbs.safety.ages import PREGNANCY, find_age_years, find_population_id, is_gestation

_ENGLISH_AGE = re.compile(
    r"\b(\d{1,3})[ -]?(years?|yrs?|months?|weeks?|days?|y/?o)[ -]?(?:old|of age)\b|\b(\d{1,2})[ -]?y/?o\b"
    r"|\bage[ds]?\s*(?:of\s*)?(\d{1,3})\b|\bunder\s+(\d{1,2})\b(?!\s*(?:mg|g|ml|days?|weeks?|months?))",
    re.IGNORECASE,
)
_THAI_AGE = re.compile(
    r"(\d{1,3})\s*ขวบ|อายุ\s*(?:ต่ำกว่า\s*)?(\d{1,3})(?:\s*(ปี|เดือน|ขวบ|สัปดาห์|วัน))?"
    r"|(?:เด็ก|ลูก|หลาน|ทารก|ลูกชาย|ลูกสาว|ยาย|ตา|ย่า|ปู่|แม่|พ่อ)\s*(?:อายุ)?\s*(\d{1,3})\s*(ปี|เดือน)"
)
_UNDER = re.compile(r"under\s*$|ต่ำกว่า\s*$")


def find_age_conditions(text: str) -> tuple[str, ...]:
    """Return the ids of the populations that the ages in the text belong to; pregnancy where it tells its length."""
    populations = (find_population_id(years) for years in find_ages(text))
    found = [PREGNANCY] if is_gestation(text) else []
    return tuple(dict.fromkeys([*found, *(id for id in populations if id is not None)]))


def find_ages(text: str) -> list[float]:
    """Return the ages in the text in years. "Under 12" means the group below: the age just short of the limit."""
    found = ((find_age_years(phrase), is_limit) for phrase, is_limit in _list_age_phrases(text))
    return [years - 0.01 if is_limit else years for years, is_limit in found if years is not None]


def _list_age_phrases(text: str) -> list[tuple[str, bool]]:
    if is_gestation(text) and not re.search(r"ขวบ|\bold\b|อายุ", text):
        return []
    phrases: list[tuple[str, bool]] = []
    for match in _ENGLISH_AGE.finditer(text):
        number = next(group for group in match.groups() if group and group.isdigit())
        is_limit = match[0].lower().startswith("under") or bool(_UNDER.search(text[: match.start()]))
        phrases.append((f"{number} {match[2] or 'years'} old", is_limit))
    for match in _THAI_AGE.finditer(text):
        number = match[1] or match[2] or match[4]
        phrases.append((f"{number} {match[3] or match[5] or 'ปี'}", "ต่ำกว่า" in match[0]))
    return phrases
