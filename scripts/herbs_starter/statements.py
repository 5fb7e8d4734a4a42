"""One shape for what both tables say: a statement about one herb or formulation, filed under what it is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from scripts.herbs_starter.corrections import Corrected
from scripts.herbs_starter.filing import Filing
from scripts.herbs_starter.rows import BuildError
from scripts.herbs_starter.rules import OFFICIAL, derive_evidence, derive_severity, read_sources
from scripts.herbs_starter.tables import Row, read_own
from scripts.herbs_starter.wording import Words, describe_use, find_wording, phrase_note, say_management

_KINDS = {"interaction": "drug_interaction"}


@dataclass(frozen=True)
class Statement:
    """A row of a table. `words` are effect, mechanism, management, object and the like, by field name."""

    id: str
    entity_id: str
    kind: str
    objects: tuple[str, ...]
    effect_class: str
    severity: str
    severity_basis: str
    basis: str
    evidence: str
    words: Words
    route: str
    sources: tuple[str, ...]
    is_supported: bool
    is_negative: bool
    is_official: bool
    notes: tuple[str, ...]
    via_formulation: str | None = None


@cache
def _lists() -> dict[str, Any]:
    found: dict[str, Any] = read_own("statement_lists.json")
    return found


def read_statements(filing: Filing, corrected: Corrected) -> list[Statement]:
    readers = _Readers(filing)
    found = [readers.read_interaction(row) for row in corrected.rows]
    found += [readers.read_safety(row) for row in filing.tables.safety]
    found += [readers.read_enzyme_role(row, number) for number, row in enumerate(_herbal_roles(filing), start=1)]
    if filing.unfiled:
        raise BuildError("statements whose words end at no node:\n" + "\n".join(filing.unfiled))
    return found


def _herbal_roles(filing: Filing) -> Iterator[Row]:
    """Yield what the regulator's table says of herbal substances; the rest of it is about drugs."""
    entities: dict[str, str] = _lists()["herbal_substances"]
    for row in filing.tables.fda_herbal_enzyme_roles:
        if row["substance"] in entities:
            yield {**row, "entity_id": entities[row["substance"]]}


class _Readers:
    def __init__(self, filing: Filing) -> None:
        self._filing = filing
        self._read = read_sources(filing.tables)
        self._toxic = {id for id, node in filing.rows.nodes.items() if node[8].get("toxic")}
        # A plant that already warns everybody needs no second row.
        self._toxic -= {row["entity_id"] for row in filing.tables.safety if row["object_id"] == "general"}
        self._ingredients = {edge[2] for edge in filing.rows.edges.values() if edge[3] == "part_of"}

    def read_interaction(self, row: Row) -> Statement:
        severity, severity_basis = derive_severity(row)
        evidence, detail_en, detail_th = derive_evidence(row)
        wording = find_wording(row)
        objects = tuple(self._filing.file_row(row))
        words = describe_use(row, wording) | {"evidence_detail_en": detail_en, "evidence_detail_th": detail_th}
        effect_class = _lists()["effect_classes"].get(row["id"], wording["effect_class"])
        words |= say_management(row["kind"], effect_class, severity, [id.partition(":")[2] for id in objects])
        return Statement(
            *(row["id"], row["entity_id"], row["kind"], objects, effect_class, severity, severity_basis),
            basis=row["strength_basis"] if "strength_before" not in row else "rule: corrected after reading sources",
            evidence=evidence,
            words=words,
            route=self._route(row),
            sources=tuple(row["source_refs"]),
            is_supported=not _is_doubtful(row)
            and not row.get("check")
            and "qa20" not in row["source_refs"]
            and self._is_read(row),
            is_negative=False,
            is_official=bool(OFFICIAL & set(row["source_refs"])) and evidence == "official",
            notes=tuple(row["notes"]),
            via_formulation=row.get("via_formulation"),
        )

    def read_safety(self, row: Row) -> Statement:
        evidence, _, _ = derive_evidence(row)
        objects = tuple(self._filing.file_row(row))
        if row["object_id"] == "overdose" and self._is_poison(row):
            # A poisonous plant is a danger to anyone, not only to who already knows of an overdose.
            objects = (*objects, "condition:anyone")
        fields = ("effect", "mechanism", "management", "object")
        words = {f"{name}_{lang}": row[f"{name}_{lang}"] for name in fields for lang in ("en", "th")}
        kind = _KINDS.get(row["kind"]) or str(row["kind"])
        forms: dict[str, str] = read_own("forms_th.json")
        words |= {"form": row["form"], "form_th": forms[row["form"]] if row["form"] else None}
        words |= _lists()["safety_words"].get(row["id"], {})
        return Statement(
            *(row["id"], row["entity_id"], kind, objects, _effect_class(row), row["severity"], row["severity_basis"]),
            basis="source" if row["severity_basis"] == "source" else "rule: severity assigned while compiling",
            evidence=evidence,
            words=words,
            route=row["route"],
            sources=tuple(row["source_refs"]),
            is_supported=not _is_doubtful(row) and not row["check"] and row["basis"] == "source" and self._is_read(row),
            is_negative=row["id"] in _lists()["negative"],
            is_official=evidence == "official",
            notes=(row["note"],) if row.get("note") and not row["note"].startswith("the present table") else (),
        )

    def read_enzyme_role(self, row: Row, number: int) -> Statement:
        role: Row = _lists()["enzyme_roles"][row["role"]]
        enzyme = row["enzyme"]
        severity = _lists()["role_severity"][row["strength"] or "none"]
        words = {key: text.format(enzyme=enzyme) for key, text in role["words"].items()}
        return Statement(
            *(f"fda-{number:04}", row["entity_id"], "drug_interaction"),
            objects=(self._filing.vocabulary.node_id(enzyme.lower()),),
            effect_class=role["effect_class"],
            severity=severity,
            severity_basis="rule",
            basis="rule: strength of the enzyme role in the regulator's table",
            evidence="official",
            words=words,
            route="oral",
            sources=tuple(row["source_refs"]),
            is_supported=True,
            is_negative=False,
            is_official=True,
            notes=(),
        )

    def _is_poison(self, row: Row) -> bool:
        """Tell whether nobody must take the plant; of an ingredient of medicines, only where any amount is too much."""
        is_used = row["entity_id"] in self._ingredients and row["severity"] != "contraindicated"
        return row["entity_id"] in self._toxic and not is_used

    def _is_read(self, row: Row) -> bool:
        return not self._read.isdisjoint(row["source_refs"])

    def _route(self, row: Row) -> str:
        """Tell how the thing is used that the source speaks of: by the medicine's forms, or by mouth."""
        if row["id"] in _lists()["routes"]:
            return str(_lists()["routes"][row["id"]])
        medicine = row.get("via_formulation") or row["entity_id"]
        routes = self._filing.rows.nodes[medicine][8].get("routes")
        if routes is None:
            return "oral" if row["entity_type"] == "herb" else "any"
        return str(routes[0]) if len(routes) == 1 else "any"


def _is_doubtful(row: Row) -> bool:
    """Tell whether `mistakes` found the row to claim more than its source can carry."""
    return row["id"] in _lists()["doubtful"]


def _effect_class(row: Row) -> str:
    """Name what happens in one word, so that two rows can be told to say the same."""
    if row["id"] in _lists()["effect_classes"]:
        return str(_lists()["effect_classes"][row["id"]])
    if row["kind"] == "toxicity":
        return "harm"
    if row["object_type"] in ("condition", "population"):
        return "use"
    text = f"{row['effect_en']} {row['mechanism_en'] or ''}".lower()
    for name, words in _lists()["effect_words"].items():
        if any(word in text for word in words):
            return str(name)
    return "other"


def collect_notes(statement: Statement) -> list[tuple[str, str]]:
    """Collect the notes of a statement in English and Thai."""
    return [pair for note in statement.notes if (pair := phrase_note(note)) is not None]
