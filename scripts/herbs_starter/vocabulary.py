"""What safety statements are about: drugs, their classes, the enzymes that clear them, conditions and populations.

A drug is part of its classes, a class of its parents, a drug of the enzyme or transporter whose substrate, inhibitor
or inducer it is, a combination of each of its components; a condition is part of its broader form. So whoever walks
upwards from what was asked meets every statement that covers it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sanya.suites.herbs.graph.name_keys import fold_name
from sanya.text.characters import has_thai
from scripts.herbs_starter.rows import BuildError, StarterRows
from scripts.herbs_starter.tables import Row, Tables, read_own, unique

_ROLES = {"substrate": "", "inhibitor": "-inhibitors", "inducer": "-inducers"}
# Filed among the drugs for their interactions; statements about any medicine do not concern them.
_NO_MEDICINES = frozenset({"alcohol", "tobacco", "grapefruit-juice"})
_LAY_ENDINGS = ("medicine", "medicines", "medication", "medications", "meds", "pill", "pills", "tablet", "tablets")
_AGE_BASIS = "rule: one range of ages lies within the other"


@dataclass(frozen=True)
class Vocabulary:
    """The tables' rows by id, with those that the build adds, and the node id of each."""

    drugs: Mapping[str, Row]
    classes: Mapping[str, Row]
    conditions: Mapping[str, Row]
    kept_ids: Mapping[str, Mapping[str, str]]

    def node_id(self, id: str) -> str:
        """Node ids never change: a thing that had one before these tables were read keeps it."""
        if id in self.conditions:
            return f"condition:{self.kept_ids['condition'].get(id, id)}"
        if id in self.drugs or id in self.classes:
            return f"drug:{self.kept_ids['drug'].get(id, id)}"
        raise BuildError(f"nothing in the vocabulary is called {id!r}")

    def has(self, id: str) -> bool:
        return id in self.drugs or id in self.classes or id in self.conditions


def read_vocabulary(tables: Tables) -> Vocabulary:
    return Vocabulary(
        drugs={row["id"]: row for row in [*tables.drugs, *read_own("more_drugs.jsonl")]},
        classes=_merge(tables.classes, read_own("more_classes.jsonl")),
        conditions={row["id"]: row for row in [*tables.conditions, *read_own("more_conditions.jsonl")]},
        kept_ids=read_own("kept_ids.json"),
    )


def _merge(rows: list[Row], more: list[Row]) -> dict[str, Row]:
    """Add rows, or fields to rows that are there."""
    found = {row["id"]: row for row in rows}
    for row in more:
        found[row["id"]] = found.get(row["id"], {}) | row
    return found


def add_vocabulary(rows: StarterRows, vocabulary: Vocabulary) -> None:
    for drug in vocabulary.drugs.values():
        _add_drug(rows, vocabulary, drug)
    for group in vocabulary.classes.values():
        _add_class(rows, vocabulary, group)
    for condition in vocabulary.conditions.values():
        _add_condition(rows, vocabulary, condition)
    _add_kept_names(rows, vocabulary)
    _add_own_names(rows, vocabulary)
    _add_lay_words(rows, vocabulary)
    _add_use_names(rows, vocabulary)
    for link in [*_drug_links(vocabulary), *_class_links(vocabulary), *_condition_links(vocabulary)]:
        link.add(rows)


def _add_drug(rows: StarterRows, vocabulary: Vocabulary, row: Row) -> None:
    id = vocabulary.node_id(row["id"])
    thai = _spoken_first(row) or _join_thai(vocabulary, row)
    components = [vocabulary.node_id(part) for part in row.get("components", ())]
    rows.add_node(
        id,
        "drug",
        (thai[0] if thai else None, row["inn"]),
        basis=row.get("basis", "source"),
        review="needs_review" if row.get("check") else "reviewed",
        note=row.get("note") or ("assigned while compiling; no list was seen" if row.get("check") else None),
        sources=row["source_refs"],
        data={
            "kind": "combination" if components else "drug",
            "table_id": _table_id(id, row),
            "components": components,
            "narrow_therapeutic_index": row["narrow_therapeutic_index"] or None,
            "no_medicine": row["id"] in _NO_MEDICINES or None,
            "route": row.get("route"),
        },
    )
    for name, lang, kind in _drug_names(row, thai):
        rows.add_name(id, name, lang, kind, exact_only=name in row.get("exact_only", ()))


def _table_id(id: str, row: Row) -> str | None:
    """The id that the tables use, where the node kept an older one."""
    return None if id.partition(":")[2] == row["id"] else str(row["id"])


def _join_thai(vocabulary: Vocabulary, row: Row) -> list[str]:
    """Call a combination without a Thai name by those of its components."""
    names = [_spoken_first(vocabulary.drugs.get(part, {"names_th": []})) for part in row.get("components", ())]
    return [" ".join(name[0] for name in names)] if names and all(names) else []


def _spoken_first(row: Row) -> list[str]:
    """Thai names that somebody writes before those that a rule made."""
    made = set(row.get("names_th_generated", ()))
    return [*(name for name in row["names_th"] if name not in made), *(n for n in row["names_th"] if n in made)]


def _drug_names(row: Row, thai: list[str]) -> Iterator[tuple[str, str, str]]:
    made, unseen = set(row.get("names_th_generated", ())), set(row.get("brands_unverified", ()))
    assigned = set(row.get("brands_assigned", ()))
    yield row["inn"], "en", "main"
    for number, name in enumerate(thai):
        yield name, "th", "thai_generated" if name in made else "thai" if number else "main"
    for name in row["names_en"]:
        yield name, "th" if has_thai(name) else "en", "alias"
    for name in [*row["brands"], *row["brands_th"]]:
        kind = "brand_unverified" if name in unseen else "brand_assigned" if name in assigned else "brand"
        yield name, "th" if has_thai(name) else "en", kind
    for name in [*row.get("alt_ids", ()), row["id"]]:
        yield name.replace("-", " "), "en", "alias"


def _add_class(rows: StarterRows, vocabulary: Vocabulary, row: Row) -> None:
    id = vocabulary.node_id(row["id"])
    rows.add_node(
        id,
        "drug",
        (row["name_th"], row["name_en"]),
        basis="assigned" if row.get("check") else "source",
        review="needs_review" if row.get("check") else "reviewed",
        note=row.get("note") or ("its members were assigned; no list was read" if row.get("check") else None),
        sources=row["source_refs"],
        data={
            "kind": row["kind"],
            "table_id": _table_id(id, row),
            "covers": [vocabulary.node_id(other) for other in row.get("covers", ())],
            "applies_to_any": row.get("applies_to_any"),
            "herb_ids": row.get("herbs"),
        },
    )
    _add_words(rows, id, row)


def _add_condition(rows: StarterRows, vocabulary: Vocabulary, row: Row) -> None:
    id = vocabulary.node_id(row["id"])
    takes: dict[str, list[str]] = read_own("people_who_take.json")
    usual: dict[str, list[str]] = read_own("usually_takes.json")
    rows.add_node(
        id,
        "condition",
        (row["name_th"], row["name_en"]),
        basis="assigned" if row["source_refs"] == ["mapper"] else "source",
        review="unreviewed" if row["source_refs"] == ["mapper"] else "reviewed",
        sources=row["source_refs"],
        data={
            "kind": row["kind"],
            "table_id": _table_id(id, row),
            "icd10": row.get("icd10"),
            "covers": [vocabulary.node_id(other) for other in row.get("covers", ())],
            "takes": [vocabulary.node_id(drug) for drug in takes.get(row["id"], ())],
            "usually_takes": [vocabulary.node_id(drug) for drug in usual.get(row["id"], ())],
            "applies_to_any": row.get("applies_to_any"),
        },
    )
    _add_words(rows, id, row)


def _add_words(rows: StarterRows, id: str, row: Row) -> None:
    names = [(row["name_en"], "main"), (row["name_th"], "main")]
    names += [(name, "alias") for name in [*row["aliases_en"], *row["aliases_th"]]]
    names += [(other.replace("-", " "), "alias") for other in [*row.get("alt_ids", ()), row["id"]]]
    dropped: dict[str, list[str]] = read_own("dropped_names.json")
    for name, kind in names:
        if name in dropped.get(row["id"], ()):
            continue
        lang = "th" if has_thai(name) else "en"
        rows.add_name(id, name, lang, kind, exact_only=name in row.get("exact_only", ()))


def _add_kept_names(rows: StarterRows, vocabulary: Vocabulary) -> None:
    """Names that the first tables had and the second have not: what was once understood stays understood."""
    kept: dict[str, list[str]] = read_own("kept_names.json")
    for id, names in kept.items():
        for name in names:
            rows.add_name(vocabulary.node_id(id), name, "th" if has_thai(name) else "en", "alias")


def _add_own_names(rows: StarterRows, vocabulary: Vocabulary) -> None:
    """Names that people type and the tables lack."""
    own: dict[str, dict[str, list[str]]] = read_own("own_names.json")
    for id, lists in own.items():
        for key, names in lists.items():
            for name in names:
                lang = "th" if has_thai(name) else "en"
                rows.add_name(vocabulary.node_id(id), name, lang, "alias", exact_only=key == "exact")


def _add_lay_words(rows: StarterRows, vocabulary: Vocabulary) -> None:
    """Add `blood pressure pills` where `blood pressure tablets` is known, unless it already names something else."""
    taken = {key for node_id, key in rows.names if node_id.startswith("drug:")}
    for row in vocabulary.classes.values():
        stems = [stem for alias in row["aliases_en"] for end in _LAY_ENDINGS if (stem := _cut(alias, end))]
        for name in unique(f"{stem} {end}" for stem in stems for end in _LAY_ENDINGS):
            if fold_name(name) not in taken:
                taken.add(fold_name(name))
                rows.add_name(vocabulary.node_id(row["id"]), name, "en", "lay")


def _add_use_names(rows: StarterRows, vocabulary: Vocabulary) -> None:
    """Call a use by the names of the condition that it is, but for words that another use is known by: who asks what
    helps is understood like who asks what harms."""
    owners: dict[str, set[str]] = {}
    for (node_id, _), (_, name, *_) in rows.names.items():
        if rows.nodes[node_id][1] == "indication":
            for word in [name, *name.split(), *name.split(", "), *name.split(" and ")]:
                owners.setdefault(fold_name(word), set()).add(node_id)
    for code, conditions in read_own("use_conditions.json").items():
        for row in (vocabulary.conditions[id] for id in conditions):
            for name in [row["name_en"], row["name_th"], *row["aliases_en"], *row["aliases_th"]]:
                is_free = owners.get(fold_name(name), set()) <= {f"icd10:{code}"}
                if is_free and name not in row.get("exact_only", ()):
                    rows.add_name(f"icd10:{code}", name, "th" if has_thai(name) else "en", "alias")


def _cut(alias: str, ending: str) -> str:
    return alias.removesuffix(f" {ending}") if alias.endswith(f" {ending}") else ""


@dataclass(frozen=True)
class Link:
    """One `part_of` edge of the vocabulary: from a thing to what it counts as."""

    child: str
    parent: str
    basis: str
    sources: tuple[str, ...]
    data: Mapping[str, Any] | None = None
    is_checked: bool = True

    def add(self, rows: StarterRows) -> None:
        id = f"{self.child}:part_of:{self.parent}"
        if id in rows.edges:
            return
        review = "unreviewed" if self.basis != "source" else "reviewed" if self.is_checked else "needs_review"
        ends = (self.child, "part_of", self.parent)
        note = None if self.is_checked else "textbook knowledge; no source was read"
        rows.add_edge(
            id, ends, basis=self.basis, review=review, note=note, sources=self.sources, data=dict(self.data or {})
        )


def _drug_links(vocabulary: Vocabulary) -> Iterator[Link]:
    for row in vocabulary.drugs.values():
        child, sources = vocabulary.node_id(row["id"]), tuple(row["source_refs"])
        for group in _nearest(vocabulary, row["classes"]):
            yield Link(child, vocabulary.node_id(group), "source", sources, data={"relation": "member"})
        for part in row.get("components", ()):
            yield Link(child, vocabulary.node_id(part), "source", sources, data={"relation": "component"})
        yield from _enzyme_links(vocabulary, row, child)


def _nearest(vocabulary: Vocabulary, groups: list[str]) -> list[str]:
    """The classes that no other class of the same drug leads to: the others are reached through them."""
    above = {higher for group in groups for higher in _ancestors(vocabulary, group)}
    return [group for group in unique(groups) if group not in above]


def _ancestors(vocabulary: Vocabulary, group: str) -> set[str]:
    found: set[str] = set()
    waiting = list(vocabulary.classes[group]["parents"])
    while waiting:
        parent = waiting.pop()
        if parent not in found:
            found.add(parent)
            waiting += vocabulary.classes[parent]["parents"]
    return found


def _enzyme_links(vocabulary: Vocabulary, row: Row, child: str) -> Iterator[Link]:
    for entry in row["enzymes"]:
        group = entry["enzyme"].lower() + _ROLES[entry["role"]]
        if group not in vocabulary.classes:
            continue
        data = {"relation": entry["role"], "strength": entry["strength"]}
        checked = not entry.get("check") and entry["source_refs"] != ["textbook-knowledge"]
        sources = tuple(entry["source_refs"])
        yield Link(child, vocabulary.node_id(group), "source", sources, data=data, is_checked=checked)


def _class_links(vocabulary: Vocabulary) -> Iterator[Link]:
    for row in vocabulary.classes.values():
        id, sources = vocabulary.node_id(row["id"]), tuple(row["source_refs"])
        basis = "assigned" if row.get("check") else "source"
        for parent in row["parents"]:
            yield Link(id, vocabulary.node_id(parent), basis, sources, data={"relation": "subclass"})
        for other in row.get("narrower", ()):
            yield Link(vocabulary.node_id(other), id, "assigned", sources, data={"relation": "subclass"})
        if "parents" in row and row["kind"] == "drug_class":
            for member in row.get("members", ()):
                yield Link(vocabulary.node_id(member), id, "assigned", sources, data={"relation": "member"})
        for herb_id in row.get("herbs", ()):
            yield Link(herb_id, id, "assigned", sources, data={"relation": "member"})


def _condition_links(vocabulary: Vocabulary) -> Iterator[Link]:
    for row in vocabulary.conditions.values():
        id, sources = vocabulary.node_id(row["id"]), tuple(row["source_refs"])
        for other in row["broader"]:
            yield Link(id, vocabulary.node_id(other), "assigned", sources, data={"relation": "broader"})
        for other in row.get("narrower", ()):
            yield Link(vocabulary.node_id(other), id, "assigned", sources, data={"relation": "broader"})
    for younger, older in read_own("age_ranges.json").items():
        ends = vocabulary.node_id(younger), vocabulary.node_id(older)
        yield Link(*ends, _AGE_BASIS, ("mapper",), data={"relation": "broader"})
