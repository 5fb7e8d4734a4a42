"""Claims as the graph stores them: a key that equal claims share, and the claim as JSON and back.

Stored keys and JSON field names must not change, or claims of older memories would no longer be found.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any, cast

from sanya.suite.text import Span
from sanya.suites.memory.parsing.amounts import Amount, Bound
from sanya.suites.memory.parsing.claims import ParsedClaim
from sanya.suites.memory.parsing.times import PartialTime, TimeRange

_PLAIN_FIELDS = (
    "subject",
    "subject_key",
    "subject_kind",
    "verb",
    "kind",
    "place",
    "quantifier",
    "modality",
    "source",
    "speaker",
)
_FLAGS = ("passive", "past", "negated", "always", "not_yet", "ended", "former")


def make_claim_key(claim: ParsedClaim) -> str:
    """Return a key that is the same for all claims that say the same, in whatever words."""
    parts = [
        claim.subject_key,
        claim.verb,
        "passive" if claim.passive else "",
        "not" if claim.negated else "",
        claim.quantifier or "",
        " ".join(sorted(claim.terms)),
        " ".join(map(_format_amount, claim.amounts)),
        claim.when.to_iso() if claim.when else "",
        claim.value_time.to_iso() if claim.value_time else "",
    ]
    return "\n".join(parts)


def _format_amount(amount: Amount) -> str:
    return f"{amount.low.normalize():f}-{amount.high.normalize():f}{amount.unit}{amount.bound}"


def to_json(claim: ParsedClaim) -> dict[str, Any]:
    """Return the fields that are set; the others are left out to keep rows small."""
    stored: dict[str, Any] = {name: value for name in _PLAIN_FIELDS if (value := getattr(claim, name)) is not None}
    stored |= {name: True for name in _FLAGS if getattr(claim, name)}
    if claim.terms:
        stored["rest"] = sorted(claim.terms)
    if claim.amounts:
        stored["amounts"] = [
            [str(amount.low), str(amount.high), str(amount.slack), amount.unit, amount.bound]
            for amount in claim.amounts
        ]
    for name in ("when", "value_time"):
        when: TimeRange | None = getattr(claim, name)
        if when is not None:
            stored[name] = [list(end) if end else None for end in (when.start, when.end)]
    if claim.stated_on:
        stored["said"] = claim.stated_on.isoformat()
    return stored


def from_json(stored: dict[str, Any]) -> ParsedClaim:
    """Return the claim of stored JSON. Fields that are unknown here are ignored."""
    values: dict[str, Any] = {name: stored[name] for name in (*_PLAIN_FIELDS, *_FLAGS) if name in stored}
    for name in ("when", "value_time"):
        if name in stored:
            values[name] = TimeRange(*(PartialTime(*end) if end else None for end in stored[name]))
    if "said" in stored:
        values["stated_on"] = date.fromisoformat(stored["said"])
    return ParsedClaim(
        span=Span(0, 0),
        terms=frozenset(stored.get("rest", ())),
        amounts=tuple(
            Amount(Decimal(low), Decimal(high), Decimal(slack), unit, cast(Bound, bound))
            for low, high, slack, unit, bound in stored.get("amounts", ())
        ),
        **values,
    )
