"""Classes of mistakes that the corrections name, looked for in every statement of the graph.

A statement that is marked as `reviewed` fails the build where

- it gives coumarin as its reason: plant coumarins are not warfarin;
- its reason names enzymes that have no part in clearing the drug;
- it is filed under the substrates of one enzyme, and its reason names only others;
- its words name inhibitors or inducers of enzymes, or tell what those do to the herb, and it is filed under substrates
  alone, which reverses the meaning;
- it warns of bleeding, not just as a minor remark, by test-tube evidence alone, or rates such evidence as major;
- it claims evidence from people, and every source that it cites is by its title about animals or test tubes.

A use fails the build where the label of its ICD-10 code is narrower than the code: "cough with phlegm" for cough. Terms
that are lost while filing fail it in `filing.py`, where every word of a row must end at a node.

`accepted_statements.json` lists those that were compared with their sources and hold, each with the reason. The others
are mended, or listed as doubtful in `statement_lists.json`, so that they ask for a review."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from scripts.herbs_starter.rows import BuildError, StarterRows
from scripts.herbs_starter.rules import rank_severity
from scripts.herbs_starter.tables import read_own

_ENZYME = re.compile(r"CYP ?\d[A-Z]\d{1,2}", re.IGNORECASE)
_BLEEDING = re.compile(r"bleed|haemorrh|\bINR\b|platelet", re.IGNORECASE)
_ENZYME_ROLE = re.compile(r"(?:CYP\w*|enzyme|substrates,|inducers,) (?:inhibitors|inducers)", re.IGNORECASE)
_WARNINGS = ("contraindicated_in", "interacts_with")
_SUBSTRATES = re.compile(r"drug:(cyp\d[a-z]\d{1,2})-substrates")
_ACTS_ON_HERB = re.compile(
    r"(?:inhibitors? (?:\w+ )?(?:raise|increase)|inducers? (?:\w+ )?(?:lower|reduce))", re.IGNORECASE
)
_LABORATORY_TITLE = re.compile(
    r"in vitro|microsom|\brats?\b|\bmice\b|\bmouse\b|\brabbits?\b|experimental animals|cell lines?|recombinant",
    re.IGNORECASE,
)
_FROM_PEOPLE = ("trial", "pharmacokinetic", "observational", "case_reports")
_NARROWING = re.compile(
    r"\((?:rats?|mice|animals?|animal models|adjunct|topical|traditional|preclinical|extract|multitarget)\b"
    r"|\b(?:in|with|after) "
    r"|\b(?:post-?operative|chemotherapy|radiation|cancer|elderly|children|severe|advanced|mild)\b",
    re.IGNORECASE,
)


def check_mistakes(rows: StarterRows) -> None:
    """Refuse reviewed statements that show a known class of mistake, but for those that are accepted."""
    accepted: dict[str, str] = read_own("accepted_statements.json")
    found = find_mistakes(rows)
    problems = [f"{id}: {mistake}" for id, mistake in found.items() if id not in accepted]
    labels = find_narrow_labels(rows)
    problems += [
        f"{id}: the label {label!r} is narrower than the code" for id, label in labels.items() if id not in accepted
    ]
    problems += [f"{id} is accepted without need" for id in accepted if id not in found and id not in labels]
    if problems:
        raise BuildError("statements with a known class of mistake:\n" + "\n".join(problems))


def find_narrow_labels(rows: StarterRows) -> dict[str, str]:
    """Return the ids of the uses whose label holds words that narrow what its ICD-10 code means."""
    uses = [node for node in rows.nodes.values() if node[1] == "indication" and node[0].startswith("icd10:")]
    return {node[0]: node[3] for node in uses if _NARROWING.search(node[3] or "")}


def find_mistakes(rows: StarterRows) -> dict[str, str]:
    """Return the ids of the reviewed statements that show a mistake, each with its class."""
    finder = _MistakeFinder(rows)
    edges = [edge for edge in rows.edges.values() if edge[3] in _WARNINGS and edge[7] == "reviewed"]
    return {edge[0]: mistake for edge in edges if (mistake := finder.find_mistake(edge))}


class _MistakeFinder:
    def __init__(self, rows: StarterRows) -> None:
        self._rows = rows
        self._parents: dict[str, set[str]] = defaultdict(set)
        self._objects: dict[str, set[str]] = defaultdict(set)
        for edge in rows.edges.values():
            if edge[3] == "part_of":
                self._parents[edge[2]].add(edge[4])
            elif edge[3] in _WARNINGS:
                self._objects[edge[1]].add(edge[4])

    def find_mistake(self, edge: list[Any]) -> str | None:
        data = edge[-1]
        if data.get("finding") == "negative":
            return None
        if "coumarin" in (data.get("mechanism_en") or "").lower():
            return "coumarin"
        if self._has_wrong_enzyme(edge) or _is_filed_under_other_enzyme(edge):
            return "wrong enzyme"
        if self._has_lost_role(edge):
            return "inhibitors filed as substrates"
        if self._has_laboratory_sources(edge):
            return "sources about animals or test tubes"
        return "test-tube evidence" if _claims_too_much(data) else None

    def _has_wrong_enzyme(self, edge: list[Any]) -> bool:
        """Tell whether none of the enzymes that the reason names is one that the drug has to do with."""
        named = {name.upper().replace(" ", "") for name in _ENZYME.findall(edge[-1].get("mechanism_en") or "")}
        if not named or self._rows.nodes[edge[4]][8].get("kind") not in ("drug", "combination"):
            return False
        related = " ".join(self._list_above(edge[4])).upper()
        return not any(name in related for name in named)

    def _has_lost_role(self, edge: list[Any]) -> bool:
        told = f"{edge[-1].get('effect_en') or ''} {edge[-1].get('mechanism_en') or ''}"
        is_on_herb = _SUBSTRATES.fullmatch(edge[4]) and _ACTS_ON_HERB.search(told)
        if not is_on_herb and not _ENZYME_ROLE.search(edge[-1].get("object_en") or ""):
            return False
        return not any(id.endswith(("inhibitors", "inducers")) for id in self._objects[edge[1]])

    def _has_laboratory_sources(self, edge: list[Any]) -> bool:
        if edge[-1]["evidence"] not in _FROM_PEOPLE:
            return False
        titles = [self._rows.sources[source][2] or "" for source in edge[-2]]
        return bool(titles) and all(map(_LABORATORY_TITLE.search, titles))

    def _list_above(self, id: str) -> set[str]:
        found, waiting = {id}, [id]
        while waiting:
            for parent in self._parents[waiting.pop()] - found:
                found.add(parent)
                waiting.append(parent)
        return found


def _is_filed_under_other_enzyme(edge: list[Any]) -> bool:
    filed = _SUBSTRATES.fullmatch(edge[4])
    named = {name.upper().replace(" ", "") for name in _ENZYME.findall(edge[-1].get("mechanism_en") or "")}
    return bool(filed and named and filed[1].upper() not in named)


def _claims_too_much(data: dict[str, Any]) -> bool:
    if data["evidence"] != "in_vitro":
        return False
    rank = rank_severity(data["severity"])
    is_bleeding = bool(_BLEEDING.search(data.get("effect_en") or ""))
    return rank >= rank_severity("major") or (is_bleeding and rank >= rank_severity("moderate"))
