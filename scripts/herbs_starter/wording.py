"""The words of statements in English and Thai, for rows of the first tables, which have few and no Thai ones."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from scripts.herbs_starter.rows import BuildError, StarterRows
from scripts.herbs_starter.tables import Row, read_own

Words = dict[str, str | None]
_ONLY_NAMED = re.compile(r"named only as another species called (?P<name>[^:]+): (?P<reason>.+)")
_SHARED_NAME = re.compile(r"(?P<name>\S+) also names (?P<latin>[A-Z][a-z]+ .+)")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9./+*'-]*")


@cache
def _wordings() -> dict[tuple[str | None, str | None], Row]:
    return {(row["mechanism"], row["effect"]): row for row in read_own("wordings.jsonl")}


@cache
def _phrases() -> dict[str, Any]:
    found: dict[str, Any] = read_own("phrases.json")
    return found


def find_wording(row: Row) -> Row:
    key = (row["mechanism"], row.get("effect"))
    if key not in _wordings():
        raise BuildError(f"wordings.jsonl has no words for {key} of {row['id']}")
    return _wordings()[key]


def describe_use(row: Row, wording: Row) -> Words:
    """Word effect, mechanism and object; where the source gives no effect, say who forbids it or asks for caution."""
    object_th = _phrases()["object_th"].get(row["object_en"], row["object_th"])
    words: Words = {key: wording[key] for key in ("effect_en", "effect_th", "mechanism_en", "mechanism_th")}
    words |= {"object_en": row["object_en"], "object_th": object_th}
    if words["effect_en"] is None:
        source_en, source_th = _name_source(row)
        said_en, said_th = _phrases()["said"]["forbids" if row["kind"] == "contraindication" else "asks"]
        words["effect_en"] = said_en.format(source=source_en, object=row["object_en"])
        words["effect_th"] = said_th.format(source=source_th, object=object_th)
    return words


def _name_source(row: Row) -> tuple[str, str]:
    names: dict[str, list[str]] = _phrases()["sources"]
    for id, (english, thai) in names.items():
        if id in row["source_refs"]:
            return english, thai
    raise BuildError(f"phrases.json names none of the sources of {row['id']}: {row['source_refs']}")


def say_management(kind: str, effect_class: str, severity: str, objects: list[str]) -> Words:
    """Advise by the condition that the statement is about, or by effect and severity."""
    advice: dict[str, Any] = _phrases()["management"]
    found = next((advice["conditions"][id] for id in objects if id in advice["conditions"]), None)
    if effect_class != "use" or found is None:
        by_severity = advice["effects"].get(effect_class) or advice["effects"]["use"]
        found = by_severity["contraindicated" if kind == "contraindication" else severity]
    return {"management_en": found[0], "management_th": found[1]}


@cache
def _labels() -> dict[str, dict[str, tuple[str, str]]]:
    """English and Thai words for every value of a closed list."""
    found: dict[str, dict[str, list[str]]] = read_own("labels.json")
    return {name: {key: (pair[0], pair[1]) for key, pair in values.items()} for name, values in found.items()}


def read_own_labels() -> dict[str, dict[str, tuple[str, str]]]:
    return dict(_labels())


def read_labels(name: str) -> dict[str, tuple[str, str]]:
    return _labels()[name]


@cache
def _notes() -> dict[str, list[str] | None]:
    found: dict[str, list[str] | None] = read_own("notes.json")
    return found


def phrase_note(note: str) -> tuple[str, str] | None:
    """Word a remark of the tables for readers, in English and Thai; none where it only speaks to the compiler."""
    if note not in _notes():
        raise BuildError(f"notes.json has no words for {note!r}")
    pair = _notes()[note]
    return None if pair is None else (pair[0], pair[1])


def add_thai_notes(rows: StarterRows) -> None:
    """Give every remark on a herb or formulation its Thai words."""
    for _, type, *_, note, _, data in rows.nodes.values():
        if note and type in ("herb", "formulation"):
            data["note_th"] = _translate_node_note(note)


def _translate_node_note(note: str) -> str:
    thai: dict[str, str] = read_own("node_notes.json")
    if only_named := _ONLY_NAMED.fullmatch(note):
        return f"เป็นพืชอีกชนิดที่เรียกว่า{only_named['name']}: {_translate_node_note(only_named['reason'])}"
    if shared := _SHARED_NAME.fullmatch(note):
        return f"{shared['name']}ยังหมายถึง {shared['latin']} ด้วย"
    if note not in thai:
        raise BuildError(f"node_notes.json has no words for {note!r}")
    return thai[note]


def find_foreign_words(thai: str) -> list[str]:
    """List Latin words in a Thai text that are no sign which Thai pharmacists write in Latin letters."""
    signs = set(_phrases()["latin_signs"])
    return [word for word in _LATIN.findall(thai) if word.rstrip(".") not in signs]
