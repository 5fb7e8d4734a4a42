"""Tables that ship as they are, beside the graph: doses, evidence of uses, look-alike names, enzyme roles of herbal
substances, words for closed lists, statements that were withdrawn, and the day on which all was compiled."""

from __future__ import annotations

import json
from collections.abc import Iterable

from scripts.herbs_starter.corrections import Corrected
from scripts.herbs_starter.rows import BuildError, StarterRows
from scripts.herbs_starter.rules import EVIDENCE, SEVERITIES
from scripts.herbs_starter.tables import Row, Tables, read_own
from scripts.herbs_starter.wording import find_foreign_words, phrase_note, read_own_labels


def write_tables(tables: Tables, rows: StarterRows, corrected: Corrected) -> dict[str, bytes]:
    """Return the content of each file by its name."""
    _check_entities(rows, [*tables.dosing, *tables.evidence])
    _check_thai(tables)
    return {
        "dosing.jsonl": _write(_dose(row) for row in tables.dosing),
        "evidence.jsonl": _write(_assess(row) for row in tables.evidence),
        "look_alikes.jsonl": _write(sorted(tables.look_alikes, key=lambda row: (row["a"], row["b"]))),
        "herbal_enzyme_roles.jsonl": _write(tables.fda_herbal_enzyme_roles),
        "withdrawn.jsonl": _write(_withdraw(row) for row in corrected.withdrawn),
        "labels.json": _write_labels(),
        "compiled.json": _write([read_own("compiled.json")]),
    }


def _dose(row: Row) -> Row:
    kept = {key: value for key, value in row.items() if value is not None and key != "check"}
    return kept | {"review": "needs_review" if row["check"] else "reviewed"}


def _assess(row: Row) -> Row:
    return {key: value for key, value in row.items() if value is not None} | {
        "evidence": row["evidence"].replace("-", "_")
    }


def _withdraw(row: Row) -> Row:
    words = phrase_note(row["reason"])
    if words is None:
        raise BuildError(f"{row['id']} is withdrawn without words why")
    kept = {key: row[key] for key in ("id", "entity_id", "kind", "object_en", "object_th", "source_refs")}
    return kept | {"reason_en": words[0], "reason_th": words[1], "reason_sources": row["corrected_by"]}


def _write_labels() -> bytes:
    labels = read_own_labels()
    if set(labels["severity"]) != set(SEVERITIES) or set(labels["evidence"]) != set(EVIDENCE):
        raise BuildError("labels.json lacks words for a severity or a kind of evidence")
    del labels["notes"]
    return (json.dumps(labels, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode("utf-8")


def _check_entities(rows: StarterRows, entries: Iterable[Row]) -> None:
    unknown = sorted({row["entity_id"] for row in entries if not rows.has(row["entity_id"])})
    if unknown:
        raise BuildError(f"doses or evidence of what is not in the graph: {unknown}")


def _check_thai(tables: Tables) -> None:
    texts = [row[key] for row in tables.dosing for key in ("dose_th", "max_duration_th") if row[key]]
    texts += [row[key] for row in tables.evidence for key in ("indication_th", "summary_th")]
    foreign = [f"{words} in {text!r}" for text in texts if (words := find_foreign_words(text))]
    if foreign:
        raise BuildError("doses or evidence with words that are not Thai:\n" + "\n".join(foreign))


def _write(rows: Iterable[Row]) -> bytes:
    lines = (json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")) for row in rows)
    return "".join(f"{line}\n" for line in lines).encode("utf-8")
