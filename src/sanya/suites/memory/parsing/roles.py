"""The role that somebody plays in a claim, by its verb: who travels, who buys, who signs."""

from __future__ import annotations

from sanya.suites.memory.parsing.claims import ParsedClaim
from sanya.suites.memory.word_lists import invert_table, open_word_file

_WORDS = open_word_file(__file__)
_SUBJECT_ROLES = invert_table(_WORDS.read_table("subject"))
_PASSIVE_SUBJECT_ROLES = invert_table(_WORDS.read_table("passive_subject"))
_OBJECT_ROLES = invert_table(_WORDS.read_table("object"))


def find_subject_role(claim: ParsedClaim) -> str:
    if claim.subject_kind not in ("person", "organisation", "thing"):
        return "subject"
    return (_PASSIVE_SUBJECT_ROLES if claim.passive else _SUBJECT_ROLES).get(claim.verb, "subject")


def find_object_role(claim: ParsedClaim) -> str:
    return _OBJECT_ROLES.get(claim.verb, "object")
