"""`sanya herbs`: the graph of herbs for people, in Thai and English: one herb, paths, warnings, search and answers."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from sanya.kernel.call import Answered, Call, Outcome
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.herbs.ingest import add_ingest_arguments
from sanya.surfaces.cli.herbs.labels import language, word
from sanya.surfaces.cli.herbs.node_tables import show_herb, show_node
from sanya.surfaces.cli.herbs.questions import (
    add_question_arguments,
    ask_call,
    search_call,
    show_answer,
    show_hits,
)
from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line, write_note

if TYPE_CHECKING:
    from sanya.app import App

_TYPES = ("herb", "constituent", "indication", "formulation", "drug", "condition", "paper", "chunk")

EXAMPLES = """A herb is named by its id, or in Thai, English or Latin. The check never guesses: a name that may mean
several species is shown with the candidates, and the exit code is then 1. Nothing here is medical advice.

examples:
  sanya herbs show ขมิ้นชัน
  sanya herbs show ยาหอมนวโกฐ --type formulation
  sanya herbs path "fa thalai chon" "herb->constituent->indication"
  sanya herbs check ขมิ้นชัน --drug warfarin
  sanya herbs search "แก้ท้องผูก" --type herb
  sanya herbs ask "คนไข้กิน warfarin อยู่ กินขมิ้นชันได้ไหม"
  sanya herbs check --formulation ยาหอมนวโกฐ --condition ตั้งครรภ์
  sanya herbs ingest monograph.pdf
  sanya herbs ingest monograph.pdf --apply"""


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    showing = actions.add_parser("show", help="Show one herb with its relations.", allow_abbrev=False)
    showing.add_argument("name", metavar="HERB", help="Its id or name.")
    showing.add_argument("--type", choices=_TYPES, default="herb", help="Show another node (default herb).")
    walking = actions.add_parser("path", help="Show paths from a node of the graph.", allow_abbrev=False)
    walking.add_argument("name", metavar="START", help="Its id or name.")
    walking.add_argument("pattern", nargs="?", metavar="PATTERN", help='E.g. "herb-[contains]->constituent->*".')
    walking.add_argument("--type", choices=_TYPES, default="herb", help="What the start is (default herb).")
    walking.add_argument("--depth", type=int, default=3, help="Most steps, 0-5 (default 3).")
    walking.add_argument("--limit", type=int, default=25, help="Most paths, 1-200 (default 25).")
    walking.add_argument("--cursor", help="Go on behind a page that ended with this.")
    walking.add_argument("--reviewed", action="store_true", help="Only along reviewed edges.")
    checking = actions.add_parser("check", help="Show what is known against herbs.", allow_abbrev=False)
    checking.add_argument("names", nargs="*", metavar="HERB", help="Ids or names.")
    checking.add_argument("--formulation", action="append", default=[], metavar="NAME", help="A formulation as well.")
    checking.add_argument("--drug", action="append", default=[], metavar="NAME", help="Only about this drug.")
    checking.add_argument("--condition", action="append", default=[], metavar="NAME", help="Only about this condition.")
    for action in (showing, walking, checking, *add_question_arguments(actions)):
        action.add_argument("--lang", choices=("th", "en"), help="Language of words and labels; default: yours.")
        action.add_argument("--json", action="store_true", help="Print the whole answer as JSON.")
    add_ingest_arguments(actions)


def run(options: Namespace) -> int:
    actions = {"show": _show, "path": _path, "check": _check, "search": _search, "ask": _ask}
    code: int = (actions.get(options.action) or options.act)(options)
    return code


def _search(options: Namespace) -> int:
    body = _answer(options, *search_call(options))
    if options.json:
        write_json(body)
        return OK
    return show_hits(body)


def _ask(options: Namespace) -> int:
    body = _answer(options, *ask_call(options))
    if options.json:
        write_json(body)
        return OK
    return show_answer(body)


def _show(options: Namespace) -> int:
    body = _answer(options, f"kg://{options.type}/{quote(options.name, safe='')}")
    if options.json:
        write_json(body)
        return OK
    lang = language(options.lang, options.name)
    (show_herb if options.type == "herb" else show_node)(body, lang)
    return OK


def _path(options: Namespace) -> int:
    arguments: dict[str, Any] = {
        "start": {"type": options.type, "id": options.name},
        "max_depth": options.depth,
        "limit": options.limit,
    }
    given = {"pattern": options.pattern, "cursor": options.cursor}
    arguments |= {key: value for key, value in given.items() if value is not None}
    if options.reviewed:
        arguments["filters"] = {"reviewed": True}
    body = _answer(options, "tool.query_kg", arguments)
    if options.json:
        write_json(body)
        return OK
    lang = language(options.lang, options.name)
    for path in body["paths"]:
        write_line(_drawn(path, body["edges"], lang))
    if body["truncated"]:
        write_note(word("cut", lang))
    if body["next_cursor"]:
        write_note(f"{word('more', lang)}: --cursor {body['next_cursor']}")
    return OK


def _drawn(path: list[dict[str, Any]], edges: list[dict[str, Any]], lang: str) -> str:
    """One line: labels joined by arrows that point as the edges do; what is not reviewed has a question mark."""
    drawn = _label(path[0], lang)
    for one, other in pairwise(path):
        between = [edge for edge in edges if {edge["from"], edge["to"]} == {one["id"], other["id"]}]
        types = "|".join(dict.fromkeys(edge["type"] for edge in between))
        doubt = "" if any(edge["review"] == "reviewed" for edge in between) else "?"
        is_forward = any(edge["from"] == one["id"] for edge in between)
        arrow = f"─{types}{doubt}→" if is_forward else f"←{types}{doubt}─"
        drawn += f" {arrow} {_label(other, lang)}"
    return drawn


def _label(node: dict[str, Any], lang: str) -> str:
    return str((node["label_en"] if lang == "en" else None) or node["label"])


def _check(options: Namespace) -> int:
    named = (*options.names, *options.formulation, *options.drug, *options.condition)
    lang = language(options.lang, *named)
    arguments = {
        "herb_ids": options.names,
        "formulation_ids": options.formulation,
        "drugs": options.drug,
        "conditions": options.condition,
        "lang": lang,
        "limit": 500,
    }
    body = _answer(options, "tool.find_contraindications", arguments)
    if options.json:
        write_json(body)
    else:
        _show_check(body, lang)
    return FAULT if body["unresolved"] else OK


def _show_check(body: dict[str, Any], lang: str) -> None:
    if body["results"]:
        columns = ("strength", "about", "herb", "evidence", "basis", "review", "via", "sources")
        write_table([word(column, lang) for column in columns], [_warning(one, lang) for one in body["results"]])
    for one in body["coverage"]:
        if one["status"] != "recorded":
            write_line(f"\n{one['entity_id']}: {word(one['status'], lang)}")
        if one["note"]:
            write_line(f"\n{one['entity_id']}: {word('note', lang)}: {one['note']}")
        open_parts = [*one["silent_ingredients"], *one["unidentified_ingredients"]]
        if open_parts:
            write_line(f"\n{one['entity_id']}: {word('silent', lang)}: {', '.join(open_parts)}")
    if body["next_cursor"]:
        write_line(f"\n{len(body['results'])} / {body['total']}: {word('narrow', lang)}")
    for one in body["unresolved"]:
        candidates = ", ".join(f"{each['id']} ({each['label']})" for each in one["candidates"]) or "–"
        write_note(f"{word(one['reason'], lang)}: {one['given']} → {candidates}")
    write_line(f"\n{body['notice']}")


def _warning(one: dict[str, Any], lang: str) -> tuple[str, ...]:
    return (
        word(one["strength"], lang),
        one["contraindication"],
        one["entity_id"],
        one["evidence"],
        one["basis"],
        word(one["review"], lang),
        ", ".join(one["via"]) or "–",
        ", ".join(one["sources"]),
    )


def _answer(options: Namespace, name: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    async def work(app: App) -> Outcome:
        call = Call(name, arguments or {}, surface="cli")
        return await (app.kernel.read(call) if "://" in name else app.kernel.call(call))

    outcome = in_home(options, work)
    if isinstance(outcome, Answered):
        return outcome.body
    raise CommandFailed(outcome.message)
