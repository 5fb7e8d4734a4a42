"""The work of an ingest job: each document is read, understood, and shown or written, in one transaction of its own.

What is finished stays finished: a job that is taken up again goes on with the next document.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sanya.kernel.call import Progress
from sanya.kernel.clock import format_timestamp
from sanya.kernel.database import Database
from sanya.kernel.faults import Fault, InvalidArgument, StoreUnavailable
from sanya.kernel.job_runs import Running
from sanya.kernel.jobs import Finished, Part
from sanya.suites.herbs.dialect import DIALECT
from sanya.suites.herbs.graph.model import Graph
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.ingest import staging
from sanya.suites.herbs.ingest.diff_json import diff_from_json, diff_to_json
from sanya.suites.herbs.ingest.documents import DocumentReader, ReadDocument, ReadRequest
from sanya.suites.herbs.ingest.proposals import Diff

if TYPE_CHECKING:
    from sanya.suites.herbs.ingest.extraction.entity_linker import Linker

KIND = "herbs.ingest"
_MOST_NOTES = 100
# How much of a document's share of the progress is its reading.
_READING_SHARE = 0.9


@dataclass(frozen=True, slots=True)
class Staged:
    """A diff, what is said of the document that it came from, and the digest of what it stands on."""

    about: Mapping[str, Any]
    diff: Diff
    ground: str


Proposing = Callable[[ReadDocument, Graph, str], Diff]


class Understanding:
    """Proposes, and keeps what finds the graph's names as long as the graph stays the same."""

    def __init__(self) -> None:
        self._linker: Linker | None = None

    def __call__(self, document: ReadDocument, graph: Graph, batch: str) -> Diff:
        from sanya.suites.herbs.ingest.extraction.entity_linker import (
            Linker,  # here: its dictionaries take long to load
        )
        from sanya.suites.herbs.ingest.proposing import propose

        linker = self._linker
        if linker is None or linker.graph is not graph:
            linker = self._linker = Linker(graph)
        return propose(document, linker, batch)


@dataclass(frozen=True, slots=True)
class IngestWork:
    store: HerbStore
    reader: DocumentReader
    propose: Proposing = field(default_factory=Understanding)

    @property
    def database(self) -> Database:
        return self.store.database

    async def work(self, running: Running) -> Finished:
        input = running.job.input
        parts = list(await running.jobs.parts(running.job.id))
        graph = await self.store.snapshot()
        if input["dry_run"]:
            # Each document is shown as it would be after those before it, as in a real run.
            for part in parts:
                graph = staging.with_diff(graph, _stored_diff(part))
        earlier = input.get("apply_job")
        dry = await running.jobs.parts(earlier) if earlier else ()
        for number in range(len(parts), len(input["batch"])):
            graph = await self._one(running, number, graph, dry[number] if dry else None)
        return _finished(await running.jobs.parts(running.job.id))

    async def _one(self, running: Running, number: int, graph: Graph, dry: Part | None) -> Graph:
        uri = running.job.input["batch"][number]["uri"]
        self._report(running, number, 0.0, uri)
        try:
            if dry is not None:
                return await self._apply_stored(running, dry, graph)
            return await self._stage(running, number, graph)
        except StoreUnavailable:
            raise
        except Fault as fault:
            message = f"{fault.message} {fault.hint}" if fault.hint else fault.message
            error = {"uri": uri, "code": DIALECT.code_of(type(fault)), "message": message}
            async with self.database.transaction() as transaction:
                part = Part(number, "error", error, format_timestamp(running.now()))
                await running.jobs.finish_part(transaction, running.job, part)
            await running.log(f"{uri}: {error['code']}: {message}")
            return graph

    async def _stage(self, running: Running, number: int, graph: Graph) -> Graph:
        document = await self._read(running, number)
        about = _about(document)
        if (brought_by := await staging.batch_of(self.database, document.digest)) is not None:
            staged = Staged({**about, "known_from": brought_by}, Diff(document.digest), "")
        else:
            staged = await self._understand(about, document, graph, running.job.id)
        return await self._settle(running, number, staged, graph, document)

    async def _understand(self, about: Mapping[str, Any], document: ReadDocument, graph: Graph, batch: str) -> Staged:
        diff = await asyncio.to_thread(self.propose, document, graph, batch)
        return Staged(about, diff, await asyncio.to_thread(staging.ground_of, graph, diff))

    async def _settle(
        self, running: Running, number: int, staged: Staged, graph: Graph, document: ReadDocument | None
    ) -> Graph:
        """Shows or writes it. Where somebody else was quicker to change the graph, it is understood anew."""
        while True:
            try:
                graph = await self._finish(running, number, staged, graph)
                await running.log(*_lines(staged, is_dry=bool(running.job.input["dry_run"])))
                self._report(running, number, 1.0, str(staged.about["uri"]))
                return graph
            except staging.GraphMoved:
                graph = await self.store.snapshot()
                if document is not None:
                    staged = await self._understand(staged.about, document, graph, running.job.id)
                else:
                    check_ground(graph, staged)

    async def _finish(self, running: Running, number: int, staged: Staged, graph: Graph) -> Graph:
        kept = await asyncio.to_thread(diff_to_json, staged.diff)
        result = {"about": staged.about, "diff": kept, "ground": staged.ground}
        part = Part(number, "done", result, format_timestamp(running.now()))
        is_written = not running.job.input["dry_run"] and not staged.diff.is_empty
        rows = await asyncio.to_thread(staging.rows_of, staged.diff) if is_written else {}
        revision = graph.revision
        async with self.database.transaction() as transaction:
            await running.jobs.finish_part(transaction, running.job, part)
            if is_written:
                revision = await staging.write(transaction, rows, graph.revision)
                document = {
                    "digest": staged.diff.digest,
                    "batch": running.job.id,
                    "uri": str(staged.about["uri"]),
                    "brought_at": part.finished_at,
                }
                await staging.write_document(transaction, document)
        grown = await asyncio.to_thread(staging.with_diff, graph, staged.diff)
        return grown if grown.revision == revision else replace(grown, revision=revision)

    async def _apply_stored(self, running: Running, dry: Part, graph: Graph) -> Graph:
        if dry.state == "error":
            raise InvalidArgument(f"the dry run could not read it: {dry.result['message']}")
        staged = stored(dry, running.job.id)
        if (brought_by := await staging.batch_of(self.database, staged.diff.digest)) is not None:
            staged = Staged({**staged.about, "known_from": brought_by}, Diff(staged.diff.digest), staged.ground)
        else:
            check_ground(graph, staged)
        return await self._settle(running, dry.number, staged, graph, None)

    async def _read(self, running: Running, number: int) -> ReadDocument:
        input = running.job.input
        item, ocr = input["batch"][number], input.get("ocr") or {}
        request = ReadRequest(
            uri=item["uri"],
            lang=item["lang"],
            doc_type=item["doc_type"],
            provider=ocr.get("provider"),
            params=ocr.get("params") or {},
        )

        def read(done: int, total: int) -> None:
            share = _READING_SHARE * done / max(total, 1)
            self._report(running, number, share, f"{item['uri']}: page {done} of {total}")

        return await self.reader.read(request, read)

    @staticmethod
    def _report(running: Running, number: int, share: float, message: str) -> None:
        running.report(Progress(round(number + share, 4), len(running.job.input["batch"]), message))


def stored(part: Part, batch: str) -> Staged:
    """What a dry run staged, as another batch's."""
    return Staged(part.result["about"], staging.of_batch(_stored_diff(part), batch), part.result["ground"])


def check_ground(graph: Graph, staged: Staged) -> None:
    if staging.ground_of(graph, staged.diff) != staged.ground:
        raise InvalidArgument(
            f"what {staged.about['uri']} speaks of has changed in the graph since the dry run; make a dry run again",
            field="apply_job",
        )


def _stored_diff(part: Part) -> Diff:
    return diff_from_json(part.result["diff"]) if part.state == "done" else Diff("")


def _about(document: ReadDocument) -> dict[str, Any]:
    notes = [f"page {page.number}: {page.note}" for page in document.pages if page.note]
    return {
        "uri": document.uri,
        "digest": document.digest,
        "doc_type": document.doc_type,
        "pages": len(document.pages),
        "ocr_pages": sum(page.way == "ocr" for page in document.pages),
        "notes": notes[:_MOST_NOTES],
    }


def _lines(staged: Staged, *, is_dry: bool) -> list[str]:
    about, diff, uri = staged.about, staged.diff, staged.about["uri"]
    lines = [f"{uri}: read; pages: {about['pages']}, of them by OCR: {about['ocr_pages']}"]
    lines += [f"{uri}: {note}" for note in about["notes"]]
    if known_from := about.get("known_from"):
        return [*lines, f"{uri}: nothing new, {known_from} brought the same bytes"]
    if diff.is_empty:
        return [*lines, f"{uri}: nothing new"]
    done = "would be written" if is_dry else "written as unreviewed"
    counts = f"nodes: {len(diff.nodes)}, edges: {len(diff.edges)}; conflicts: {len(diff.conflicts)}"
    return [*lines, f"{uri}: {done}: {counts}"]


def _finished(parts: Sequence[Part]) -> Finished:
    failed = [part for part in parts if part.state == "error"]
    result = {"documents": len(parts), "failed": len(failed)}
    if failed:
        first = failed[0].result
        error = f"{len(failed)} of {len(parts)} documents failed; the first: {first['uri']}: {first['message']}"
        return Finished("error", result, error)
    return Finished("done", result)
