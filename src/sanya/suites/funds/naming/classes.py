"""Fund classes in both taxonomies, AIMC's codes and the SEC's investment policies, as one tree.

`classes.json` holds the tree with its sources. A code or a policy places a fund. Where the code is missing or only the
broad policy is known, words in the fund's names and benchmark place it further; such a placement is inferred.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from sanya.suite.text import fold


@dataclass(frozen=True, slots=True)
class FundClass:
    id: str
    parents: tuple[str, ...]
    english: str
    thai: str
    codes: tuple[str, ...]
    policies: tuple[str, ...]
    words: tuple[str, ...]
    names: tuple[str, ...]
    beside_codes: bool
    by_benchmark: bool
    indexes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Placement:
    """The classes of a fund with all their parents, apart by how they are known."""

    reported: frozenset[str]
    inferred: frozenset[str]


@cache
def load_classes() -> dict[str, FundClass]:
    return {entry["id"]: _read_class(entry) for entry in _load()["classes"]}


@cache
def load_empty_words() -> frozenset[str]:
    """Return the words that say nothing about a fund: every fund is one."""
    return frozenset(map(fold, _load()["empty_words"]))


@cache
def load_class_words() -> frozenset[str]:
    return frozenset(word for known in load_classes().values() for word in known.words)


@cache
def _load() -> dict[str, Any]:
    data: dict[str, Any] = orjson.loads(Path(__file__).with_name("classes.json").read_bytes())
    return data


def _read_class(entry: dict[str, Any]) -> FundClass:
    return FundClass(
        id=entry["id"],
        parents=tuple(entry.get("parents", ())),
        english=entry["en"],
        thai=entry["th"],
        codes=_fold_all(entry["codes"]),
        policies=_fold_all(entry.get("policies", ())),
        words=_fold_all(entry["words"]),
        names=_fold_all(entry["names"]),
        beside_codes=entry.get("beside_codes", False),
        by_benchmark=entry.get("by_benchmark", False),
        indexes=_fold_all(entry.get("indexes", ())),
    )


def _fold_all(texts: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(fold(text) for text in texts)


def place_fund(classification: str | None, names: str, benchmark: str) -> Placement:
    """Place a fund by its classification, and by its names where the classification leaves room.

    `names` and `benchmark` are folded, with a blank before and after every word.
    """
    reported, has_code = _list_reported(fold(classification or "").strip()), is_code(classification)
    named = {
        known.id
        for known in load_classes().values()
        if (known.beside_codes or not has_code)
        and any(name in names or (known.by_benchmark and name in benchmark) for name in known.names)
    }
    if not has_code:
        named |= _list_by_index(reported | _add_parents(named), benchmark)
    inferred = _add_parents(named)
    if reported:
        # What is reported is true: what the names say must lie below it.
        inferred = frozenset(id for id in inferred if _add_parents({id}) & reported)
    return Placement(reported, inferred - reported)


def _list_by_index(placed: frozenset[str], benchmark: str) -> set[str]:
    """Return the classes whose index the fund follows, where it is known to belong to their parents.

    A mixed fund names the same index as a fund of shares alone, so the benchmark says nothing by itself.
    """
    return {
        known.id
        for known in load_classes().values()
        if placed.issuperset(known.parents) and any(index in benchmark for index in known.indexes)
    }


def find_classes(text: str) -> frozenset[str]:
    """Return the classes that people mean by this text, or none."""
    wanted = split_identifier(text)
    return frozenset(known.id for known in load_classes().values() if wanted in known.words) if wanted else frozenset()


def split_identifier(text: str) -> str:
    """Return the folded words of a class that is written as an identifier: FIXED_INCOME, fixed-income."""
    return " ".join(fold(text).replace("_", " ").replace("-", " ").split())


def is_code(classification: str | None) -> bool:
    """Return whether this is a code of AIMC, the finer of the two taxonomies."""
    return bool(classification) and any(
        fold(str(classification)).startswith(code) for known in load_classes().values() for code in known.codes
    )


def is_coarser(classification: str | None, code: str | None) -> bool:
    """Return whether a classification is a policy that contains the code, so that the code says more."""
    if classification is None or is_code(classification) or not is_code(code):
        return False
    policy = _list_reported(fold(classification).strip())
    return bool(policy & _list_reported(fold(str(code))))


def describe_class(placement: Placement) -> FundClass | None:
    """Return the finest class of a placement."""
    classes = load_classes()
    known = [classes[id] for id in placement.reported | placement.inferred]
    return max(known, key=lambda found: (_count_ancestors(found.id), found.id in placement.reported), default=None)


@cache
def _list_reported(folded: str) -> frozenset[str]:
    direct = {
        known.id
        for known in load_classes().values()
        if folded and (folded in known.policies or any(folded.startswith(code) for code in known.codes))
    }
    return _add_parents(direct)


def _add_parents(ids: set[str] | frozenset[str]) -> frozenset[str]:
    found, pending = set(ids), list(ids)
    while pending:
        parents = set(load_classes()[pending.pop()].parents) - found
        found |= parents
        pending += parents
    return frozenset(found)


def _count_ancestors(id: str) -> int:
    return len(_add_parents({id}))
