"""`sanya papers mesh`: look up a heading of MeSH, or import NLM's file of descriptors."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.input_hashes import describe_file
from sanya.surfaces.cli.main import OK, UsageError
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line, write_note
from sanya.surfaces.cli.papers.labels import format_count, get_labels
from sanya.surfaces.cli.papers.search import add_common_options
from sanya.surfaces.cli.tool_calls import fetch_body

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.suites.papers.mesh.descriptor_file import DescriptorCounts

_IMPORT = "import"
_NOT_FOUND = 1
_MOST_TERMS = 12


def add_actions(actions: _SubParsersAction[ArgumentParser]) -> None:
    mesh = actions.add_parser(
        "mesh", help="Look up a MeSH heading, or import NLM's file of headings.", allow_abbrev=False
    )
    mesh.add_argument(
        "words", nargs="+", metavar="TERM", help="Heading, other name or MeSH id; or `import FILE` (desc20XX.xml)."
    )
    mesh.add_argument("--limit", type=int, default=10, metavar="N", help="Maximum number of papers, 1-50 (default 10).")
    mesh.set_defaults(act=_run)
    add_common_options(mesh)


def _run(options: Namespace) -> int:
    if options.words[0] == _IMPORT:
        if len(options.words) != 2:
            raise UsageError("name one file: sanya papers mesh import desc2026.xml")
        return _import(Path(options.words[1]), options)
    return _look_up(options)


def _import(path: Path, options: Namespace) -> int:
    if not path.is_file():
        raise CommandFailed(
            f"file not found: {path}; NLM publishes desc20XX.xml at nlm.nih.gov/databases/download/mesh.html"
        )

    async def work(app: App) -> DescriptorCounts:
        import asyncio

        from sanya.kernel.ledger.owner_actions import record_owner_action
        from sanya.suites.papers.mesh.descriptor_file import import_descriptors

        content = await asyncio.to_thread(describe_file, path)
        async with record_owner_action(app.ledger, "papers.mesh.import", "papers", content) as action:
            with progress_bar(path.name) as progress:
                counts = await import_descriptors(app.database, path, action.follow(progress))
            action.add(counts=counts._asdict())
        return counts

    counts = run_in_home(options, work)
    if options.json:
        write_json(counts._asdict())
    else:
        write_line(
            f"{counts.release}: {counts.descriptors:,} headings, {counts.places:,} places in the tree, "
            f"{counts.entry_terms:,} entry terms"
        )
    return OK


def _look_up(options: Namespace) -> int:
    body = fetch_body(options, "papers.mesh", {"term": " ".join(options.words), "limit": options.limit})
    labels = get_labels(options.lang)
    if options.json:
        write_json(body)
    elif body["heading"] is not None:
        _show_heading(body["heading"], options)
    elif body["candidates"]:
        columns = ["MeSH", labels["papers"], labels["name"]]
        rows = [[candidate["ui"], f"{candidate['papers']:,}", candidate["name"]] for candidate in body["candidates"]]
        write_table(columns, rows)
    else:
        write_line(labels["no_heading"].format(term=body["term"]))
    if not options.json:
        if body["unread"]:
            write_note(format_count(options.lang, "headings_unread", body["unread"]))
        if body["advice"]:
            write_note(body["advice"])
    return OK if body["status"] == "found" else _NOT_FOUND


def _show_heading(heading: dict[str, Any], options: Namespace) -> None:
    labels = get_labels(options.lang)
    terms = [*heading["entry_terms"], *heading["other_names"]]
    shown = ", ".join(dict.fromkeys(terms[:_MOST_TERMS])) + (" …" if len(terms) > _MOST_TERMS else "")
    papers = labels["under_heading"].format(count=f"{heading['papers']:,}", major=f"{heading['major']:,}")
    rows = [
        ("MeSH", heading["ui"]),
        (labels["scope"], heading["scope_note"]),
        (labels["other_names"], shown),
        (labels["broader"], " › ".join(dict.fromkeys(place["name"] for place in heading["broader"]))),
        (labels["narrower"], ", ".join(_describe_place(place) for place in heading["narrower"])),
        (labels["qualifiers"], ", ".join(f"{item['name']} {item['papers']:,}" for item in heading["qualifiers"][:12])),
        (labels["papers"], papers),
        (labels["papers_below"], "" if heading["papers_below"] is None else f"{heading['papers_below']:,}"),
    ]
    write_table((labels["heading"], heading["name"]), [(name, value) for name, value in rows if value])
    if heading["documents"]:
        write_line()
        columns = [labels["paper"], labels["year"], labels["title"]]
        write_table(columns, [_to_row(document, options) for document in heading["documents"]])


def _describe_place(place: dict[str, Any]) -> str:
    return f"{place['name']} ({place['papers']:,})" if place["papers"] else str(place["name"])


def _to_row(document: dict[str, Any], options: Namespace) -> list[str]:
    mark = f"[{get_labels(options.lang)['retracted']}] " if document["retracted"] else ""
    return [document["doc_id"], str(document["year"] or "–"), mark + (document["title"] or "–")]
