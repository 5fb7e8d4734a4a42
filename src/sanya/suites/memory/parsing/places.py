"""Cities and countries by their names in English and Thai.

The list is long enough to know that two cities are two places, and that a city lies in its country. Of a place that is
not in the list, nobody knows that it is elsewhere.
"""

from __future__ import annotations

from sanya.suites.memory.word_lists import open_word_file

PLACES: dict[str, str] = {}
"""The place of each name in lower case."""
COUNTRY_OF: dict[str, str] = {}
THAI_PLACE_PREFIXES = ("จังหวัด", "อำเภอ", "ตำบล", "เมือง", "ประเทศ", "แขวง", "เขต")


def _register(names: str) -> str:
    known = [name.replace("_", " ") for name in names.split("/")]
    PLACES.update(dict.fromkeys(known, known[0]))
    return known[0]


def _load() -> None:
    for names, cities in open_word_file(__file__).read_table("countries").items():
        country = _register(names)
        COUNTRY_OF.update({_register(city): country for city in cities})


_load()


def find_place(name: str) -> str | None:
    folded = name.casefold().strip()
    for prefix in THAI_PLACE_PREFIXES:
        folded = folded.removeprefix(prefix)
    return PLACES.get(folded.strip())


def is_surely_elsewhere(name: str, other: str) -> bool:
    """Tell whether nobody can be at both at once: two cities, or a city and another country, both of them known."""
    first, second = find_place(name), find_place(other)
    if first is None or second is None or first == second:
        return False
    first_country, second_country = COUNTRY_OF.get(first), COUNTRY_OF.get(second)
    if first_country and second_country:
        return True
    return (first_country or first) != (second_country or second)
