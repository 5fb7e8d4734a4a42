"""Tables and cards of `sanya herbs review`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sanya.surfaces.cli.herbs.check import SEVERITY_COLOURS
from sanya.surfaces.cli.herbs.labels import get_label
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import paint, write_json, write_line, write_note
from sanya.surfaces.cli.tool_calls import JsonObject

if TYPE_CHECKING:
    from sanya.suites.herbs.review.transfer import ImportReport

_COLUMNS = ("id", "severity", "evidence", "herb", "about", "state")
_MAX_OBJECTS = 3


def show_queue(body: JsonObject, lang: str) -> None:
    rows = [_to_row(statement, lang) for statement in body["statements"]]
    write_table([get_label(column, lang) for column in _COLUMNS], rows)
    progress = get_label("progress", lang).format(shown=len(rows), **body["progress"])
    write_line(f"\n{progress}")


def _to_row(statement: JsonObject, lang: str) -> tuple[str, ...]:
    objects = [node[lang] for node in statement["objects"]]
    more = f" +{len(objects) - _MAX_OBJECTS}" if len(objects) > _MAX_OBJECTS else ""
    return (
        statement["id"],
        get_label(statement["severity"], lang),
        get_label(statement["evidence"] or "no_evidence", lang),
        statement["subject"][lang],
        f"{', '.join(objects[:_MAX_OBJECTS])}{more}",
        get_label(statement["state"], lang),
    )


def show_card(card: JsonObject, lang: str) -> None:
    severity = card["severity"]
    head = paint(get_label(severity, lang), SEVERITY_COLOURS[severity])
    objects = ", ".join(f"{node[lang]} ({node['id']})" for node in card["objects"])
    write_line(f"{head} · {card['subject'][lang]} ({card['subject']['id']}) + {objects}")
    evidence = get_label(card["evidence"] or "no_evidence", lang)
    write_line(f"{card['id']} · {get_label(card['state'], lang)} · {get_label('evidence', lang)}: {evidence}")
    for name, text in card["texts"].items():
        write_line(f"  {get_label(name, lang)}: {text[lang]}")
    if card["route"]:
        write_line(f"  {get_label('route', lang)}: {get_label(card['route'], lang)}")
    _show_section("reasons", [reason[lang] for reason in card["reasons"]], lang)
    _show_section("differences", [_format_difference(other, lang) for other in card["differences"]], lang)
    _show_section("sources", [_format_source(source, lang) for source in card["sources"]], lang)
    _show_section("history", [_format_decision(made, lang) for made in card["history"]], lang)


def _show_section(label: str, lines: Iterable[str], lang: str) -> None:
    shown = list(lines)
    if shown:
        write_line(f"\n{get_label(label, lang)}")
    for line in shown:
        write_line(f"  {line}")


def _format_difference(other: JsonObject, lang: str) -> str:
    grades = ", ".join(get_label(other[name], lang) for name in ("severity", "evidence") if other[name])
    return f"{other['id']}: {grades}: {other['effect'][lang] or '–'} [{', '.join(other['sources'])}]"


def _format_source(source: JsonObject, lang: str) -> str:
    year = f" ({source['year']})" if source["year"] else ""
    read = f" · {source['how_read'][lang]}" if source["how_read"] else ""
    return f"{source['id']}: {source['title'] or '–'}{year} {source['url'] or get_label('no_address', lang)}{read}"


def _format_decision(made: JsonObject, lang: str) -> str:
    changes = ", ".join(f"{name}={value}" for name, value in made["changes"].items())
    parts = [f"{made['id']}: {get_label(made['verdict'], lang)}", f"{made['reviewer']}, {made['date']}", changes]
    if made["reason"]:
        parts.append(f"{get_label('reason', lang)}: {made['reason']}")
    if made["undone"]:
        parts.append(f"{get_label('undone', lang)} ({made['undone']['by']}, {made['undone']['at'][:10]})")
    return " · ".join(part for part in parts if part)


def show_import(report: ImportReport, name: str, *, as_json: bool, dry_run: bool) -> None:
    """Show what an import did or would do; its errors go to stderr, each with its line."""
    counts = report.count_outcomes()
    if as_json:
        lines: list[dict[str, Any]] = [asdict(line) for line in report.lines]
        errors = [asdict(error) for error in report.errors]
        write_json({"lines": lines, "errors": errors, "counts": counts, "written": report.written})
        return
    for error in report.errors:
        write_note(f"{name}, line {error.line}: {error.message}")
    rows = [(str(line.line), line.statement, line.verdict, line.outcome) for line in report.lines]
    write_table(("line", "statement", "decision", "result"), rows)
    if report.errors:
        write_note(f"{len(report.errors)} lines are wrong, so nothing was written. Correct them and import again.")
    elif dry_run:
        write_note("Dry run: nothing was written.")
    else:
        write_line(f"\n{report.written} new decisions")
