"""Aliases that a text states itself: "X, also known as Y", "X (aka Y)", "X (WHO)", "X (หรือ Y)", ชื่อเล่นว่า."""

from __future__ import annotations

import re
from typing import NamedTuple

from sanya.suite.text import THAI, has_thai
from sanya.suites.memory.parsing.mentions import EntityMention, find_mentions, measure_given_name, measure_name

_CUE = re.compile(
    r"\s*[,(]?\s*(?:is |was |are |who is |better |usually )*"
    r"(?:also known as|also called|(?<=is )called|(?<=was )called|goes by|a\.?k\.?a\.?|formerly known as|known as|alias"
    r"|better known as|née|nicknamed"
    r"|หรือที่รู้จักในชื่อ|หรือที่รู้จักกันในชื่อ|ชื่อเล่นว่า|ชื่อเล่น|นามแฝงว่า|นามแฝง|\(หรือ|หรือเรียกว่า)\s*[:\"“]?\s*",
    re.IGNORECASE,
)
# A full stop ends the name, unless it stands behind an initial.
_NAME_WORD = r"(?:(?:[A-Z]\.)+|[A-Z][\w'’-]*)"
_OTHER_NAME = re.compile(
    rf"[\"“]?(?P<name>{_NAME_WORD}(?:\s{_NAME_WORD}){{0,3}}|[{THAI}]{{2,30}}(?:\s[{THAI}]{{2,30}})?)"
)
_FOR_SHORT = re.compile(r",?\s*(?:or\s+)?(?P<name>[A-Z][\w.&-]{1,20})[\s,]+for short\b")
_FULL_NAME = r"[A-Z][\w.'’-]*(?:\s[A-Z][\w.'’-]*){0,3}"
_SAME = re.compile(
    rf"(?P<first>{_FULL_NAME}) and (?P<second>{_FULL_NAME}) (?:are|is) (?:one and )?the same\b"
    rf"|(?P<first_thai>[{THAI}]{{2,30}}?)(?:กับ|และ)(?P<second_thai>[{THAI}]{{2,30}}?)(?:คือ|เป็น)คนเดียวกัน"
)
_ACRONYM = re.compile(r"\s?\((?P<name>[A-Z]{2,8})\)")


class StatedAlias(NamedTuple):
    name: EntityMention
    alias: str


def find_aliases(text: str) -> list[StatedAlias]:
    """Return aliases in the order of the text. Capitals in brackets count if they are the initials of the name."""
    mentions = find_mentions(text)
    aliases = _find_same(text, mentions)
    for mention in mentions:
        short = _FOR_SHORT.match(text, mention.span.end)
        if short:
            aliases.append(StatedAlias(mention, short["name"]))
            continue
        cue = _CUE.match(text, mention.span.end)
        other = _OTHER_NAME.match(text, cue.end()) if cue else None
        if other:
            aliases.append(StatedAlias(mention, _cut_thai_name(other["name"]).strip(" .,)")))
            continue
        acronym = _ACRONYM.match(text, mention.span.end)
        if acronym and _join_initials(mention.name) == acronym["name"]:
            aliases.append(StatedAlias(mention, acronym["name"]))
    return aliases


def _cut_thai_name(name: str) -> str:
    """Return a Thai name without what the sentence goes on with: "ชื่อเล่น มะปราง ทำงานที่ธนาคาร"."""
    if not has_thai(name):
        return name
    given, _, family = name.partition(" ")
    length = measure_given_name(given)
    if length < len(given) or not family or measure_name(family) < len(family):
        return given[:length]
    return name


def _find_same(text: str, mentions: list[EntityMention]) -> list[StatedAlias]:
    """Find "Will and William Becker are the same person": the longer name keeps the shorter as its alias."""
    aliases = []
    for match in _SAME.finditer(text):
        names = sorted((part for part in match.groups() if part), key=len)
        full = next((mention for mention in mentions if mention.name in names[-1]), None)
        if full is not None:
            aliases.append(StatedAlias(full, names[0]))
    return aliases


def _join_initials(name: str) -> str:
    return "".join(word[0] for word in name.split() if word[:1].isupper())
