"""`sanya papers cite`, `resolve`, `related` and `status`: bibliographies, references, the state of the corpus."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path
from typing import Any

from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line, write_note
from sanya.surfaces.cli.papers.labels import format_count, get_labels
from sanya.surfaces.cli.papers.search import add_common_options
from sanya.surfaces.cli.text_files import replace_text
from sanya.surfaces.cli.tool_calls import fetch_body

_FORMATS = ("vancouver", "apa", "bibtex", "ris", "csl-json")
_NOT_ALL_FOUND = 1


def add_actions(actions: _SubParsersAction[ArgumentParser]) -> None:
    cite = actions.add_parser("cite", help="Cite papers, for a text or a reference manager.", allow_abbrev=False)
    cite.add_argument("pmids", nargs="+", metavar="PMID", help="PubMed IDs, in the order to cite them.")
    cite.add_argument("--format", choices=_FORMATS, default="vancouver", help="Style or file format (vancouver).")
    cite.add_argument("--out", metavar="FILE", type=Path, help="Write the bibliography to this file.")
    cite.set_defaults(act=_cite)
    resolve = actions.add_parser("resolve", help="Find the papers that references name.", allow_abbrev=False)
    resolve.add_argument(
        "references", nargs="+", metavar="REFERENCE", help="A PMID, PMCID, DOI, title or reference; - reads lines."
    )
    resolve.set_defaults(act=_resolve)
    related = actions.add_parser("related", help="List papers related to one, and why.", allow_abbrev=False)
    related.add_argument("pmid", metavar="PMID", help="PubMed ID of the paper.")
    related.add_argument("--limit", type=int, default=10, metavar="N", help="Maximum number, 1-50 (default 10).")
    related.set_defaults(act=_show_related)
    status = actions.add_parser("status", help="Show size, freshness and syncs of the corpus.", allow_abbrev=False)
    status.set_defaults(act=_show_status)
    for action in (cite, resolve, related):
        action.add_argument("--checkpoint", metavar="ID", help="Answer as of this checkpoint.")
    for action in (cite, resolve, related, status):
        add_common_options(action)


def _cite(options: Namespace) -> int:
    doc_ids = [_make_doc_id(pmid) for pmid in options.pmids]
    body = fetch_body(
        options, "papers.cite", {"doc_ids": doc_ids, "format": options.format, **_read_checkpoint(options)}
    )
    labels = get_labels(options.lang)
    if options.json:
        write_json(body)
    elif options.out:
        replace_text(options.out, body["text"] + "\n")
        write_line(format_count(options.lang, "saved", len(body["citations"]), path=str(options.out)))
    else:
        write_line(body["text"])
    for citation in body["citations"]:
        if citation["missing"] and not options.json:
            write_note(labels["missing"].format(paper=citation["doc_id"], parts=", ".join(citation["missing"])))
    if body["not_found"]:
        write_note(labels["not_here"].format(papers=", ".join(body["not_found"])))
        return _NOT_ALL_FOUND
    return OK


def _resolve(options: Namespace) -> int:
    references = [line.strip() for text in options.references for line in _read_lines(text) if line.strip()]
    if not references:
        raise CommandFailed("there is no reference to resolve; write one, or pipe lines to -")
    body = fetch_body(options, "papers.resolve", {"references": references, **_read_checkpoint(options)})
    resolutions = body["resolutions"]
    if options.json:
        write_json(body)
    else:
        labels = get_labels(options.lang)
        columns = [labels[name] for name in ("reference", "status", "paper", "year", "title")]
        write_table(columns, [row for resolution in resolutions for row in _list_rows(resolution, options)])
        for advice in dict.fromkeys(resolution["advice"] for resolution in resolutions if resolution["advice"]):
            write_note(advice)
    return OK if all(resolution["status"] == "found" for resolution in resolutions) else _NOT_ALL_FOUND


def _read_lines(text: str) -> list[str]:
    return sys.stdin.read().splitlines() if text == "-" else [text]


def _list_rows(resolution: dict[str, Any], options: Namespace) -> list[list[str]]:
    status = get_labels(options.lang)[f"{resolution['status']}_status"]
    head = [resolution["reference"][:60], status]
    papers = resolution["papers"] or [{"doc_id": "–", "year": None, "title": None}]
    return [[*head, paper["doc_id"], str(paper["year"] or "–"), paper["title"] or "–"] for paper in papers]


def _show_related(options: Namespace) -> int:
    arguments = {"doc_id": _make_doc_id(options.pmid), "limit": options.limit, **_read_checkpoint(options)}
    body = fetch_body(options, "papers.related", arguments)
    labels = get_labels(options.lang)
    if options.json:
        write_json(body)
    elif not body["documents"]:
        write_line(labels["no_related"])
    else:
        columns = [labels[name] for name in ("score", "paper", "year", "title", "reasons")]
        write_table(columns, [_to_related_row(document, options) for document in body["documents"]])
    return OK


def _to_related_row(document: dict[str, Any], options: Namespace) -> list[str]:
    labels = get_labels(options.lang)
    mark = f"[{labels['retracted']}] " if document["retracted"] else ""
    reasons = [_describe_relation(relation, document, options) for relation in document["relations"]]
    title = mark + (document["title"] or "–")
    return [f"{document['score']:.2f}", document["doc_id"], str(document["year"] or "–"), title, "; ".join(reasons)]


def _describe_relation(relation: dict[str, Any], document: dict[str, Any], options: Namespace) -> str:
    labels = get_labels(options.lang)
    if relation["kind"] != "link":
        return ", ".join(relation["values"]) or labels["similar_text"]
    names = {
        "shared_references": format_count(options.lang, "shared_references", document["shared_count"]),
        "cites": labels["cites"],
        "cited_by": labels["cited_by"],
    }
    return ", ".join(names.get(value, value) for value in relation["values"])


def _show_status(options: Namespace) -> int:
    body = fetch_body(options, "corpus.status")
    if options.json:
        write_json(body)
        return OK
    labels = get_labels(options.lang)
    rows = [
        (labels["sample_records"], f"{body['samples']:,}"),
        (labels["newest"], body["newest_entry"] or "–"),
        (labels["awaiting"], f"{body['chunks_without_vectors']:,}"),
        (labels["checkpoints"], f"{body['checkpoints']:,}"),
        (labels["synced"], "\n".join(_describe_sync(query) for query in body["synced_queries"])),
        (labels["watched"], "\n".join(query["query"] for query in body["watched_queries"])),
    ]
    write_table((labels["papers"], f"{body['papers']:,}"), [(name, value or "–") for name, value in rows])
    if body["advice"]:
        write_note(body["advice"])
    return OK


def _describe_sync(query: dict[str, Any]) -> str:
    return f"{query['term']} ({query['synced_to'][:10]})"


def _make_doc_id(pmid: str) -> str:
    return f"pmid:{pmid.removeprefix('pmid:')}"


def _read_checkpoint(options: Namespace) -> dict[str, str]:
    return {"checkpoint_id": options.checkpoint} if options.checkpoint else {}
