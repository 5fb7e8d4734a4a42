"""A job as its callers see it: what became of each document, and the diff, change by change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sanya.kernel.jobs import Job, Part
from sanya.suites.herbs.graph import Edge
from sanya.suites.herbs.ingest import contract
from sanya.suites.herbs.ingest.diff_json import diff_from_json
from sanya.suites.herbs.ingest.proposals import Diff, LinkedMention, Place

_MOST_TEXT = 300


def summary(job: Job) -> dict[str, Any]:
    """The fields of a JobSummary."""
    progress = job.progress
    return {
        "job_id": job.id,
        "status": job.state,
        "ending": job.ending,
        "dry_run": bool(job.input["dry_run"]),
        "log_uri": f"job://{job.id}/log",
        "log_path": f"/jobs/{job.id}/log",
        "error": job.error,
        "progress": contract.JobProgress(done=progress.done, total=progress.total, message=progress.message),
        "attempts": job.attempts,
        "created_at": job.created_at,
        "started_at": job.started_at,
        "finished_at": job.finished_at,
    }


def documents(job: Job, parts: Sequence[Part]) -> list[contract.DocumentReport]:
    by_number = {part.number: part for part in parts}
    batch = job.input["batch"]
    return [_document(job, number, item["uri"], by_number.get(number)) for number, item in enumerate(batch)]


def changes(parts: Sequence[Part]) -> Iterator[contract.Change]:
    for part in parts:
        if part.state == "done":
            yield from _changes(part.number + 1, diff_from_json(part.result["diff"]))


def _document(job: Job, number: int, uri: str, part: Part | None) -> contract.DocumentReport:
    is_done = part is not None and part.state == "done"
    about: Mapping[str, Any] = part.result["about"] if part is not None and is_done else {}
    diff = diff_from_json(part.result["diff"]) if part is not None and is_done else Diff("")
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
        counts=_counts(diff),
        left_out=dict(diff.counts),
        nothing_new=is_done and diff.is_empty,
        error=error,
    )


def _counts(diff: Diff) -> contract.Counts:
    return contract.Counts(
        nodes=len(diff.nodes),
        edges=len(diff.edges),
        names=len(diff.names),
        sources=len(diff.sources),
        conflicts=len(diff.conflicts),
        ambiguous=len(diff.ambiguous),
        unlinked=len(diff.unlinked),
        linked=diff.linked,
    )


def _changes(document: int, diff: Diff) -> Iterator[contract.Change]:
    labels = {node.id: node.label for node in diff.nodes}
    for source in diff.sources:
        yield _change(document, "source", source.title or source.id, id=source.id, type=source.kind)
    for node in diff.nodes:
        yield _change(document, "node", node.label, id=node.id, type=node.type, **_placed(node.data))
    for name in diff.names:
        yield _change(document, "name", name.name, id=name.node_id, type=name.kind)
    for edge in diff.edges:
        ends = {"start": edge.from_id, "to": edge.to_id}
        yield _change(document, "edge", _said(edge, labels), id=edge.id, type=edge.type, **ends, **_placed(edge.data))
    for conflict in diff.conflicts:
        yield _change(
            document, "conflict", conflict.message, id=conflict.known, type=conflict.kind, **_at(conflict.place)
        )
    for mention in diff.ambiguous:
        yield _mention(document, "ambiguous", mention)
    for mention in diff.unlinked:
        yield _mention(document, "unlinked", mention)


def _mention(document: int, kind: contract.ChangeKind, mention: LinkedMention) -> contract.Change:
    more = {"confidence": mention.confidence, "candidates": list(mention.nodes), **_at(mention.place)}
    return _change(document, kind, mention.text, type=mention.kind, **more)


def _change(document: int, kind: contract.ChangeKind, text: str, **fields: Any) -> contract.Change:
    empty: dict[str, Any] = dict.fromkeys(("id", "type", "start", "to", "page", "span", "confidence"))
    values = {**empty, "candidates": [], **fields}
    return contract.Change(document=document, kind=kind, text=text[:_MOST_TEXT], **values)


def _said(edge: Edge, labels: Mapping[str, str]) -> str:
    one, other = (labels.get(end, end) for end in (edge.from_id, edge.to_id))
    return f"{one} ─{edge.type}→ {other}"


def _at(place: Place) -> dict[str, Any]:
    return {"page": place.page, "span": [place.start, place.end]}


def _placed(data: Mapping[str, Any]) -> dict[str, Any]:
    """Where a row came from, as far as it says so itself."""
    found: dict[str, Any] = {}
    if isinstance(page := data.get("page"), int):
        found["page"] = page
    if isinstance(span := data.get("span"), list | tuple) and len(span) == 2:
        found["span"] = list(span)
    if isinstance(confidence := data.get("confidence"), float):
        found["confidence"] = confidence
    return found
