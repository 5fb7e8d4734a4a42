"""`sanya herbs search` and `sanya herbs ask`: hits and cited answers, for people."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from typing import Any

from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.option_values import positive
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_line, write_note

_HIT_TYPES = ("herb", "formulation", "paper", "chunk")
_WORDS = {
    "type": ("type", "ชนิด"),
    "name": ("name", "ชื่อ"),
    "score": ("score", "คะแนน"),
    "by": ("found by", "พบโดย"),
    "says": ("says", "ข้อความ"),
    "nothing": ("nothing found", "ไม่พบ"),
    "withheld": ("No answer is given", "ไม่ให้คำตอบ"),
    "confidence": ("confidence", "ความเชื่อมั่น"),
    "needed": ("needed", "ต้องมีอย่างน้อย"),
    "citations": ("citations", "แหล่งอ้างอิง"),
    "sources": ("sources", "แหล่งข้อมูล"),
    "basis": ("basis", "ที่มา"),
    "near": ("What comes nearest:", "ข้อมูลที่ใกล้เคียง:"),
    "warnings": ("Recorded warnings:", "คำเตือนที่บันทึกไว้:"),
    "ambiguous": ("may mean several", "อาจหมายถึงหลายชนิด"),
    "none": ("no safety record at all: this does NOT mean safe", "ไม่มีข้อมูลความปลอดภัยเลย ไม่ได้แปลว่าปลอดภัย"),
}
_NEAREST = 4
_STRENGTHS = {"high": "สูง", "moderate": "ปานกลาง", "low": "ต่ำ"}


def add_question_arguments(actions: _SubParsersAction[ArgumentParser]) -> tuple[ArgumentParser, ...]:
    searching = actions.add_parser("search", help="Search herbs, formulations and papers.", allow_abbrev=False)
    searching.add_argument("query", help="In Thai, English or both.")
    searching.add_argument("--type", choices=_HIT_TYPES, action="append", help="Only these; may be repeated.")
    searching.add_argument("--limit", type=positive, default=10, metavar="N", help="Most hits, 1-50 (default 10).")
    asking = actions.add_parser("ask", help="Answer a question, with citations.", allow_abbrev=False)
    asking.add_argument("question", help="In Thai or English.")
    asking.add_argument("--top", type=positive, default=5, metavar="N", help="Hits to answer from, 1-20 (default 5).")
    return searching, asking


def search_call(options: Namespace) -> tuple[str, dict[str, Any]]:
    arguments: dict[str, Any] = {"query": options.query, "top_k": options.limit, "lang": options.lang or "auto"}
    return "tool.hybrid_search", arguments | ({"filters": {"types": options.type}} if options.type else {})


def ask_call(options: Namespace) -> tuple[str, dict[str, Any]]:
    arguments = {"question": options.question, "lang": options.lang or "auto", "retrieval": {"top_k": options.top}}
    return "tool.rag_answer", arguments


def show_hits(body: dict[str, Any]) -> int:
    lang = body["lang"]
    if not body["hits"]:
        write_line(_word("nothing", lang))
    else:
        columns = ("id", *(_word(key, lang) for key in ("type", "name", "score", "by", "says")))
        write_table(columns, [_row(hit) for hit in body["hits"]])
    _show_ambiguous(body)
    return OK


def show_answer(body: dict[str, Any]) -> int:
    """A withheld answer is an answer too: the exit code says that all went well."""
    lang, withheld = body["lang"], body["withheld"]
    if withheld is None:
        write_line(body["answer"])
    else:
        write_line(f"{_word('withheld', lang)}. {withheld['advice']}")
        write_line(
            f"  {_word('confidence', lang)} {withheld['answer_conf']:.2f} "
            f"({_word('needed', lang)} {withheld['answer_conf_needed']:.2f}), {_word('citations', lang)} "
            f"{withheld['citations']} ({_word('needed', lang)} {withheld['citations_needed']})"
        )
    _show_citations(body)
    _show_safety(body)
    _show_ambiguous(body)
    if withheld is None:
        write_line(f"\n{_word('confidence', lang)} {body['scores']['answer_conf']:.2f}")
    write_line(f"\n{body['notice']}")
    return OK


def _row(hit: dict[str, Any]) -> tuple[str, ...]:
    return hit["id"], hit["type"], hit["title"], f"{hit['score']:.3f}", ", ".join(hit["reasons"]), hit["snippet"]


def _show_citations(body: dict[str, Any]) -> None:
    lang = body["lang"]
    numbered = [(number, one) for number, one in enumerate(body["citations"], 1) if one["used"]]
    if body["withheld"] is not None:
        numbered = list(enumerate(body["citations"][:_NEAREST], 1))
    if body["withheld"] is not None and numbered:
        write_line(f"\n{_word('near', lang)}")
        for number, one in numbered:
            write_line(f"  {one['span']} [{number}]")
    if numbered:
        write_line()
    for number, one in numbered:
        sources = "; ".join(source["title"] or source["id"] for source in one["sources"])
        write_line(f"[{number}] {one['uri']} · {_word('basis', lang)}: {one['basis']} · {sources}")


def _show_safety(body: dict[str, Any]) -> None:
    lang, safety = body["lang"], body["safety"]
    if safety is None:
        return
    if safety["results"]:
        write_line(f"\n{_word('warnings', lang)}")
    for one in safety["results"]:
        strength = _STRENGTHS[one["strength"]] if lang == "th" else one["strength"]
        write_line(f"  {strength}: {one['entity_id']} × {one['contraindication']} ({one['evidence']})")
    for one in safety["coverage"]:
        if one["status"] == "none":
            write_line(f"\n{one['entity_id']}: {_word('none', lang)}")


def _show_ambiguous(body: dict[str, Any]) -> None:
    for one in body["ambiguous"]:
        candidates = ", ".join(f"{each['id']} ({each['label']})" for each in one["candidates"])
        write_note(f"{one['name']}: {_word('ambiguous', body['lang'])}: {candidates}")


def _word(key: str, lang: str) -> str:
    return _WORDS[key][lang == "th"]
