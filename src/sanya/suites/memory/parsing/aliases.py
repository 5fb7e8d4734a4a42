"""Aliases that a text states itself: "X, also known as Y", "X (aka Y)", "X (WHO)", "X (หรือ Y)", ชื่อเล่นว่า."""

from __future__ import annotations

import re
from typing import NamedTuple

from sanya.suites.memory.parsing.mentions import EntityMention, find_mentions
from sanya.text.characters import THAI

_CUE = re.compile(
    r"\s*[,(]?\s*(?:also known as|a\.?k\.?a\.?|formerly known as|known as|alias|better known as|née|nicknamed"
    r"|หรือที่รู้จักในชื่อ|หรือที่รู้จักกันในชื่อ|ชื่อเล่นว่า|ชื่อเล่น|นามแฝงว่า|นามแฝง|\(หรือ|หรือเรียกว่า)\s*[:\"“]?\s*",
    re.IGNORECASE,
)
_OTHER_NAME = re.compile(
    rf"[\"“]?(?P<name>[A-Z][\w.'’-]*(?:\s[A-Z][\w.'’-]*){{0,3}}|[{THAI}]{{2,30}}(?:\s[{THAI}]{{2,30}})?)"
)
_ACRONYM = re.compile(r"\s?\((?P<name>[A-Z]{2,8})\)")


class StatedAlias(NamedTuple):
    name: EntityMention
    alias: str


def find_aliases(text: str) -> list[StatedAlias]:
    """Return aliases in the order of the text. Capitals in brackets count if they are the initials of the name."""
    aliases = []
    for mention in find_mentions(text):
        cue = _CUE.match(text, mention.span.end)
        other = _OTHER_NAME.match(text, cue.end()) if cue else None
        if other:
            aliases.append(StatedAlias(mention, other["name"].strip(" .,)")))
            continue
        acronym = _ACRONYM.match(text, mention.span.end)
        if acronym and _join_initials(mention.name) == acronym["name"]:
            aliases.append(StatedAlias(mention, acronym["name"]))
    return aliases


def _join_initials(name: str) -> str:
    return "".join(word[0] for word in name.split() if word[:1].isupper())
