"""Facts from the tables beside the graph: doses as the sources give them, and what trials and reviews say of a use."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import orjson

from sanya.suites.herbs.facts import sentences
from sanya.suites.herbs.graph.model import HerbGraph, HerbNode

ReferenceTable = Literal["dosing", "evidence"]


@cache
def load_table(name: ReferenceTable) -> tuple[dict[str, Any], ...]:
    content = (files("sanya.suites.herbs") / "data" / f"{name}.jsonl").read_bytes()
    return tuple(orjson.loads(line) for line in content.splitlines())


def list_rows(graph: HerbGraph, name: ReferenceTable) -> Iterator[tuple[str, HerbNode, dict[str, Any]]]:
    """Yield an id, the node and the row for each row whose node and sources the graph has."""
    for number, row in enumerate(load_table(name), 1):
        node = graph.nodes.get(row["entity_id"])
        if node is not None and row["source_refs"] and graph.sources.keys() >= set(row["source_refs"]):
            yield f"{name}-{number:03}", node, row


def write_dose(node: HerbNode, row: dict[str, Any]) -> sentences.BilingualText:
    for_whom = {"adult": ("ผู้ใหญ่", "adults"), "child": ("เด็ก", "children")}.get(row["population"])
    people_th, people_en = for_whom or (row["population"], row["population"])
    forms_th = " ".join(sentences.translate_form(form.strip()) for form in row["form"].split(","))
    text_th = f"ขนาดใช้{node.get_label('th')}สำหรับ{people_th} ({forms_th}): {row['dose_th']}"
    text_en = f"Dose of {node.get_label('en')} for {people_en} ({row['form']}): {row['dose_en'].rstrip('.')}"
    if row.get("max_duration_th"):
        text_th += f" ระยะเวลา: {row['max_duration_th']}"
        text_en += f"; duration: {row['max_duration_en'].rstrip('.')}"
    return text_th, f"{text_en}."


def write_assessment(node: HerbNode, row: dict[str, Any]) -> sentences.BilingualText:
    verdict_th, verdict_en = sentences.translate_verdict(row["verdict"])
    kind_th, kind_en = sentences.translate_study(row["evidence"])
    name_th, name_en = sentences.format_node_name(node)
    summary_en = row["summary_en"].rstrip(".").replace(". ", "; ")
    return (
        f"หลักฐานของ{name_th}สำหรับ{row['indication_th']}: {verdict_th} ({kind_th}) {row['summary_th']}",
        f"Evidence for {name_en} in {row['indication_en']}: {verdict_en} ({kind_en}): {summary_en}.",
    )
