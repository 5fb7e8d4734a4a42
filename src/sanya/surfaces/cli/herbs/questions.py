"""`sanya herbs search` and `sanya herbs ask`: show search hits, and answers with their citations."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from typing import Any

from sanya.surfaces.cli.herbs.labels import get_label
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.option_values import parse_positive
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_line, write_note

_HIT_TYPES = ("herb", "formulation", "paper", "chunk")
_SOURCES_SHOWN = 4
_NEAREST = 4


def add_question_arguments(actions: _SubParsersAction[ArgumentParser]) -> tuple[ArgumentParser, ...]:
    searching = actions.add_parser("search", help="Search herbs, formulations and papers.", allow_abbrev=False)
    searching.add_argument("query", help="Query in Thai, English or both.")
    searching.add_argument("--type", choices=_HIT_TYPES, action="append", help="Only hits of this type; repeatable.")
    searching.add_argument(
        "--limit", type=parse_positive, default=10, metavar="N", help="Maximum number of hits, 1-50 (default 10)."
    )
    asking = actions.add_parser("ask", help="Answer a question, with citations.", allow_abbrev=False)
    asking.add_argument("question", help="Question in Thai or English.")
    asking.add_argument(
        "--top", type=parse_positive, default=5, metavar="N", help="Number of hits to answer from, 1-20 (default 5)."
    )
    return searching, asking


def build_search_call(options: Namespace) -> tuple[str, dict[str, Any]]:
    arguments: dict[str, Any] = {"query": options.query, "top_k": options.limit, "lang": options.lang or "auto"}
    return "tool.hybrid_search", arguments | ({"filters": {"types": options.type}} if options.type else {})


def build_ask_call(options: Namespace) -> tuple[str, dict[str, Any]]:
    arguments = {"question": options.question, "lang": options.lang or "auto", "retrieval": {"top_k": options.top}}
    return "tool.rag_answer", arguments


def show_hits(body: dict[str, Any]) -> int:
    lang = body["lang"]
    if not body["hits"]:
        write_line(get_label("nothing", lang))
    else:
        columns = ("id", *(get_label(key, lang) for key in ("type", "name", "score", "by", "says")))
        write_table(columns, [_to_row(hit) for hit in body["hits"]])
    _show_ambiguous(body)
    return OK


def show_answer(body: dict[str, Any]) -> int:
    """Show the answer, or why it is withheld. A withheld answer is a valid answer, so the exit code is 0 either way."""
    lang, withheld = body["lang"], body["withheld"]
    if withheld is None:
        write_line(body["answer"])
    else:
        write_line(f"{get_label('withheld', lang)}. {withheld['advice']}")
        write_line(
            f"  {get_label('confidence', lang)} {withheld['answer_conf']:.2f} "
            f"({get_label('needed', lang)} {withheld['answer_conf_needed']:.2f}), {get_label('citations', lang)} "
            f"{withheld['citations']} ({get_label('needed', lang)} {withheld['citations_needed']})"
        )
    # Where there is no answer, what is warned of comes before what is merely near.
    shown = (_show_citations, _show_safety) if withheld is None else (_show_safety, _show_citations)
    for show in shown:
        show(body)
    _show_ambiguous(body)
    if withheld is None:
        write_line(f"\n{get_label('confidence', lang)} {body['scores']['answer_conf']:.2f}")
    write_line(f"\n{body['notice']}")
    return OK


def _to_row(hit: dict[str, Any]) -> tuple[str, ...]:
    return hit["id"], hit["type"], hit["title"], f"{hit['score']:.3f}", ", ".join(hit["reasons"]), hit["snippet"]


def _show_citations(body: dict[str, Any]) -> None:
    lang = body["lang"]
    numbered = [(number, citation) for number, citation in enumerate(body["citations"], 1) if citation["used"]]
    if body["withheld"] is not None:
        numbered = list(enumerate(body["citations"][:_NEAREST], 1))
    if body["withheld"] is not None and numbered:
        write_line(f"\n{get_label('near', lang)}")
        for number, citation in numbered:
            write_line(f"  {citation['span']} [{number}]")
    if numbered:
        write_line()
    for number, citation in numbered:
        doubt = f" ({get_label('needs_review', lang)})" if citation["review"] == "needs_review" else ""
        write_line(f"[{number}] {citation['title']}, {citation['uri']}{doubt}: {_name_sources(citation, lang)}")


def _name_sources(citation: dict[str, Any], lang: str) -> str:
    """Return the first sources by title, each once, and how many more `--json` shows."""
    titles = list(dict.fromkeys(source["title"] or source["id"] for source in citation["sources"]))
    rest = len(titles) - _SOURCES_SHOWN
    more = f" {get_label('more_sources', lang).format(count=rest)}" if rest > 0 else ""
    return "; ".join(titles[:_SOURCES_SHOWN]) + more


def _show_safety(body: dict[str, Any]) -> None:
    lang, safety = body["lang"], body["safety"]
    if safety is None:
        return
    if safety["results"]:
        write_line(f"\n{get_label('recorded_warnings', lang)}")
    names = {citation["uri"].rpartition("/")[2]: citation["title"] for citation in body["citations"]}
    for warning in safety["results"]:
        strength, name = get_label(warning["strength"], lang), names.get(warning["entity_id"], warning["entity_id"])
        write_line(f"  {strength}: {name} × {warning['contraindication']} ({warning['evidence']})")
    statements = [statement for warning in safety["results"] for statement in warning["statements"]]
    for advice in dict.fromkeys(statement["management"] for statement in statements if statement["management"]):
        write_line(f"  → {advice}")
    for entity in safety["coverage"]:
        if entity["status"] == "none":
            write_line(f"\n{names.get(entity['entity_id'], entity['entity_id'])}: {get_label('none', lang)}")


def _show_ambiguous(body: dict[str, Any]) -> None:
    for mention in body["ambiguous"]:
        candidates = ", ".join(f"{candidate['id']} ({candidate['label']})" for candidate in mention["candidates"])
        write_note(f"{mention['name']}: {get_label('several', body['lang'])}: {candidates}")
