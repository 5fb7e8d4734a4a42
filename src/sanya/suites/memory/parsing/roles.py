"""The part that somebody plays in a claim, by its verb: who travels, who buys, who signs."""

from __future__ import annotations

from sanya.suites.memory.parsing.claims import Claim

_ROLES = {
    "go": "traveller",
    "depart": "traveller",
    "arrive": "traveller",
    "stay": "visitor",
    "buy": "buyer",
    "sell": "seller",
    "write": "author",
    "publish": "author",
    "sign": "signatory",
    "meet": "attendee",
    "attend": "attendee",
    "join": "member",
    "work": "employee",
    "own": "owner",
    "acquire": "buyer",
    "pay": "payer",
    "send": "sender",
    "receive": "recipient",
    "witness": "witness",
    "see": "witness",
    "found": "founder",
    "lead": "leader",
    "manage": "manager",
    "win": "winner",
    "teach": "teacher",
    "study": "student",
    "treat": "clinician",
    "hire": "employer",
    "call": "caller",
    "say": "speaker",
    "board": "passenger",
    "drive": "driver",
    "steal": "suspect",
    "kill": "perpetrator",
    "die": "deceased",
    "born": "subject",
    "investigate": "investigator",
    "transfer": "sender",
    "live": "resident",
    "approve": "approver",
    "invent": "inventor",
}
_PASSIVE = {
    "kill": "victim",
    "arrest": "suspect",
    "hire": "employee",
    "treat": "patient",
    "convict": "convict",
    "attack": "victim",
    "found": "founded",
    "see": "seen",
}


def role_of_subject(claim: Claim) -> str:
    if claim.subject_kind not in ("person", "organisation", "thing"):
        return "subject"
    return _PASSIVE.get(claim.verb, "subject") if claim.passive else _ROLES.get(claim.verb, "subject")


def role_of_object(claim: Claim) -> str:
    return {
        "go": "destination",
        "depart": "origin",
        "arrive": "destination",
        "meet": "attendee",
        "born": "birthplace",
    }.get(claim.verb, "object")
