"""The report of a job: what became of each document, and its diff, change by change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from sanya.suite.jobs import Job, Part
from sanya.suites.herbs.graph.model import HerbEdge, HerbName, HerbNode, HerbSource
from sanya.suites.herbs.ingest import contract
from sanya.suites.herbs.ingest.diff_json import diff_from_json
from sanya.suites.herbs.ingest.proposals import Conflict, LinkedMention, TextLocation

_MAX_TEXT = 300
_WRITTEN_RECORDS = ("nodes", "edges", "names", "sources")


class DiffEntry(NamedTuple):
    """A record of a diff with the number of its document."""

    document: int
    kind: contract.ChangeKind
    record: HerbSource | HerbNode | HerbName | HerbEdge | Conflict | LinkedMention


def summarise_job(job: Job) -> dict[str, Any]:
    """Return the fields of a JobSummary."""
    progress = job.progress
    return {
        "job_id": job.id,
        "status": job.state,
        "ending": job.ending,
        "dry_run": bool(job.input["dry_run"]),
        "log_uri": f"job://{job.id}/log",
        "log_path": f"/jobs/{job.id}/log",
        "failure": job.error,
        "progress": contract.JobProgress(done=progress.done, total=progress.total, message=progress.message),
        "attempts": job.attempts,
        "created_at": job.created_at,
        "started_at": job.started_at,
        "finished_at": job.finished_at,
    }


def report_documents(job: Job, parts: Sequence[Part]) -> list[contract.DocumentReport]:
    by_number = {part.number: part for part in parts}
    batch = job.input["batch"]
    return [_report_document(job, number, item["uri"], by_number.get(number)) for number, item in enumerate(batch)]


def list_entries(parts: Sequence[Part]) -> Iterator[DiffEntry]:
    """Yield all records of the documents' diffs: rows, conflicts, open mentions. Statements come before mentions."""
    for part in parts:
        if part.state == "done":
            diff = diff_from_json(part.result["diff"])
            edges = sorted(diff.edges, key=lambda edge: edge.type == "mentioned_in")
            groups: tuple[tuple[contract.ChangeKind, Sequence[Any]], ...] = (
                ("source", diff.sources),
                ("node", diff.nodes),
                ("name", diff.names),
                ("edge", edges),
                ("conflict", diff.conflicts),
                ("ambiguous", diff.ambiguous),
                ("unlinked", diff.unlinked),
            )
            yield from (DiffEntry(part.number + 1, kind, record) for kind, records in groups for record in records)


def collect_edge_ends(entries: Sequence[DiffEntry]) -> set[str]:
    """Return the ids of the nodes that the edges link, whose labels the report needs."""
    return {
        end
        for entry in entries
        if isinstance(entry.record, HerbEdge)
        for end in (entry.record.from_id, entry.record.to_id)
    }


def collect_new_labels(entries: Sequence[DiffEntry]) -> dict[str, str]:
    """Return the labels of the nodes that the diff adds, by id."""
    return {entry.record.id: entry.record.label for entry in entries if isinstance(entry.record, HerbNode)}


def describe_change(entry: DiffEntry, labels: Mapping[str, str]) -> contract.DiffChange:
    build = partial(_build_change, entry)
    match entry.record:
        case HerbSource() as source:
            return build(source.title or source.id, id=source.id, type=source.kind)
        case HerbNode() as node:
            return build(
                str(node.data.get("text") or node.label), id=node.id, type=node.type, **_read_location(node.data)
            )
        case HerbName() as name:
            return build(name.name, id=name.node_id, type=name.kind)
        case HerbEdge() as edge:
            start, end = (labels.get(id, id) for id in (edge.from_id, edge.to_id))
            ends = {"start": edge.from_id, "to": edge.to_id}
            return build(
                f"{start} ─{edge.type}→ {end}", id=edge.id, type=edge.type, **ends, **_read_location(edge.data)
            )
        case Conflict() as conflict:
            return build(conflict.message, id=conflict.known, type=conflict.kind, **_format_location(conflict.place))
        case LinkedMention() as mention:
            fields = {
                "confidence": mention.confidence,
                "candidates": list(mention.nodes),
                **_format_location(mention.place),
            }
            return build(mention.text, type=mention.kind, **fields)


def _report_document(job: Job, number: int, uri: str, part: Part | None) -> contract.DocumentReport:
    is_done = part is not None and part.state == "done"
    about: Mapping[str, Any] = part.result["about"] if part is not None and is_done else {}
    diff: Mapping[str, Any] = part.result["diff"] if part is not None and is_done else {}
    error = None
    if part is not None and part.state == "error":
        error = contract.DocumentError(code=part.result["code"], message=part.result["message"])
    return contract.DocumentReport(
        number=number + 1,
        uri=uri,
        status=part.state if part is not None else ("error" if job.has_ended else "queued"),
        digest=about.get("digest"),
        pages=about.get("pages", 0),
        ocr_pages=about.get("ocr_pages", 0),
        notes=about.get("notes", []),
        counts=_count_records(diff),
        seen=[contract.Tally(what=what, count=count) for what, count in sorted(diff.get("counts", {}).items())],
        nothing_new=is_done and not any(diff[name] for name in _WRITTEN_RECORDS),
        error=error,
    )


def _count_records(diff: Mapping[str, Any]) -> contract.Counts:
    """Count in the stored JSON: a caller that polls a job need not wait until the diff is parsed."""
    counts = {name: len(diff.get(name, ())) for name in (*_WRITTEN_RECORDS, "conflicts", "ambiguous", "unlinked")}
    return contract.Counts(**counts, linked=diff.get("linked", 0))


def _build_change(entry: DiffEntry, text: str, **fields: Any) -> contract.DiffChange:
    empty: dict[str, Any] = dict.fromkeys(("id", "type", "start", "to", "page", "span", "confidence"))
    values = {**empty, "candidates": [], **fields}
    return contract.DiffChange(document=entry.document, kind=entry.kind, text=text[:_MAX_TEXT], **values)


def _format_location(place: TextLocation) -> dict[str, Any]:
    return {"page": place.page, "span": [place.start, place.end]}


def _read_location(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return where a row came from, as far as its data says so."""
    span = [data["start"], data["end"]] if "start" in data and "end" in data else None
    return {"page": data.get("page"), "span": span, "confidence": data.get("confidence")}
