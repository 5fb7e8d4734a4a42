"""An ingest as tables: its documents in numbers, then what is said, contradicted and left open."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import BAD, GOOD, WARNING, paint, write_line, write_note

Body = dict[str, Any]
_COUNTED = ("nodes", "edges", "conflicts", "ambiguous", "unlinked", "linked")
_COLOURS = {"done": GOOD, "error": BAD}


def show_jobs(jobs: list[Body]) -> None:
    if not jobs:
        write_note("There was no ingest yet; begin with: sanya herbs ingest FILE")
        return
    columns = ("job", "status", "dry run", "documents", "begun", "message")
    write_table(columns, [_job_row(job) for job in jobs])


def show_documents(job: Body) -> None:
    mode = "dry run" if job["dry_run"] else "written"
    status = job["ending"] or job["status"]
    write_line(f"{job['job_id']}  {paint(status, _COLOURS.get(status, WARNING))}  {mode}\n")
    columns = ("", "document", "status", "pages", "ocr", *_COUNTED)
    write_table(columns, [_document_row(one) for one in job["documents"]])
    for one in job["documents"]:
        if one["error"]:
            write_note(f"{_name(one['uri'])}: {one['error']['message']}")
        for note in one["notes"]:
            write_note(f"{_name(one['uri'])}: {note}")


def show_changes(job: Body) -> None:
    """Statements, plants, contradictions, open mentions; where things are mentioned goes without saying."""
    shown = [one for one in job["changes"] if _is_told(one)]
    if shown:
        write_line()
        rows = [_change_row(one, many=len(job["documents"]) > 1) for one in shown]
        write_table(("", "what", "page", "sure", "candidates or what is known"), rows)
    if job["next_cursor"]:
        write_note("There is more; tool.ingest.status pages through all of it.")


def _job_row(job: Body) -> tuple[str, ...]:
    progress = job["progress"]
    done = f"{progress['done']:g}/{progress['total']:g}" if progress["total"] else "–"
    dry = "yes" if job["dry_run"] else "no"
    message = job["failure"] or progress["message"] or ""
    return (job["job_id"], job["ending"] or job["status"], dry, done, job["started_at"] or "–", message)


def _document_row(one: Body) -> tuple[str, ...]:
    status = "nothing new" if one["nothing_new"] else one["status"]
    counts = (str(one["counts"][name]) for name in _COUNTED)
    return (str(one["number"]), _name(one["uri"]), status, str(one["pages"]), str(one["ocr_pages"]), *counts)


def _is_told(change: Body) -> bool:
    return change["kind"] not in ("source", "name") and change["type"] not in ("mentioned_in", "chunk")


def _change_row(one: Body, *, many: bool) -> tuple[str, ...]:
    kind = one["type"] if one["kind"] in ("node", "edge") else one["kind"]
    page = f"{one['document']}: " if many else ""
    sure = f"{one['confidence']:.0%}" if one["confidence"] is not None else "–"
    beside = ", ".join(one["candidates"]) or (one["id"] if one["kind"] == "conflict" else "")
    return (kind, one["text"], page + ("–" if one["page"] is None else str(one["page"])), sure, beside)


def _name(uri: str) -> str:
    return PurePosixPath(unquote(urlsplit(uri).path)).name or uri
