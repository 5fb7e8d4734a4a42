"""`sanya papers sync`, `fetch` and `import`: bring in papers from PubMed, over the network or from its files."""

from __future__ import annotations

import asyncio
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sanya.kernel.calls.call import Answered, Call, Outcome
from sanya.kernel.ledger.owner_actions import record_owner_action
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.input_hashes import describe_file
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line, write_note
from sanya.surfaces.cli.tool_calls import require_body

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.retrieval.embedding_status import EmbeddingStatus
    from sanya.suites.papers.file_import import FileReport
    from sanya.suites.papers.indexing.paper_index import PaperIndex

_LONG_S = 120
_FETCHED_AT_ONCE = 500
_FETCH_COUNTS = ("inserted", "updated", "skipped")
_SOME_MISSING = 1
_COUNTS = ("inserted", "updated", "skipped", "pmids_processed")


def add_actions(actions: _SubParsersAction[ArgumentParser]) -> None:
    sync = actions.add_parser("sync", help="Fetch new PubMed papers for a query.", allow_abbrev=False)
    sync.add_argument("query", metavar="QUERY", help="Query in PubMed's own syntax.")
    sync.add_argument("--limit", type=int, metavar="N", help="Maximum number of new papers, 1-500 (default: all).")
    sync.set_defaults(act=_sync, is_embedding=True)
    sync.add_argument(
        "--words-only",
        dest="is_embedding",
        action="store_false",
        help="Skip embedding; a running server embeds the papers later.",
    )
    fetch = actions.add_parser("fetch", help="Fetch single papers from PubMed by PMID.", allow_abbrev=False)
    fetch.add_argument("pmids", nargs="+", metavar="PMID", help="PubMed IDs or their addresses; - reads lines.")
    fetch.add_argument("--json", action="store_true", help="Print the report as JSON.")
    fetch.set_defaults(act=_fetch)
    importing = actions.add_parser("import", help="Import PubMed files (.xml, .xml.gz).", allow_abbrev=False)
    importing.add_argument("files", nargs="+", type=Path, metavar="FILE", help="Baseline or update files, in order.")
    importing.set_defaults(act=_import)
    importing.add_argument(
        "--again", action="store_true", help="Read files that were imported before, for what older versions left out."
    )
    importing.add_argument(
        "--meaning",
        dest="is_embedding",
        action="store_true",
        help="Embed the papers at once, which takes long; otherwise a running server embeds them in the background.",
    )
    for action in (sync, importing):
        action.add_argument("--json", action="store_true", help="Print the report as JSON.")


def _sync(options: Namespace) -> int:
    async def work(app: App) -> Outcome:
        with progress_bar("Syncing") as progress:
            outcome = await app.kernel.call(Call(*_build_sync_call(options), surface="cli", progress=progress))
        await _tell_of_retractions(app)
        if options.is_embedding and isinstance(outcome, Answered):
            await _embed(_open_index(app))
        return outcome

    outcome = run_in_home(options, work)
    body = require_body(outcome)
    if options.json:
        write_json(body)
    else:
        _show_sync(body)
    return OK


def _fetch(options: Namespace) -> int:
    from sanya.text.paper_identifiers import find_identifiers

    texts = [line for text in options.pmids for line in (sys.stdin if text == "-" else [text]) if line.strip()]
    pmids = []
    for text in texts:
        found = [value for kind, value in find_identifiers(text) if kind == "pmid"]
        if not found:
            raise CommandFailed(f"{text.strip()[:60]!r} is no PMID; `sanya papers sync` takes a query of PubMed's")
        pmids += found
    return fetch_papers(options, lambda _: pmids)


def fetch_papers(options: Namespace, list_pmids: Callable[[App], Awaitable[list[str]] | list[str]]) -> int:
    """Fetch papers by PMID in calls of bounded size, embed them, and print a report."""

    async def work(app: App) -> list[Outcome]:
        listed = list_pmids(app)
        pmids = listed if isinstance(listed, list) else await listed
        outcomes = []
        for start in range(0, len(pmids), _FETCHED_AT_ONCE):
            arguments = {"doc_ids": [f"pmid:{pmid}" for pmid in pmids[start : start + _FETCHED_AT_ONCE]]}
            with progress_bar("Fetching") as progress:
                call = Call("pubmed.fetch", arguments, surface="cli", progress=progress)
                outcomes.append(await app.kernel.call(call))
        await _tell_of_retractions(app)
        if all(isinstance(outcome, Answered) for outcome in outcomes):
            await _embed(_open_index(app))
        return outcomes

    bodies = [require_body(outcome) for outcome in run_in_home(options, work)]
    counts = {name: sum(body[name] for body in bodies) for name in _FETCH_COUNTS}
    not_found = [doc_id for body in bodies for doc_id in body["not_found"]]
    if options.json:
        write_json({**counts, "not_found": not_found})
    else:
        write_table(_FETCH_COUNTS, [[f"{count:,}" for count in counts.values()]])
        if not_found:
            write_note(f"PubMed does not have, or has withdrawn: {', '.join(not_found)}")
    return _SOME_MISSING if not_found else OK


def _build_sync_call(options: Namespace) -> tuple[str, dict[str, Any]]:
    if options.limit is None:
        return "pubmed.sync_delta", {"query_key": options.query, "term": options.query}
    return "pubmed.sync.incremental", {"query": options.query, "limit": options.limit}


def _show_sync(body: dict[str, Any]) -> None:
    if "status" in body:
        write_line(body["status"])
        return
    write_table(_COUNTS, [[f"{body[name]:,}" for name in _COUNTS]])
    if body["max_edat_seen"]:
        write_line(f"The newest paper entered PubMed on {body['max_edat_seen'][:10]}.")
    for warning in body["warnings"]:
        write_note(warning)


def _import(options: Namespace) -> int:
    missing = [str(path) for path in options.files if not path.is_file()]
    if missing:
        raise CommandFailed(f"file not found: {missing[0]}")

    async def work(app: App) -> tuple[list[FileReport], EmbeddingStatus]:
        from sanya.suites.papers.file_import import import_file
        from sanya.suites.papers.store import PaperStore

        store = PaperStore(app.database, _open_index(app))
        reports = []
        for path in options.files:
            content = await asyncio.to_thread(describe_file, path)
            async with record_owner_action(app.ledger, "papers.import", "papers", content, in_steps=True) as action:
                with progress_bar(path.name) as progress:
                    now, follow = datetime.now(UTC), action.follow(progress)
                    report = await import_file(store, path, now, follow, again=options.again)
                action.add(counts=_count(report))
            reports.append(report)
            if not options.json:
                _show_file(report)
        await _tell_of_retractions(app)
        index = _open_index(app)
        if options.is_embedding:
            await _embed(index)
        return reports, await index.read_embedding_status()

    reports, status = run_in_home(options, work, busy=True)
    if options.json:
        write_json([_as_json(report) for report in reports])
    if status.awaiting:
        write_note(_describe_awaiting(status))
    return OK


async def _tell_of_retractions(app: App) -> None:
    from sanya.assembly.citations import follow_citations

    count = await follow_citations(app.kernel.catalogue.suites)
    if count:
        write_note(f"{count:,} records here rest on papers that were retracted, doubted or corrected; they are marked.")


def _describe_awaiting(status: EmbeddingStatus) -> str:
    left = status.seconds_left
    when = "A running server embeds them" if left is None else f"At the present rate that takes {_format_time(left)}"
    return (
        f"{status.awaiting:,} chunks await their vectors and are found by keywords until then. {when}; "
        "`sanya search embed papers` embeds them now."
    )


def _format_time(seconds: int) -> str:
    return f"{seconds} s" if seconds < _LONG_S else f"{seconds // 60:,} min"


def _count(report: FileReport) -> dict[str, Any]:
    counts = asdict(report) | report.stored._asdict()
    return {name: value for name, value in counts.items() if name not in ("name", "stored")}


def _as_json(report: FileReport) -> dict[str, Any]:
    return asdict(report) | {"stored": report.stored._asdict()}


def _show_file(report: FileReport) -> None:
    """Show the report of each file as it finishes: an import of many files takes hours."""
    if report.was_stored:
        write_line(f"{report.name}: imported earlier")
    else:
        stored = report.stored
        resumed = f"; resumed after {report.resumed_at:,}" if report.resumed_at else ""
        write_line(
            f"{report.name}: {stored.inserted:,} new, {stored.updated:,} updated, {stored.skipped:,} unchanged, "
            f"{report.deleted:,} deleted{resumed}"
        )
    sys.stdout.flush()


def _open_index(app: App) -> PaperIndex:
    from uuid import UUID

    from sanya.suites.papers.indexing.paper_index import PaperIndex

    return PaperIndex(app.library, app.database, UUID(app.settings.papers_uuid_namespace))


async def _embed(index: PaperIndex) -> None:
    with progress_bar("Embedding") as progress:
        await index.embed_missing(progress)
