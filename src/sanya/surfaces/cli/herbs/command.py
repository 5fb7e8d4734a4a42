"""`sanya herbs`: show nodes, paths, warnings, search hits and answers of the herb graph in Thai or English."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from itertools import pairwise
from typing import Any
from urllib.parse import quote

from sanya.surfaces.cli.herbs.check import check_herbs
from sanya.surfaces.cli.herbs.ingest import add_ingest_arguments
from sanya.surfaces.cli.herbs.labels import choose_language, get_label
from sanya.surfaces.cli.herbs.node_tables import show_herb, show_node
from sanya.surfaces.cli.herbs.papers import add_papers_arguments
from sanya.surfaces.cli.herbs.questions import (
    add_question_arguments,
    build_ask_call,
    build_search_call,
    show_answer,
    show_hits,
)
from sanya.surfaces.cli.herbs.review import add_review_arguments
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.terminal import write_json, write_line, write_note
from sanya.surfaces.cli.tool_calls import fetch_body

_TYPES = ("herb", "constituent", "indication", "formulation", "drug", "condition", "paper", "chunk")

EXAMPLES = """Name a herb by its id, or in Thai, English or Latin. `check` never guesses: it lists the candidates of a
name that may mean several species. It exits with 0 if no warning is recorded, 1 if a name was not understood, 3 if
something is warned about. Nothing here is medical advice.

examples:
  sanya herbs show ขมิ้นชัน
  sanya herbs show ยาหอมนวโกฐ --type formulation
  sanya herbs path "fa thalai chon" "herb->constituent->indication"
  sanya herbs check ขมิ้นชัน --drug warfarin
  sanya herbs search "แก้ท้องผูก" --type herb
  sanya herbs ask "คนไข้กิน warfarin อยู่ กินขมิ้นชันได้ไหม"
  sanya herbs check --formulation ยาหอมนวโกฐ --condition ตั้งครรภ์
  sanya herbs papers --sync
  sanya herbs ingest monograph.pdf
  sanya herbs ingest monograph.pdf --apply
  sanya herbs review list --severity contraindicated"""


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    showing = actions.add_parser("show", help="Show one herb with its relations.", allow_abbrev=False)
    showing.add_argument("name", metavar="HERB", help="Id or name of the herb.")
    showing.add_argument("--type", choices=_TYPES, default="herb", help="Type of the node (default herb).")
    walking = actions.add_parser("path", help="Show paths from a node of the graph.", allow_abbrev=False)
    walking.add_argument("name", metavar="START", help="Id or name of the first node.")
    walking.add_argument("pattern", nargs="?", metavar="PATTERN", help='E.g. "herb-[contains]->constituent->*".')
    walking.add_argument("--type", choices=_TYPES, default="herb", help="Type of the first node (default herb).")
    walking.add_argument("--depth", type=int, default=3, help="Maximum number of steps, 0-5 (default 3).")
    walking.add_argument("--limit", type=int, default=25, help="Maximum number of paths, 1-200 (default 25).")
    walking.add_argument("--cursor", help="Continue after the page that ended with this cursor.")
    walking.add_argument("--reviewed", action="store_true", help="Follow reviewed edges only.")
    checking = actions.add_parser("check", help="Show contraindications and interactions.", allow_abbrev=False)
    checking.add_argument("names", nargs="*", metavar="HERB", help="Ids or names of herbs.")
    checking.add_argument(
        "--formulation", action="append", default=[], metavar="NAME", help="Also check this formulation; repeatable."
    )
    checking.add_argument(
        "--drug", action="append", default=[], metavar="NAME", help="Only warnings about this drug; repeatable."
    )
    checking.add_argument(
        "--condition",
        action="append",
        default=[],
        metavar="NAME",
        help="Only warnings about this condition; repeatable.",
    )
    for action in (showing, walking, checking, *add_question_arguments(actions)):
        action.add_argument("--lang", choices=("th", "en"), help="Language of the output (default: that of the input).")
        action.add_argument("--json", action="store_true", help="Print the whole answer as JSON.")
    add_papers_arguments(actions)
    add_ingest_arguments(actions)
    add_review_arguments(actions)


def run(options: Namespace) -> int:
    actions = {"show": _show, "path": _show_paths, "check": check_herbs, "search": _search, "ask": _ask}
    code: int = (actions.get(options.action) or options.act)(options)
    return code


def _search(options: Namespace) -> int:
    body = fetch_body(options, *build_search_call(options))
    if options.json:
        write_json(body)
        return OK
    return show_hits(body)


def _ask(options: Namespace) -> int:
    body = fetch_body(options, *build_ask_call(options))
    if options.json:
        write_json(body)
        return OK
    return show_answer(body)


def _show(options: Namespace) -> int:
    body = fetch_body(options, f"kg://{options.type}/{quote(options.name, safe='')}")
    if options.json:
        write_json(body)
        return OK
    lang = choose_language(options.lang, options.name)
    (show_herb if options.type == "herb" else show_node)(body, lang)
    return OK


def _show_paths(options: Namespace) -> int:
    arguments: dict[str, Any] = {
        "start": {"type": options.type, "id": options.name},
        "max_depth": options.depth,
        "limit": options.limit,
    }
    given = {"pattern": options.pattern, "cursor": options.cursor}
    arguments |= {key: value for key, value in given.items() if value is not None}
    if options.reviewed:
        arguments["filters"] = {"reviewed": True}
    body = fetch_body(options, "tool.query_kg", arguments)
    if options.json:
        write_json(body)
        return OK
    lang = choose_language(options.lang, options.name)
    for path in body["paths"]:
        write_line(_draw_path(path, body["edges"], lang))
    if body["truncated"]:
        write_note(get_label("cut", lang))
    if body["next_cursor"]:
        write_note(f"{get_label('more', lang)}: --cursor={body['next_cursor']}")
    return OK


def _draw_path(path: list[dict[str, Any]], edges: list[dict[str, Any]], lang: str) -> str:
    """Return labels joined by arrows in the direction of the edges; a question mark means not reviewed."""
    line = _label(path[0], lang)
    for node, following in pairwise(path):
        between = [edge for edge in edges if {edge["from"], edge["to"]} == {node["id"], following["id"]}]
        types = "|".join(dict.fromkeys(edge["type"] for edge in between))
        doubt = "" if any(edge["review"] == "reviewed" for edge in between) else "?"
        is_forward = any(edge["from"] == node["id"] for edge in between)
        arrow = f"─{types}{doubt}→" if is_forward else f"←{types}{doubt}─"
        line += f" {arrow} {_label(following, lang)}"
    return line


def _label(node: dict[str, Any], lang: str) -> str:
    return str((node["label_en"] if lang == "en" else None) or node["label"])
