"""One herb, or another node of the graph, as `sanya herbs show` lays it out."""

from __future__ import annotations

from typing import Any

from sanya.surfaces.cli.herbs.labels import word
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_line

Body = dict[str, Any]


def show_herb(herb: Body, lang: str) -> None:
    names = herb["names"]
    rows = [
        (word("name", lang), " · ".join(filter(None, (names["th"], names["en"], names["la"])))),
        (word("also", lang), ", ".join(names["others"])),
        (word("parts", lang), ", ".join(herb["parts"])),
        (word("constituents", lang), ", ".join(one["name"] for one in herb["constituents"])),
        (word("formulations", lang), ", ".join(dict.fromkeys(one["name"] for one in herb["formulations"]))),
        (word("warnings", lang), str(herb["warnings"])),
        *_standing(herb, herb["sources"], lang),
    ]
    write_table(("", herb["id"]), [row for row in rows if row[1]])
    if herb["indications"]:
        write_line()
        columns = ("ICD-10", word("use", lang), word("evidence", lang), word("review", lang))
        write_table(columns, [_use(one, lang) for one in herb["indications"]])


def show_node(node: Body, lang: str) -> None:
    rows = [
        (word("name", lang), " · ".join(dict.fromkeys(filter(None, (node["label"], node["label_en"]))))),
        (
            word("also", lang),
            ", ".join(name for name in node["names"] if name not in (node["label"], node["label_en"])),
        ),
        *_standing(node, [source["id"] for source in node["sources"]], lang),
    ]
    write_table(("", node["id"]), [row for row in rows if row[1]])
    if node["statements"]:
        write_line()
        columns = ("", word("node", lang), word("details", lang), word("strength", lang), word("review", lang))
        write_table(columns, [_statement(one, lang) for one in node["statements"]])


def _standing(body: Body, sources: list[str], lang: str) -> list[tuple[str, str]]:
    return [
        (word("basis", lang), f"{body['basis']}, {word(body['review'], lang)}"),
        (word("note", lang), body["note"] or ""),
        (word("sources", lang), ", ".join(sources)),
    ]


def _use(use: Body, lang: str) -> tuple[str, ...]:
    text = use["description_en"] if lang == "en" else use["description"]
    return (use["icdCode"] or "–", text, use["evidence_level"] or "–", word(use["review"], lang))


def _statement(one: Body, lang: str) -> tuple[str, ...]:
    arrow = f"─{one['type']}→" if one["outward"] else f"←{one['type']}─"
    told = one["details"]
    spoken = told.get(f"object_{lang}") or told.get(f"description_{lang}") or told.get("thai_name")
    details = " · ".join(filter(None, (spoken, told.get("part"), told.get("amount"), told.get("mechanism"))))
    strength = word(one["strength"], lang) if one["strength"] else "–"
    return (arrow, f"{one['label']} ({one['other']})", details or "–", strength, word(one["review"], lang))
