"""A job as its callers see it: what became of each document, and the diff, change by change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from sanya.kernel.jobs import Job, Part
from sanya.suites.herbs.graph.model import Edge, Name, Node, Source
from sanya.suites.herbs.ingest import contract
from sanya.suites.herbs.ingest.diff_json import diff_from_json
from sanya.suites.herbs.ingest.proposals import Conflict, LinkedMention, Place

_MOST_TEXT = 300
_WRITTEN = ("nodes", "edges", "names", "sources")


class Entry(NamedTuple):
    """One line of a diff, and the number of its document."""

    document: int
    kind: contract.ChangeKind
    record: Source | Node | Name | Edge | Conflict | LinkedMention


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
        "failure": job.error,
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


def entries(parts: Sequence[Part]) -> Iterator[Entry]:
    """Everything that the documents bring or leave open: statements before where their things are mentioned."""
    for part in parts:
        if part.state == "done":
            diff = diff_from_json(part.result["diff"])
            stated = sorted(diff.edges, key=lambda edge: edge.type == "mentioned_in")
            every: tuple[tuple[contract.ChangeKind, Sequence[Any]], ...] = (
                ("source", diff.sources),
                ("node", diff.nodes),
                ("name", diff.names),
                ("edge", stated),
                ("conflict", diff.conflicts),
                ("ambiguous", diff.ambiguous),
                ("unlinked", diff.unlinked),
            )
            yield from (Entry(part.number + 1, kind, record) for kind, some in every for record in some)


def ends_of(some: Sequence[Entry]) -> set[str]:
    """The nodes that these speak of, to be labelled."""
    return {
        end for entry in some if isinstance(entry.record, Edge) for end in (entry.record.from_id, entry.record.to_id)
    }


def own_labels(some: Sequence[Entry]) -> dict[str, str]:
    """What the diff itself calls the nodes that it brings."""
    return {entry.record.id: entry.record.label for entry in some if isinstance(entry.record, Node)}


def change(entry: Entry, labels: Mapping[str, str]) -> contract.Change:
    made = partial(_change, entry)
    match entry.record:
        case Source() as source:
            return made(source.title or source.id, id=source.id, type=source.kind)
        case Node() as node:
            return made(str(node.data.get("text") or node.label), id=node.id, type=node.type, **_placed(node.data))
        case Name() as name:
            return made(name.name, id=name.node_id, type=name.kind)
        case Edge() as edge:
            one, other = (labels.get(end, end) for end in (edge.from_id, edge.to_id))
            ends = {"start": edge.from_id, "to": edge.to_id}
            return made(f"{one} ─{edge.type}→ {other}", id=edge.id, type=edge.type, **ends, **_placed(edge.data))
        case Conflict() as conflict:
            return made(conflict.message, id=conflict.known, type=conflict.kind, **_at(conflict.place))
        case LinkedMention() as mention:
            more = {"confidence": mention.confidence, "candidates": list(mention.nodes), **_at(mention.place)}
            return made(mention.text, type=mention.kind, **more)


def _document(job: Job, number: int, uri: str, part: Part | None) -> contract.DocumentReport:
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
        counts=_counts(diff),
        seen=[contract.Tally(what=what, count=count) for what, count in sorted(diff.get("counts", {}).items())],
        nothing_new=is_done and not any(diff[name] for name in _WRITTEN),
        error=error,
    )


def _counts(diff: Mapping[str, Any]) -> contract.Counts:
    """From the diff as it is kept: whoever polls a job need not wait for all of it to be read."""
    counts = {name: len(diff.get(name, ())) for name in (*_WRITTEN, "conflicts", "ambiguous", "unlinked")}
    return contract.Counts(**counts, linked=diff.get("linked", 0))


def _change(entry: Entry, text: str, **fields: Any) -> contract.Change:
    empty: dict[str, Any] = dict.fromkeys(("id", "type", "start", "to", "page", "span", "confidence"))
    values = {**empty, "candidates": [], **fields}
    return contract.Change(document=entry.document, kind=entry.kind, text=text[:_MOST_TEXT], **values)


def _at(place: Place) -> dict[str, Any]:
    return {"page": place.page, "span": [place.start, place.end]}


def _placed(data: Mapping[str, Any]) -> dict[str, Any]:
    """Where a row came from, as far as it says so itself."""
    span = [data["start"], data["end"]] if "start" in data and "end" in data else None
    return {"page": data.get("page"), "span": span, "confidence": data.get("confidence")}
