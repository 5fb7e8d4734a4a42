"""Tells dictionary words that name nothing that is taken and no illness: "toes", "crazy", ห้อง. A question may hold any
of them, so none is taken for a herb that the graph does not know.

The words come from WordNet, where each noun stands under its subject (`scripts/build_everyday_words.py`); a few that it
counts as food or plants as well are in `ordinary_words.toml`.
"""

from __future__ import annotations

import gzip
import tomllib
from functools import cache
from importlib.resources import files

from sanya.suite.search import stem_phrase
from sanya.suite.text import has_thai, load_general_words

_MAX_SYLLABLE = 2


def is_everyday(word: str) -> bool:
    if word in _load_added():
        return True
    if has_thai(word):
        # A word of one syllable is a piece of a longer name as often.
        return len(word) > _MAX_SYLLABLE and word in load_general_words() and word not in _load_list("naming_thai")
    return stem_phrase(word) in _load_list("everyday_english")


@cache
def _load_added() -> frozenset[str]:
    text = (files("sanya.suites.herbs.questions") / "ordinary_words.toml").read_text(encoding="utf-8")
    return frozenset(tomllib.loads(text)["everyday"]["words"].split())


@cache
def _load_list(name: str) -> frozenset[str]:
    packed = (files("sanya.suites.herbs.questions") / f"{name}.txt.gz").read_bytes()
    return frozenset(gzip.decompress(packed).decode().split())
