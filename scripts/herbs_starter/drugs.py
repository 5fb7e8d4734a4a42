"""Drugs and their classes, from the terms that the warnings name."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from scripts.herbs_starter.assigned import DRUG_CLASSES, DRUG_CONDITIONS
from scripts.herbs_starter.tables import Row, Tables, slug

_LIST = re.compile(r"(?P<head>[^()]+?) \((?P<members>[^()]+)\)")


def drug_id(term: str) -> str:
    return f"drug:{slug(term)}"


def drug_terms(row: Row) -> tuple[str, ...]:
    """The drugs and classes that a warning is filed under."""
    if row["object_type"] != "drug":
        return DRUG_CONDITIONS.get(row["object_en"], ())
    return tuple(row.get("object_terms") or (row["object_en"],))


def all_drugs(tables: Tables) -> list[str]:
    named = {term for row in tables.interactions for term in drug_terms(row)}
    return sorted(named | set(DRUG_CLASSES))


def thai_names(tables: Tables) -> dict[str, list[str]]:
    """Where the two phrases of a row list as many things, they are taken to be the same ones in the same order."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for row in tables.interactions:
        english, thai = row["object_en"].split(", "), row["object_th"].split()
        terms = {term.lower(): term for term in drug_terms(row)}
        if len(english) == len(thai) and row["object_type"] == "drug" and "(" not in row["object_en"]:
            for word, name in zip(english, thai, strict=True):
                if word.lower() in terms:
                    found[terms[word.lower()]][name] += 1
    return {term: sorted(names, key=lambda name: (-names[name], name)) for term, names in found.items()}


def memberships(tables: Tables) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """(member, class, basis, sources): as a source lists them, and as assigned where none does."""
    listed: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in tables.interactions:
        for member, group in _listed(row):
            listed[member, group] |= set(row["source_refs"])
    for (member, group), sources in sorted(listed.items()):
        yield member, group, "source", tuple(sorted(sources))
    for group, members in sorted(DRUG_CLASSES.items()):
        for member in members:
            if (member, group) not in listed:
                yield member, group, "assigned", ("mapper",)


def _listed(row: Row) -> Iterator[tuple[str, str]]:
    """Members that the phrase itself puts in brackets behind one class."""
    terms = {term.lower(): term for term in drug_terms(row)}
    for found in _LIST.finditer(row["object_en"]):
        head = found["head"].split(", ")[-1].split("; ")[-1].lower().removesuffix(" drugs")
        group = terms.get(head) or terms.get(f"{head}s")
        if group is None or found["head"].lower() not in (group.lower(), head, f"{head} drugs"):
            continue
        for word in found["members"].split(", "):
            member = terms.get(word.lower())
            if member is not None and member != group:
                yield member, group
