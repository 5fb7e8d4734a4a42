"""`sanya herbs check`: the verdict on every pair first, then each warning with what to do and its sources.

Exit codes: 0 where nothing asked for is warned about, 1 where a name was not understood, 3 where something is warned
about. A warning outranks a name that was not understood.
"""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from sanya.surfaces.cli.herbs.labels import choose_language, get_label
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import paint, write_json, write_line, write_note
from sanya.surfaces.cli.tool_calls import JsonObject, fetch_body

WARNED = 3
SEVERITY_COLOURS = {"contraindicated": "red", "major": "red", "moderate": "yellow", "minor": "cyan"}


def check_herbs(options: Namespace) -> int:
    names = (*options.names, *options.formulation, *options.drug, *options.condition)
    lang = choose_language(options.lang, *names)
    arguments = {
        "herb_ids": options.names,
        "formulation_ids": options.formulation,
        "drugs": options.drug,
        "conditions": options.condition,
        "lang": lang,
        "limit": 500,
    }
    body = fetch_body(options, "tool.find_contraindications", arguments)
    if options.json:
        write_json(body)
    else:
        show_check(body, lang)
    return _choose_exit_code(body)


def show_check(body: JsonObject, lang: str) -> None:
    for name in body["unresolved"]:
        candidates = ", ".join(f"{candidate['id']} ({candidate['label']})" for candidate in name["candidates"]) or "–"
        # A guess is checked, and its warnings are in the table below.
        reason = "unsure" if name["reason"] == "unknown" and name["candidates"] else name["reason"]
        write_note(f"{get_label(reason, lang)}: {name['given']} → {candidates}")
    if body["pairs"]:
        columns = [get_label(column, lang) for column in ("verdict", "herb", "about", "statements")]
        write_table(columns, [_to_pair_row(pair, lang) for pair in body["pairs"]])
    for warning in body["results"]:
        _show_warning(warning, lang)
    if not body["results"]:
        write_line(get_label("no_warning_recorded", lang))
    _show_coverage(body, lang)
    _show_references(body, lang)
    if body["next_cursor"]:
        write_line(f"\n{len(body['results'])} / {body['total']}: {get_label('narrow', lang)}")
    write_line(f"\n{body['notice']}")


def _choose_exit_code(body: JsonObject) -> int:
    has_warning = any(pair["verdict"] == "warned" for pair in body["pairs"]) or (not body["pairs"] and body["results"])
    if has_warning:
        return WARNED
    return FAULT if body["unresolved"] else OK


def _to_pair_row(pair: JsonObject, lang: str) -> tuple[str, ...]:
    word = get_label(pair["severity"] or pair["verdict"], lang)
    entity = (
        pair["entity"] if pair["entity_id"] in (None, pair["entity"]) else f"{pair['entity']} ({pair['entity_id']})"
    )
    read = ", ".join(id.partition(":")[2] or id for id in pair["object_ids"])
    about = pair["object"] if not read or read == pair["object"].casefold() else f"{pair['object']} ({read})"
    count = f"{len(pair['statement_ids'])} / {pair['on_record']}" if pair["verdict"] != "not_checked" else "–"
    return paint(word, SEVERITY_COLOURS[pair["severity"]]) if pair["severity"] else word, entity, about, count


def _show_warning(warning: JsonObject, lang: str) -> None:
    severity = warning["severity"]
    doubt = "" if warning["review"] == "reviewed" else f" · {get_label(warning['review'], lang)}"
    aside = "" if warning["narrowed"] else f" · {get_label('not_narrowed', lang)}"
    head = paint(get_label(severity, lang), SEVERITY_COLOURS[severity])
    write_line(f"\n{head} · {warning['entity_id']} + {warning['contraindication']}{doubt}{aside}")
    lines = (("effect", warning["effect"] or warning["evidence"]), ("management", warning["management"]))
    for label, text in lines:
        if text:
            write_line(f"  {get_label(label, lang)}: {text}")
    kinds = dict.fromkeys(statement["evidence_kind"] for statement in warning["statements"])
    known = [get_label(kind, lang) for kind in kinds if kind]
    if known:
        write_line(f"  {get_label('evidence', lang)}: {', '.join(known)}")
    if warning["via"]:
        write_line(f"  {get_label('via', lang)}: {', '.join(warning['via'])}")
    write_line(f"  {get_label('sources', lang)}: {', '.join(warning['sources'])}")


def _show_coverage(body: JsonObject, lang: str) -> None:
    for entity in body["coverage"]:
        if entity["status"] != "recorded":
            write_line(f"\n{entity['entity_id']}: {get_label(entity['status'], lang)}")
        if entity["note"]:
            write_line(f"\n{entity['entity_id']}: {get_label('note', lang)}: {entity['note']}")
        open_parts = [*entity["silent_ingredients"], *entity["unidentified_ingredients"]]
        if open_parts:
            write_line(f"\n{entity['entity_id']}: {get_label('silent', lang)}: {', '.join(open_parts)}")


def _show_references(body: JsonObject, lang: str) -> None:
    references: list[dict[str, Any]] = body["references"]
    if references:
        write_line(f"\n{get_label('references', lang)}")
    for reference in references:
        year = f" ({reference['year']})" if reference["year"] else ""
        address = reference["url"] or get_label("no_address", lang)
        write_line(f"  {reference['id']}: {reference['title'] or '–'}{year} {address}")
