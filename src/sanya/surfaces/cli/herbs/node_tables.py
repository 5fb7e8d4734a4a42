"""Tables of `sanya herbs show`: a herb, or another node of the graph."""

from __future__ import annotations

from sanya.surfaces.cli.herbs.labels import get_label
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_line
from sanya.surfaces.cli.tool_calls import JsonObject


def show_herb(herb: JsonObject, lang: str) -> None:
    names = herb["names"]
    rows = [
        (get_label("name", lang), " · ".join(filter(None, (names["th"], names["en"], names["la"])))),
        (get_label("also", lang), ", ".join(names["others"])),
        (get_label("parts", lang), ", ".join(herb["parts"])),
        (get_label("constituents", lang), ", ".join(constituent["name"] for constituent in herb["constituents"])),
        (
            get_label("formulations", lang),
            ", ".join(dict.fromkeys(formulation["name"] for formulation in herb["formulations"])),
        ),
        (get_label("warnings", lang), str(herb["warnings"])),
        *_list_review_rows(herb, herb["sources"], lang),
    ]
    write_table(("", herb["id"]), [row for row in rows if row[1]])
    if herb["indications"]:
        write_line()
        columns = ("ICD-10", get_label("use", lang), get_label("evidence", lang), get_label("review", lang))
        write_table(columns, [_to_use_row(use, lang) for use in herb["indications"]])


def show_node(node: JsonObject, lang: str) -> None:
    rows = [
        (get_label("name", lang), " · ".join(dict.fromkeys(filter(None, (node["label"], node["label_en"]))))),
        (
            get_label("also", lang),
            ", ".join(name for name in node["names"] if name not in (node["label"], node["label_en"])),
        ),
        *_list_review_rows(node, [source["id"] for source in node["sources"]], lang),
    ]
    write_table(("", node["id"]), [row for row in rows if row[1]])
    if node["statements"]:
        write_line()
        columns = (
            "",
            get_label("node", lang),
            get_label("details", lang),
            get_label("strength", lang),
            get_label("review", lang),
        )
        write_table(columns, [_to_statement_row(statement, lang) for statement in node["statements"]])


def _list_review_rows(body: JsonObject, sources: list[str], lang: str) -> list[tuple[str, str]]:
    return [
        (get_label("basis", lang), f"{body['basis']}, {get_label(body['review'], lang)}"),
        (get_label("note", lang), body["note"] or ""),
        (get_label("sources", lang), ", ".join(sources)),
    ]


def _to_use_row(use: JsonObject, lang: str) -> tuple[str, ...]:
    text = use["description_en"] if lang == "en" else use["description"]
    return (use["icdCode"] or "–", text, use["evidence_level"] or "–", get_label(use["review"], lang))


def _to_statement_row(statement: JsonObject, lang: str) -> tuple[str, ...]:
    arrow = f"─{statement['type']}→" if statement["outward"] else f"←{statement['type']}─"
    recorded = statement["details"]
    name = recorded.get(f"object_{lang}") or recorded.get(f"description_{lang}") or recorded.get("thai_name")
    details = " · ".join(filter(None, (name, *(recorded.get(key) for key in ("part", "amount", "mechanism")))))
    strength = get_label(statement["strength"], lang) if statement["strength"] else "–"
    node = f"{statement['label']} ({statement['other']})"
    return (arrow, node, details or "–", strength, get_label(statement["review"], lang))
