"""`sanya herbs check`: the verdict on every pair first, then each warning with what to do and its sources.

Exit codes: 0 where nothing asked for is warned about, 1 where a name was not understood, 3 where something is warned
about. A warning outranks a name that was not understood.
"""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
        write_note(name["message"])
    if body["pairs"]:
        columns = [get_label(column, lang) for column in ("verdict", "herb", "about", "statements")]
        write_table(columns, [_to_pair_row(pair, lang) for pair in body["pairs"]])
    names = _name_entities(body["coverage"])
    kinds = {
        (warning["entity_id"], statement["id"]): statement["evidence_kind"]
        for warning in body["results"]
        for statement in warning["statements"]
    }
    for warning in body["results"]:
        ids = [*(statement["id"] for statement in warning["statements"]), *warning["repeats"]]
        evidence = dict.fromkeys(kinds.get((warning["entity_id"], id)) for id in ids)
        _show_warning(warning, names[warning["entity_id"]], [kind for kind in evidence if kind], lang)
    is_checked = any(pair["verdict"] != "not_checked" for pair in body["pairs"]) or not body["pairs"]
    if not body["results"] and is_checked:
        write_line(get_label("no_warning_recorded", lang))
    _show_coverage(body, names, lang)
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
    told_apart = [pair["entity_id"]] if pair["is_ambiguous"] and pair["entity_id"] else []
    entity = _add_reading(pair["entity"], [*([pair["entity_label"]] if pair["entity_label"] else []), *told_apart])
    about = _add_reading(pair["object"], pair["object_labels"])
    count = f"{len(pair['statement_ids'])} / {pair['on_record']}" if pair["verdict"] != "not_checked" else "–"
    return paint(word, SEVERITY_COLOURS[pair["severity"]]) if pair["severity"] else word, entity, about, count


def _add_reading(given: str, names: Sequence[str]) -> str:
    """Return what was given and, in brackets, what it was read as, where that is something else."""
    others = [name for name in names if name.casefold() != given.casefold()]
    return f"{given} ({', '.join(others)})" if others else given


def _name_entities(entities: Iterable[JsonObject]) -> dict[str, str]:
    """Return the name of each herb and formulation, with its id where several have the same name."""
    labels = {entity["entity_id"]: entity["label"] for entity in entities}
    shared = Counter(labels.values())
    return {id: f"{label} ({id})" if shared[label] > 1 else label for id, label in labels.items()}


def _show_warning(warning: JsonObject, name: str, kinds: Sequence[str], lang: str) -> None:
    severity = warning["severity"]
    doubt = "" if warning["review"] == "reviewed" else f" · {get_label(warning['review'], lang)}"
    aside = "" if warning["narrowed"] else f" · {get_label('not_narrowed', lang)}"
    head = paint(get_label(severity, lang), SEVERITY_COLOURS[severity])
    write_line(f"\n{head} · {name} + {warning['contraindication']}{doubt}{aside}")
    lines = (("effect", warning["effect"] or warning["evidence"]), ("management", warning["management"]))
    for label, text in lines:
        if text:
            write_line(f"  {get_label(label, lang)}: {text}")
    if kinds:
        write_line(f"  {get_label('evidence', lang)}: {', '.join(get_label(kind, lang) for kind in kinds)}")
    if warning["via"]:
        write_line(f"  {get_label('via', lang)}: {', '.join(warning['via_labels'])}")
    write_line(f"  {get_label('sources', lang)}: {', '.join(warning['sources'])}")


def _show_coverage(body: JsonObject, names: Mapping[str, str], lang: str) -> None:
    for entity in body["coverage"]:
        name = names[entity["entity_id"]]
        if entity["status"] != "recorded":
            write_line(f"\n{name}: {get_label(entity['status'], lang)}")
        if entity["note"]:
            write_line(f"\n{name}: {get_label('note', lang)}: {entity['note']}")
        open_parts = [*entity["silent_labels"], *entity["unidentified_ingredients"]]
        if open_parts:
            write_line(f"\n{name}: {get_label('silent', lang)}: {', '.join(open_parts)}")


def _show_references(body: JsonObject, lang: str) -> None:
    references: list[dict[str, Any]] = body["references"]
    if references:
        write_line(f"\n{get_label('references', lang)}")
    for reference in references:
        year = f" ({reference['year']})" if reference["year"] else ""
        address = reference["url"] or get_label("no_address", lang)
        write_line(f"  {reference['id']}: {reference['title'] or '–'}{year} {address}")
