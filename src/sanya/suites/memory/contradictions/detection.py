"""Which claims contradict each other, in which way, and where the others are kept that one could contradict.

Precision first: where what is written leaves a way out, both can hold. Everything here is a pure function."""

from __future__ import annotations

from sanya.suites.memory.contradictions.opposites import EXCLUSIVE, MEASURED, VERB_FAMILY
from sanya.suites.memory.contradictions.rules import (
    JUDGES,
    ONE_SIDED,
    Clash,
    compared_with,
    is_deed,
    is_presence,
    kinds_of,
)
from sanya.suites.memory.parsing.claims import Claim
from sanya.suites.memory.parsing.parser import Reading
from sanya.text.english import stem
from sanya.text.spelling import spelling_key


def clash(one: Claim, other: Claim, *, other_source: bool = False) -> Clash | None:
    """How two claims contradict each other, None if they may both hold. `other_source`: two known sources say them."""
    if not (_counts(one) and _counts(other)):
        return None
    for judge in JUDGES:
        found = judge(one, other) or (judge(other, one) if judge in ONE_SIDED else None)
        if found is not None:
            return _sourced(found, one, other, other_source)
    return None


def _sourced(found: Clash, one: Claim, other: Claim, other_source: bool) -> Clash:
    named = one.source and other.source and one.source.casefold() != other.source.casefold()
    if found.nature == "factual_conflict" and (named or other_source):
        return Clash("source_disagreement", found.reason)
    return found


def _counts(claim: Claim) -> bool:
    return claim.modality == "asserted" and not claim.former


def compare(one: Reading, other: Reading, *, other_source: bool = False) -> Clash | None:
    """How two texts contradict each other: the first clash of their claims, or of what they say of order."""
    for mine in one.claims:
        for theirs in other.claims:
            found = clash(mine, theirs, other_source=other_source)
            if found is not None:
                return found
    return _turned_order(one, other)


def _turned_order(one: Reading, other: Reading) -> Clash | None:
    """A before B, B before A: of what happens but once, and said of the same two things."""
    for mine in one.order:
        for theirs in other.order:
            if mine == (theirs[1], theirs[0]) and mine[0] != mine[1]:
                return Clash("logical_inconsistency", "each is said to come before the other")
    return None


def kept_keys(claim: Claim) -> frozenset[str]:
    """Under which a claim is kept, so that whatever could clash with it finds it among few (`sought_keys`)."""
    if not _counts(claim):
        return frozenset()
    keys = _shared_keys(claim)
    for subject in _subjects(claim):
        about = f"{subject}|{claim.verb}"
        # A denial covers claims that say more: they are kept under each of their words, it under one of its own.
        keys |= (
            {f"deny|{about}|{_first(claim)}"}
            if claim.negated
            else {f"say|{about}|{word}" for word in ("", *claim.rest)}
        )
        if claim.verb in ("born", "die"):
            keys.add(f"life|{subject}")
        elif is_deed(claim):
            keys.add(f"deed|{subject}")
    if claim.when and claim.verb in ("happen", "begin", "hit") and not claim.negated:
        keys.add(f"happened|{claim.subject_key}")
    if claim.quantifier:
        keys.add(f"all|{claim.subject_key}|{claim.verb}")
    elif claim.subject_kind != "person":
        keys |= {f"one|{word}|{claim.verb}" for word in kinds_of(claim)}
    return frozenset(f"claim:{key}" for key in keys)


def sought_keys(claim: Claim) -> frozenset[str]:
    """Under which the claims are kept that could clash with this one."""
    if not _counts(claim):
        return frozenset()
    keys = _shared_keys(claim)
    for subject in _subjects(claim):
        about = f"{subject}|{claim.verb}"
        keys |= (
            {f"say|{about}|{_first(claim)}"}
            if claim.negated
            else {f"deny|{about}|{word}" for word in ("", *claim.rest)}
        )
        if claim.verb in ("born", "die"):
            keys |= {f"life|{subject}", f"deed|{subject}"}
        elif is_deed(claim):
            keys.add(f"life|{subject}")
    if claim.quantifier:
        keys.add(f"one|{claim.subject_key}|{claim.verb}")
    elif claim.subject_kind != "person":
        keys |= {f"all|{word}|{claim.verb}" for word in kinds_of(claim)}
    return frozenset(f"claim:{key}" for key in keys)


def _shared_keys(claim: Claim) -> set[str]:
    """Those that two claims with another value share: all that they say is the same, but for the value."""
    keys: set[str] = set()
    plain, rest = " ".join(sorted(claim.plain)), " ".join(sorted(claim.rest))
    states = {word for word in (*claim.rest, stem(claim.verb) if claim.passive else "") if word in EXCLUSIVE}
    for subject in _subjects(claim):
        if claim.verb in MEASURED or claim.kind == "once" or claim.verb in ("be", "located"):
            keys.add(f"same|{subject}|{claim.verb}|{plain}")
        if claim.verb in VERB_FAMILY:
            keys.add(f"family|{subject}|{VERB_FAMILY[claim.verb]}|{rest}")
        if claim.when and is_presence(claim):
            keys.add(f"where|{subject}|{claim.when.iso()}")
        keys |= {f"state|{subject}|{group}" for word in states for group in EXCLUSIVE[word]}
    if than := compared_with(claim):
        keys.add("than|" + "|".join(sorted((claim.subject_key, than))))
    if claim.verb == "win":
        keys.add(f"won|{rest}")
    return keys


def _first(claim: Claim) -> str:
    return min(claim.rest, default="")


def _subjects(claim: Claim) -> list[str]:
    """A person is also found by the sound of the name, which the two scripts share."""
    if claim.subject_kind != "person":
        return [claim.subject_key]
    return [claim.subject_key, f"~{spelling_key(claim.subject_key)}"]
