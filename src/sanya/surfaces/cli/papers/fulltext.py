"""`sanya papers fulltext`: fetch, import, search and read open-access full texts."""

from __future__ import annotations

import asyncio
import tarfile
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sanya.kernel.calls.call import Call, Outcome
from sanya.kernel.ledger.owner_actions import record_owner_action
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.input_hashes import describe_file
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line, write_note
from sanya.surfaces.cli.papers.labels import get_labels
from sanya.surfaces.cli.papers.search import add_common_options
from sanya.surfaces.cli.tool_calls import fetch_body, require_body

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.suites.papers.fulltext.file_import import ArticleReport

_SECTIONS = ("background", "objective", "methods", "results", "conclusions", "registration", "other")
_SOME_LEFT_OUT = 1


def add_actions(actions: _SubParsersAction[ArgumentParser]) -> None:
    parser = actions.add_parser("fulltext", help="Fetch, import, search and read full texts.", allow_abbrev=False)
    steps = parser.add_subparsers(dest="step", metavar="STEP", required=True)
    fetch = steps.add_parser("fetch", help="Fetch open-access articles from PubMed Central.", allow_abbrev=False)
    fetch.add_argument("ids", nargs="+", metavar="ID", help="PMIDs of synced papers, or PubMed Central ids (PMC…).")
    fetch.set_defaults(act=_fetch)
    importing = steps.add_parser("import", help="Import articles in JATS (.nxml, .xml, .tar.gz).", allow_abbrev=False)
    importing.add_argument("files", nargs="+", type=Path, metavar="FILE", help="Articles, packages, or folders.")
    importing.set_defaults(act=_import)
    search = steps.add_parser("search", help="Search full texts by paragraph.", allow_abbrev=False)
    search.add_argument("query", metavar="QUERY", help="Query in English or Thai.")
    search.add_argument("--section", action="append", choices=_SECTIONS, help="Only this section; repeatable.")
    search.add_argument("--in", dest="article", metavar="ID", help="Only this article: a PMID or PMC id.")
    search.add_argument("--limit", type=int, default=5, metavar="N", help="Maximum number, 1-50 (default 5).")
    search.set_defaults(act=_search)
    show = steps.add_parser("show", help="Read an article.", allow_abbrev=False)
    show.add_argument("id", metavar="ID", help="PMID, or PubMed Central id (PMC…).")
    show.add_argument("--section", action="append", choices=_SECTIONS, help="Only this section; repeatable.")
    show.set_defaults(act=_show)
    for step in (fetch, importing, search, show):
        add_common_options(step)


def _fetch(options: Namespace) -> int:
    async def work(app: App) -> Outcome:
        with progress_bar("Fetching") as progress:
            arguments = {"doc_ids": [_make_doc_id(id) for id in options.ids]}
            return await app.kernel.call(Call("papers.fulltext.fetch", arguments, surface="cli", progress=progress))

    body = require_body(run_in_home(options, work))
    if options.json:
        write_json(body)
    else:
        rows = [(article["doc_id"], article["pmcid"] or "–", article["explanation"]) for article in body["articles"]]
        labels = get_labels(options.lang)
        write_table((labels["paper"], "PMCID", labels["status"]), rows)
    held = ("stored", "unchanged")
    return OK if all(article["outcome"] in held for article in body["articles"]) else _SOME_LEFT_OUT


def _import(options: Namespace) -> int:
    from sanya.suites.papers.fulltext.file_import import is_article_file

    paths = [
        found
        for path in options.files
        for found in (sorted(filter(is_article_file, path.rglob("*"))) if path.is_dir() else [path])
    ]
    if missing := [path for path in paths if not path.is_file()]:
        raise CommandFailed(f"file not found: {missing[0]}")
    if not paths:
        raise CommandFailed("there is no article in JATS; name files that end in .nxml, .xml or .tar.gz")

    async def work(app: App) -> list[ArticleReport]:
        return [report for path in paths for report in await _import_path(app, path)]

    reports = run_in_home(options, work, busy=True)
    if options.json:
        write_json([asdict(report) for report in reports])
    else:
        _show_reports(reports, options)
    return _SOME_LEFT_OUT if any(report.outcome == "bad" for report in reports) else OK


async def _import_path(app: App, path: Path) -> list[ArticleReport]:
    from sanya.suites.papers.fulltext.file_import import import_article_file, read_article_files
    from sanya.suites.papers.fulltext.store import FullTextStore

    store = FullTextStore(app.database, app.library)
    content = await asyncio.to_thread(describe_file, path)
    async with record_owner_action(app.ledger, "papers.fulltext.import", "papers", content, in_steps=True) as action:
        reports: list[ArticleReport] = []
        try:
            for file in read_article_files(path):
                reports += await import_article_file(store, file, datetime.now(UTC))
        except (tarfile.TarError, OSError, EOFError) as problem:
            raise CommandFailed(f"{path.name} cannot be read as a package: {problem}") from None
        finally:
            with progress_bar(path.name) as progress:
                await store.finish(action.follow(progress))
            action.add(counts=dict(Counter(report.outcome for report in reports)))
    return reports


def _show_reports(reports: list[ArticleReport], options: Namespace) -> None:
    labels = get_labels(options.lang)
    rows = [(report.name, report.pmcid or "–", labels[f"article_{report.outcome}"]) for report in reports]
    write_table((labels["file"], "PMCID", labels["status"]), rows)
    for report in reports:
        if report.problem:
            write_note(f"{report.name}: {report.problem}")


def _search(options: Namespace) -> int:
    arguments: dict[str, Any] = {"query": options.query, "limit": options.limit}
    if options.section:
        arguments["sections"] = options.section
    if options.article:
        arguments["doc_id"] = _make_doc_id(options.article)
    body = fetch_body(options, "papers.fulltext.search", arguments)
    if options.json:
        write_json(body)
        return OK
    for passage in body["passages"]:
        place = " › ".join(passage["headings"])
        write_line(f"{passage['pmcid']} ¶{passage['paragraph']} {place} ({passage['licence']})")
        write_line(f"{passage['title'] or '–'}\n{passage['text']}\n")
    if body["advice"]:
        write_note(body["advice"])
    return OK


def _show(options: Namespace) -> int:
    arguments: dict[str, Any] = {"doc_id": _make_doc_id(options.id), "max_characters": 60_000}
    if options.section:
        arguments["sections"] = options.section
    body = fetch_body(options, "papers.fulltext.get", arguments)
    if options.json:
        write_json(body)
        return OK
    write_line(f"{body['title'] or '–'}\n{body['pmcid']}, {body['licence']}, {body['source_url']}")
    headings: list[str] = []
    for paragraph in body["paragraphs"]:
        if paragraph["headings"] != headings:
            headings = paragraph["headings"]
            write_line(f"\n{' › '.join(headings)}")
        write_line(f"¶{paragraph['paragraph']} {paragraph['text']}")
    if body["next_paragraph"]:
        write_note(get_labels(options.lang)["continues"].format(number=body["next_paragraph"]))
    return OK


def _make_doc_id(id: str) -> str:
    bare = id.strip().removeprefix("pmid:").removeprefix("pmcid:")
    return f"pmcid:{bare.upper()}" if bare.upper().startswith("PMC") else f"pmid:{bare}"
