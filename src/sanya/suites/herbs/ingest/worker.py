"""The worker of ingest jobs: it reads each document, proposes its diff, and shows or writes it.

Each document ends in one transaction of its own, which stores its result with the job and, in a real run, writes its
rows. A job that is resumed therefore continues with the next document.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sanya.suite import Fault, InvalidArgument, Progress, StoreUnavailable
from sanya.suite.jobs import JobResult, Part, RunningJob
from sanya.suite.runtime import format_timestamp
from sanya.suite.store import Database
from sanya.suites.herbs.dialect import DIALECT
from sanya.suites.herbs.graph.model import HerbGraph
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.ingest import staging
from sanya.suites.herbs.ingest.diff_json import diff_from_json, diff_to_json
from sanya.suites.herbs.ingest.documents import DocumentReader, ReadDocument, ReadRequest
from sanya.suites.herbs.ingest.proposals import GraphDiff

if TYPE_CHECKING:
    from sanya.suites.herbs.ingest.extraction.entity_linker import EntityLinker

KIND = "herbs.ingest"
_MAX_NOTES = 100
# The part of a document's progress that reading takes; proposing and writing take the rest.
_READING_SHARE = 0.9


@dataclass(frozen=True, slots=True)
class StagedDocument:
    """A diff with a description of its document, and the digest of what the diff depends on."""

    about: Mapping[str, Any]
    diff: GraphDiff
    ground: str


ProposeDocument = Callable[[ReadDocument, HerbGraph, str], GraphDiff]


class DocumentProposer:
    """Proposes diffs, and keeps the linker as long as the graph stays the same."""

    def __init__(self) -> None:
        self._linker: EntityLinker | None = None

    def __call__(self, document: ReadDocument, graph: HerbGraph, batch: str) -> GraphDiff:
        # Imported late: the dictionaries of these modules take long to load.
        from sanya.suites.herbs.ingest.extraction.entity_linker import EntityLinker
        from sanya.suites.herbs.ingest.proposing import propose

        linker = self._linker
        if linker is None or linker.graph is not graph:
            linker = self._linker = EntityLinker(graph)
        return propose(document, linker, batch)


@dataclass(frozen=True, slots=True)
class IngestWorker:
    store: HerbStore
    reader: DocumentReader
    propose: ProposeDocument = field(default_factory=DocumentProposer)

    @property
    def database(self) -> Database:
        return self.store.database

    async def run(self, running: RunningJob) -> JobResult:
        input = running.job.input
        parts = list(await running.jobs.list_parts(running.job.id))
        graph = await self.store.load_graph()
        if input["dry_run"]:
            # A dry run shows each document as it would be after those before it, as in a real run.
            for part in parts:
                graph = staging.apply_diff(graph, _read_diff(part))
        dry_job = input.get("apply_job")
        dry_parts = await running.jobs.list_parts(dry_job) if dry_job else ()
        for number in range(len(parts), len(input["batch"])):
            graph = await self._process_document(running, number, graph, dry_parts[number] if dry_parts else None)
        return _summarise_parts(await running.jobs.list_parts(running.job.id))

    async def _process_document(
        self, running: RunningJob, number: int, graph: HerbGraph, dry_part: Part | None
    ) -> HerbGraph:
        uri = running.job.input["batch"][number]["uri"]
        self._report(running, number, 0.0, uri)
        try:
            if dry_part is not None:
                return await self._apply_stored(running, dry_part, graph)
            return await self._propose_document(running, number, graph)
        except StoreUnavailable:
            raise
        except Fault as fault:
            message = f"{fault.message} {fault.hint}" if fault.hint else fault.message
            error = {"uri": uri, "code": DIALECT.get_code(type(fault)), "message": message}
            async with self.database.transaction() as transaction:
                part = Part(number, "error", error, format_timestamp(running.now()))
                await running.jobs.finish_part(transaction, running.job, part)
            await running.log(f"{uri}: {error['code']}: {message}")
            return graph

    async def _propose_document(self, running: RunningJob, number: int, graph: HerbGraph) -> HerbGraph:
        document = await self._read(running, number)
        about = _describe_document(document)
        if (known_batch := await staging.find_batch(self.database, document.digest)) is not None:
            staged = StagedDocument({**about, "known_from": known_batch}, GraphDiff(document.digest), "")
        else:
            staged = await self._stage(about, document, graph, running.job.id)
        return await self._settle(running, number, staged, graph, document)

    async def _stage(
        self, about: Mapping[str, Any], document: ReadDocument, graph: HerbGraph, batch: str
    ) -> StagedDocument:
        diff = await asyncio.to_thread(self.propose, document, graph, batch)
        return StagedDocument(about, diff, await asyncio.to_thread(staging.digest_ground, graph, diff))

    async def _settle(
        self, running: RunningJob, number: int, staged: StagedDocument, graph: HerbGraph, document: ReadDocument | None
    ) -> HerbGraph:
        """Store or write the diff. Where the graph has changed meanwhile, propose again and retry."""
        while True:
            try:
                graph = await self._finish(running, number, staged, graph)
                await running.log(*_format_log_lines(staged, is_dry=bool(running.job.input["dry_run"])))
                self._report(running, number, 1.0, str(staged.about["uri"]))
                return graph
            except staging.StaleGraphError:
                graph = await self.store.load_graph()
                if document is not None:
                    staged = await self._stage(staged.about, document, graph, running.job.id)
                else:
                    check_ground(graph, staged)

    async def _finish(self, running: RunningJob, number: int, staged: StagedDocument, graph: HerbGraph) -> HerbGraph:
        diff = await asyncio.to_thread(diff_to_json, staged.diff)
        result = {"about": staged.about, "diff": diff, "ground": staged.ground}
        part = Part(number, "done", result, format_timestamp(running.now()))
        is_written = not running.job.input["dry_run"] and not staged.diff.is_empty
        rows = await asyncio.to_thread(staging.build_rows, staged.diff) if is_written else {}
        revision = graph.revision
        async with self.database.transaction() as transaction:
            await running.jobs.finish_part(transaction, running.job, part)
            if is_written:
                revision = await staging.write_rows(transaction, rows, graph.revision)
                document = {
                    "digest": staged.diff.digest,
                    "batch": running.job.id,
                    "uri": str(staged.about["uri"]),
                    "brought_at": part.finished_at,
                }
                await staging.write_document(transaction, document)
        new_graph = await asyncio.to_thread(staging.apply_diff, graph, staged.diff)
        return new_graph if new_graph.revision == revision else replace(new_graph, revision=revision)

    async def _apply_stored(self, running: RunningJob, dry_part: Part, graph: HerbGraph) -> HerbGraph:
        if dry_part.state == "error":
            raise InvalidArgument(f"the dry run could not read this document: {dry_part.result['message']}")
        staged = read_staged(dry_part, running.job.id)
        if (known_batch := await staging.find_batch(self.database, staged.diff.digest)) is not None:
            staged = StagedDocument(
                {**staged.about, "known_from": known_batch}, GraphDiff(staged.diff.digest), staged.ground
            )
        else:
            check_ground(graph, staged)
        return await self._settle(running, dry_part.number, staged, graph, None)

    async def _read(self, running: RunningJob, number: int) -> ReadDocument:
        input = running.job.input
        item, ocr = input["batch"][number], input.get("ocr") or {}
        request = ReadRequest(
            uri=item["uri"],
            lang=item["lang"],
            doc_type=item["doc_type"],
            provider=ocr.get("provider"),
            params=ocr.get("params") or {},
        )

        def report_page(done: int, total: int) -> None:
            share = _READING_SHARE * done / max(total, 1)
            self._report(running, number, share, f"{item['uri']}: page {done} of {total}")

        return await self.reader.read(request, report_page)

    @staticmethod
    def _report(running: RunningJob, number: int, share: float, message: str) -> None:
        running.report(Progress(round(number + share, 4), len(running.job.input["batch"]), message))


def read_staged(part: Part, batch: str) -> StagedDocument:
    """Return what a dry run staged, as rows of another batch."""
    return StagedDocument(part.result["about"], staging.assign_batch(_read_diff(part), batch), part.result["ground"])


def check_ground(graph: HerbGraph, staged: StagedDocument) -> None:
    if staging.digest_ground(graph, staged.diff) != staged.ground:
        raise InvalidArgument(
            f"the graph has changed since the dry run of {staged.about['uri']} in what its statements depend on; "
            "make a dry run again",
            field="apply_job",
        )


def _read_diff(part: Part) -> GraphDiff:
    return diff_from_json(part.result["diff"]) if part.state == "done" else GraphDiff("")


def _describe_document(document: ReadDocument) -> dict[str, Any]:
    notes = [f"page {page.number}: {page.note}" for page in document.pages if page.note]
    return {
        "uri": document.uri,
        "digest": document.digest,
        "doc_type": document.doc_type,
        "pages": len(document.pages),
        "ocr_pages": sum(page.origin == "ocr" for page in document.pages),
        "notes": notes[:_MAX_NOTES],
    }


def _format_log_lines(staged: StagedDocument, *, is_dry: bool) -> list[str]:
    about, diff, uri = staged.about, staged.diff, staged.about["uri"]
    lines = [f"{uri}: read; pages: {about['pages']}, of them by OCR: {about['ocr_pages']}"]
    lines += [f"{uri}: {note}" for note in about["notes"]]
    if known_from := about.get("known_from"):
        return [*lines, f"{uri}: nothing new, {known_from} read the same bytes"]
    if diff.is_empty:
        return [*lines, f"{uri}: nothing new"]
    done = "would be written" if is_dry else "written as unreviewed"
    counts = f"nodes: {len(diff.nodes)}, edges: {len(diff.edges)}; conflicts: {len(diff.conflicts)}"
    return [*lines, f"{uri}: {done}: {counts}"]


def _summarise_parts(parts: Sequence[Part]) -> JobResult:
    failed = [part for part in parts if part.state == "error"]
    result = {"documents": len(parts), "failed": len(failed)}
    if failed:
        first = failed[0].result
        error = f"{len(failed)} of {len(parts)} documents failed; the first: {first['uri']}: {first['message']}"
        return JobResult("error", result, error)
    return JobResult("done", result)
