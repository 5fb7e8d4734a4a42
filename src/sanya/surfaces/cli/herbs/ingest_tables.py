"""Tables of an ingest: counts per document, then statements, contradictions and unresolved mentions."""

from __future__ import annotations

from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import BAD, GOOD, WARNING, paint, write_line, write_note
from sanya.surfaces.cli.tool_calls import JsonObject

_COUNTED = ("nodes", "edges", "conflicts", "ambiguous", "unlinked", "linked")
_COLOURS = {"done": GOOD, "error": BAD}


def show_jobs(jobs: list[JsonObject]) -> None:
    if not jobs:
        write_note("There are no ingests yet. Start one with: sanya herbs ingest FILE")
        return
    columns = ("job", "status", "dry run", "documents", "started", "message")
    write_table(columns, [_to_job_row(job) for job in jobs])


def show_documents(job: JsonObject) -> None:
    mode = "dry run" if job["dry_run"] else "written"
    status = job["ending"] or job["status"]
    write_line(f"{job['job_id']}  {paint(status, _COLOURS.get(status, WARNING))}  {mode}\n")
    columns = ("", "document", "status", "pages", "ocr", *_COUNTED)
    write_table(columns, [_to_document_row(document) for document in job["documents"]])
    for document in job["documents"]:
        if document["error"]:
            write_note(f"{_extract_name(document['uri'])}: {document['error']['message']}")
        for note in document["notes"]:
            write_note(f"{_extract_name(document['uri'])}: {note}")


def show_changes(job: JsonObject) -> None:
    """Show statements, plants, contradictions and unresolved mentions. Leave out names, sources and mention edges."""
    changes = [change for change in job["changes"] if _is_shown(change)]
    if changes:
        write_line()
        rows = [_to_change_row(change, many=len(job["documents"]) > 1) for change in changes]
        write_table(("kind", "text", "page", "confidence", "candidates or conflict"), rows)
    if job["next_cursor"]:
        write_note("This is the first page; tool.ingest.status pages through all changes.")


def _to_job_row(job: JsonObject) -> tuple[str, ...]:
    progress = job["progress"]
    done = f"{progress['done']:g}/{progress['total']:g}" if progress["total"] else "–"
    dry = "yes" if job["dry_run"] else "no"
    message = job["failure"] or progress["message"] or ""
    return (job["job_id"], job["ending"] or job["status"], dry, done, job["started_at"] or "–", message)


def _to_document_row(document: JsonObject) -> tuple[str, ...]:
    status = "nothing new" if document["nothing_new"] else document["status"]
    pages = (str(document["pages"]), str(document["ocr_pages"]))
    counts = (str(document["counts"][name]) for name in _COUNTED)
    return (str(document["number"]), _extract_name(document["uri"]), status, *pages, *counts)


def _is_shown(change: JsonObject) -> bool:
    return change["kind"] not in ("source", "name") and change["type"] not in ("mentioned_in", "chunk")


def _to_change_row(change: JsonObject, *, many: bool) -> tuple[str, ...]:
    kind = change["type"] if change["kind"] in ("node", "edge") else change["kind"]
    document = f"{change['document']}: " if many else ""
    page = document + ("–" if change["page"] is None else str(change["page"]))
    confidence = f"{change['confidence']:.0%}" if change["confidence"] is not None else "–"
    candidates = ", ".join(change["candidates"]) or (change["id"] if change["kind"] == "conflict" else "")
    return (kind, change["text"], page, confidence, candidates)


def _extract_name(uri: str) -> str:
    return PurePosixPath(unquote(urlsplit(uri).path)).name or uri
