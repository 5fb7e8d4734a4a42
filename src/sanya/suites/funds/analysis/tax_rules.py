"""Thai tax rules of RMF purchases by tax year, with their sources. `tax_rules.json` holds them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from sanya.suites.funds.arithmetic import round_figure, subtract_months

FIRST_YEAR, LAST_YEAR = 2020, 2024
_MONTHS = 12


@dataclass(frozen=True, slots=True)
class TaxRule:
    id: str
    value: float | None
    english: str
    thai: str
    official: str | None
    pages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContributionRoom:
    """The room for purchases within the limits. All in baht."""

    own_limit: float
    combined_limit: float
    deductible: float
    room: float
    excess: float


@cache
def _load() -> dict[str, Any]:
    data: dict[str, Any] = orjson.loads(Path(__file__).with_name("tax_rules.json").read_bytes())
    return data


def list_rules(year: int) -> list[TaxRule]:
    """Return the rules with a source for this tax year of the common era."""
    pages = _load()["pages"]
    return [
        TaxRule(
            rule["id"],
            rule["value"],
            rule["en"],
            rule["th"],
            rule["official"],
            tuple(pages[id] for id in rule["pages"]),
        )
        for rule in _load()["rules"]
        if rule["years"][0] <= year <= rule["years"][1]
    ]


def describe_left_out(language: str) -> str:
    return str(_load()["left_out"][language])


def find_value(rules: list[TaxRule], id: str) -> float:
    value = next(rule.value for rule in rules if rule.id == id)
    if value is None:
        raise AssertionError(f"{id} has no value")
    return value


def compute_room(rules: list[TaxRule], income: float, others: float, bought: float) -> ContributionRoom:
    """Compute the room for RMF purchases: a share of the income, and what other products leave of the ceiling."""
    own = round_figure(income * find_value(rules, "rmf_share") / 100)
    combined = find_value(rules, "retirement_ceiling")
    most = max(0.0, min(own, combined - others))
    return ContributionRoom(
        own_limit=own,
        combined_limit=combined,
        deductible=round_figure(min(bought, most)),
        room=round_figure(max(0.0, most - bought)),
        excess=round_figure(max(0.0, bought - most)),
    )


def find_sale_day(rules: list[TaxRule], birth: date, first_purchase: date) -> date:
    """Return the first day on which both the holding period and the age are reached."""
    years, age = int(find_value(rules, "hold_years")), int(find_value(rules, "sale_age"))
    return max(_add_years(first_purchase, years), _add_years(birth, age))


def _add_years(day: date, years: int) -> date:
    return subtract_months(day, -years * _MONTHS)
