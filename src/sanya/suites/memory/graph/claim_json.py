"""Claims as they are kept: one key for all that say the same, a sentence, and the claim itself as JSON and back."""

from __future__ import annotations

from dataclasses import fields
from datetime import date
from decimal import Decimal
from typing import Any, cast

from sanya.suites.memory.parsing.amounts import Amount, Bound
from sanya.suites.memory.parsing.claims import Claim
from sanya.suites.memory.parsing.times import Moment, When
from sanya.text.spans import Span

_PLAIN = (
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


def claim_key(claim: Claim) -> str:
    """The same for all claims that say the same, in whatever words, at whatever precision they are exact."""
    parts = [
        claim.subject_key,
        claim.verb,
        "passive" if claim.passive else "",
        "not" if claim.negated else "",
        claim.quantifier or "",
        " ".join(sorted(claim.rest)),
        " ".join(f"{one.low.normalize():f}-{one.high.normalize():f}{one.unit}{one.bound}" for one in claim.amounts),
        claim.when.iso() if claim.when else "",
        claim.value_time.iso() if claim.value_time else "",
    ]
    return "\n".join(parts)


def to_json(claim: Claim) -> dict[str, Any]:
    """Only what is set, to keep rows small."""
    kept: dict[str, Any] = {name: value for name in _PLAIN if (value := getattr(claim, name)) is not None}
    kept |= {name: True for name in _FLAGS if getattr(claim, name)}
    if claim.rest:
        kept["rest"] = sorted(claim.rest)
    if claim.amounts:
        kept["amounts"] = [[str(one.low), str(one.high), str(one.slack), one.unit, one.bound] for one in claim.amounts]
    for name in ("when", "value_time"):
        when: When | None = getattr(claim, name)
        if when is not None:
            kept[name] = [list(end) if end else None for end in (when.start, when.end)]
    if claim.said:
        kept["said"] = claim.said.isoformat()
    return kept


def from_json(kept: dict[str, Any]) -> Claim:
    values: dict[str, Any] = {name: kept[name] for name in (*_PLAIN, *_FLAGS) if name in kept}
    values["span"] = Span(0, 0)
    values["rest"] = frozenset(kept.get("rest", ()))
    values["amounts"] = tuple(
        Amount(Decimal(low), Decimal(high), Decimal(slack), unit, cast(Bound, bound))
        for low, high, slack, unit, bound in kept.get("amounts", ())
    )
    for name in ("when", "value_time"):
        if name in kept:
            values[name] = When(*(Moment(*end) if end else None for end in kept[name]))
    if "said" in kept:
        values["said"] = date.fromisoformat(kept["said"])
    known = {one.name for one in fields(Claim)}
    return Claim(**{name: value for name, value in values.items() if name in known})
