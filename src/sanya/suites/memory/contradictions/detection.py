"""Detection of contradictions between claims, and the keys under which claims find each other.

Comparing a new claim with every claim of a namespace would cost more with every memory. Instead, each claim is stored
under keys that name everything a conflicting claim must share with it: the subject, the verb, and for each rule the
terms that must be equal (`make_stored_keys`). A new claim looks under the keys where its opponents would stand
(`make_lookup_keys`), which are few. The two sets are made to fit: if a rule finds a conflict between two claims, each
finds the other by some key. A test checks that for all labelled pairs.

Everything here is a pure function. The key texts are stored in the database and must not change.
"""

from __future__ import annotations

from sanya.suite.text import make_spelling_key, stem_english
from sanya.suites.memory.contradictions.opposites import EXCLUSIVE_GROUPS, MEASURING_VERBS, VERB_FAMILY
from sanya.suites.memory.contradictions.rules import (
    DIRECTED_RULES,
    RULES,
    ClaimConflict,
    find_comparison_target,
    is_dated_action,
    is_presence,
    list_subject_kinds,
)
from sanya.suites.memory.parsing.claims import ParsedClaim
from sanya.suites.memory.parsing.parser import ParsedText


def find_conflict(claim: ParsedClaim, other: ParsedClaim, *, other_source: bool = False) -> ClaimConflict | None:
    """Return how two claims contradict each other, or None. Set `other_source` if two known sources state them."""
    if not (_is_comparable(claim) and _is_comparable(other)):
        return None
    for rule in RULES:
        conflict = rule(claim, other) or (rule(other, claim) if rule in DIRECTED_RULES else None)
        if conflict is not None:
            return _attribute_to_sources(conflict, claim, other, other_source)
    return None


def _attribute_to_sources(
    conflict: ClaimConflict, claim: ParsedClaim, other: ParsedClaim, other_source: bool
) -> ClaimConflict:
    named = claim.source and other.source and claim.source.casefold() != other.source.casefold()
    if conflict.nature == "factual_conflict" and (named or other_source):
        return ClaimConflict("source_disagreement", conflict.reason)
    return conflict


def _is_comparable(claim: ParsedClaim) -> bool:
    return claim.modality == "asserted" and not claim.former


def compare_texts(text: ParsedText, other: ParsedText, *, other_source: bool = False) -> ClaimConflict | None:
    """Return the first conflict between the claims of two texts, or between the orders of events that they state."""
    for own in text.claims:
        for foreign in other.claims:
            conflict = find_conflict(own, foreign, other_source=other_source)
            if conflict is not None:
                return conflict
    return _find_reversed_order(text, other)


def _find_reversed_order(text: ParsedText, other: ParsedText) -> ClaimConflict | None:
    """A before B against B before A."""
    for own in text.event_order:
        for foreign in other.event_order:
            if own == (foreign[1], foreign[0]) and own[0] != own[1]:
                return ClaimConflict("logical_inconsistency", "each is said to come before the other")
    return None


def make_stored_keys(claim: ParsedClaim) -> frozenset[str]:
    """Return the keys under which a claim is stored."""
    if not _is_comparable(claim):
        return frozenset()
    keys = _make_shared_keys(claim)
    for subject in _list_subject_keys(claim):
        about = f"{subject}|{claim.verb}"
        # A denial covers claims that say more. So claims are stored under each of their terms, a denial under one.
        keys |= (
            {f"deny|{about}|{_get_first_term(claim)}"}
            if claim.negated
            else {f"say|{about}|{word}" for word in ("", *claim.terms)}
        )
        if claim.verb in ("born", "die"):
            keys.add(f"life|{subject}")
        elif is_dated_action(claim):
            keys.add(f"deed|{subject}")
    if claim.when and claim.verb in ("happen", "begin", "hit") and not claim.negated:
        keys.add(f"happened|{claim.subject_key}")
    if claim.quantifier:
        keys.add(f"all|{claim.subject_key}|{claim.verb}")
    elif claim.subject_kind != "person":
        keys |= {f"one|{word}|{claim.verb}" for word in list_subject_kinds(claim)}
    return frozenset(f"claim:{key}" for key in keys)


def make_lookup_keys(claim: ParsedClaim) -> frozenset[str]:
    """Return the keys under which claims are stored that may conflict with this one."""
    if not _is_comparable(claim):
        return frozenset()
    keys = _make_shared_keys(claim)
    for subject in _list_subject_keys(claim):
        about = f"{subject}|{claim.verb}"
        keys |= (
            {f"say|{about}|{_get_first_term(claim)}"}
            if claim.negated
            else {f"deny|{about}|{word}" for word in ("", *claim.terms)}
        )
        if claim.verb in ("born", "die"):
            keys |= {f"life|{subject}", f"deed|{subject}"}
        elif is_dated_action(claim):
            keys.add(f"life|{subject}")
    if claim.quantifier:
        keys.add(f"one|{claim.subject_key}|{claim.verb}")
    elif claim.subject_kind != "person":
        keys |= {f"all|{word}|{claim.verb}" for word in list_subject_kinds(claim)}
    return frozenset(f"claim:{key}" for key in keys)


def _make_shared_keys(claim: ParsedClaim) -> set[str]:
    """Return the keys that two claims share whose values differ and whose other terms are equal."""
    keys: set[str] = set()
    plain, rest = " ".join(sorted(claim.plain_terms)), " ".join(sorted(claim.terms))
    states = {
        word for word in (*claim.terms, stem_english(claim.verb) if claim.passive else "") if word in EXCLUSIVE_GROUPS
    }
    for subject in _list_subject_keys(claim):
        if claim.verb in MEASURING_VERBS or claim.kind == "once" or claim.verb in ("be", "located"):
            keys.add(f"same|{subject}|{claim.verb}|{plain}")
        if claim.verb in VERB_FAMILY:
            keys.add(f"family|{subject}|{VERB_FAMILY[claim.verb]}|{rest}")
        if claim.when and is_presence(claim):
            keys.add(f"where|{subject}|{claim.when.to_iso()}")
        keys |= {f"state|{subject}|{group}" for word in states for group in EXCLUSIVE_GROUPS[word]}
    if than := find_comparison_target(claim):
        keys.add("than|" + "|".join(sorted((claim.subject_key, than))))
    if claim.verb == "win":
        keys.add(f"won|{rest}")
    return keys


def _get_first_term(claim: ParsedClaim) -> str:
    return min(claim.terms, default="")


def _list_subject_keys(claim: ParsedClaim) -> list[str]:
    """Return the keys of the subject. A person is also found by the sound of the name, which both scripts share."""
    if claim.subject_kind != "person":
        return [claim.subject_key]
    return [claim.subject_key, f"~{make_spelling_key(claim.subject_key)}"]
