"""`sanya papers search` and `show`: list search results, and show one paper with all that a citation needs."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from typing import TYPE_CHECKING, Any

from sanya.kernel.calls.call import Answered, Call, Outcome
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import BAD, paint, write_json, write_line, write_note
from sanya.surfaces.cli.papers.labels import format_count, get_labels
from sanya.surfaces.cli.tool_calls import require_body

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.suites.papers.pubmed.record import PaperRecord

_SHOWN_PARTS = ("words", "meaning", "section", "quality", "recency", "retraction")
_MOST_AUTHORS = 6
_SECTIONS = ("background", "objective", "methods", "results", "conclusions", "registration", "other")


def add_actions(actions: _SubParsersAction[ArgumentParser]) -> None:
    search = actions.add_parser("search", help="Search papers by keywords and meaning.", allow_abbrev=False)
    search.add_argument("query", metavar="QUERY", help="Query in English or Thai.")
    search.add_argument("--limit", type=int, default=10, metavar="N", help="Maximum number, 1-50 (default 10).")
    search.add_argument(
        "--mode", choices=("hybrid", "semantic", "bm25"), default="hybrid", help="Search mode (default hybrid)."
    )
    search.add_argument(
        "--alpha", type=float, help="Weight of meaning: 0 for keywords only, 1 for meaning only (default: measured)."
    )
    search.add_argument("--from", dest="date_from", metavar="DATE", help="Published on this day or later.")
    search.add_argument("--to", dest="date_to", metavar="DATE", help="Published on this day or before.")
    search.add_argument("--journal", action="append", metavar="NAME", help="Only this journal; repeatable.")
    search.add_argument(
        "--section",
        action="append",
        choices=_SECTIONS,
        help="Only this section, of abstracts and stored full texts; repeatable.",
    )
    search.add_argument("--chunks", action="store_true", help="Show the matching chunks instead of whole papers.")
    search.add_argument(
        "--plain", action="store_true", help="Use the query unchanged and rank by relevance, not by quality."
    )
    search.add_argument("--explain", action="store_true", help="Show the parts of each score.")
    search.set_defaults(act=_search)
    show = actions.add_parser("show", help="Show one paper.", allow_abbrev=False)
    show.add_argument("pmid", metavar="PMID", help="PubMed ID of the paper.")
    show.set_defaults(act=_show)
    for action in (search, show):
        action.add_argument("--checkpoint", metavar="ID", help="Answer as of this checkpoint.")
        add_common_options(action)


def add_common_options(action: ArgumentParser) -> None:
    action.add_argument("--lang", choices=("en", "th"), help="Language of the labels (default en).")
    action.add_argument("--json", action="store_true", help="Print the answer as JSON.")


def _search(options: Namespace) -> int:
    async def work(app: App) -> tuple[Outcome, int]:
        outcome = await app.kernel.call(Call("rag.search", _build_arguments(options), surface="cli"))
        uses_vectors = isinstance(outcome, Answered) and options.mode != "bm25" and not options.checkpoint
        library = await app.library()
        counts = uses_vectors and not library.words_only
        return outcome, await library.count_unembedded("papers") if counts else 0

    outcome, unembedded = run_in_home(options, work)
    body = require_body(outcome)
    if options.json:
        write_json(body)
    else:
        _show_results(body, options)
    if isinstance(outcome, Answered) and (message := outcome.notes.get("search", {}).get("message")):
        write_note(message)
    if unembedded:
        write_note(format_count(options.lang, "unread", unembedded))
    return OK


def _build_arguments(options: Namespace) -> dict[str, Any]:
    filters = {
        "date_from": options.date_from,
        "date_to": options.date_to,
        "journals": options.journal,
        "sections": options.section,
    }
    given = {name: value for name, value in filters.items() if value is not None}
    return {
        "query": options.query,
        "top_k": options.limit,
        "search_mode": options.mode,
        "alpha": options.alpha,
        "return_chunks": options.chunks,
        "rerank_by_quality": not options.plain,
        "enhance_query": not options.plain,
        **({"filters": given} if given else {}),
        **({"checkpoint_id": options.checkpoint} if options.checkpoint else {}),
    }


def _show_results(body: dict[str, Any], options: Namespace) -> None:
    labels, documents = get_labels(options.lang), body["documents"]
    if not documents:
        write_line(labels["none"])
        return
    parts = _SHOWN_PARTS if options.explain else ()
    columns = [labels["score"], *parts, *(labels[name] for name in ("paper", "year", "quality", "journal", "title"))]
    write_table(columns, [_to_row(document, parts, options) for document in documents])
    if options.chunks:
        for chunk in (document for document in documents if not document["quotation"]):
            write_line(f"\n{chunk['doc_id']} {chunk['chunk_id']} ({chunk['section']})\n{chunk['abstract'] or ''}")
    for document in documents:
        if quotation := document["quotation"]:
            place = " › ".join((f"{quotation['pmcid']} ¶{quotation['paragraph']}", *quotation["headings"]))
            write_line(f"\n{document['doc_id']} {place} ({quotation['licence']})\n{quotation['text']}")
    elapsed_ms, sum_of_parts = str(body["performance"]["total_time_ms"]), " + ".join(_SHOWN_PARTS)
    write_line("\n" + format_count(options.lang, "found", body["total_results"], ms=elapsed_ms, parts=sum_of_parts))
    if any(document["sample"] for document in documents):
        write_line(labels["samples"])


def _to_row(document: dict[str, Any], parts: tuple[str, ...], options: Namespace) -> list[str]:
    name = f"{document['doc_id']}/{document['chunk_id']}" if options.chunks else document["doc_id"]
    mark = f"[{get_labels(options.lang)['retracted']}] " if document["retracted"] else ""
    scores = [f"{document['score']:.3f}", *(f"{document['score_parts'][part]:.3f}" for part in parts)]
    year, quality, journal = str(document["year"] or "–"), str(document["quality"]), document["journal"] or "–"
    return [*scores, name, year, quality, journal, mark + (document["title"] or "–")]


def _show(options: Namespace) -> int:
    pmid = options.pmid.removeprefix("pmid:")

    async def work(app: App) -> tuple[Outcome, PaperRecord | None]:
        from sanya.suites.papers.pubmed.record import read_record_json

        checkpoint = {"checkpoint_id": options.checkpoint} if options.checkpoint else {}
        outcome = await app.kernel.call(Call("rag.get", {"doc_id": f"pmid:{pmid}", **checkpoint}, surface="cli"))
        if not isinstance(outcome, Answered):
            return outcome, None
        rows = await app.database.fetch(
            "SELECT content FROM paper_versions WHERE pmid = ? AND version = ?",
            (outcome.body["doc_id"].removeprefix("pmid:"), outcome.body["version"]),
        )
        return outcome, read_record_json(str(rows[0][0]), None)

    outcome, record = run_in_home(options, work)
    body = require_body(outcome)
    if options.json or record is None:
        write_json(body)
        return OK
    _show_paper(body, record, options)
    return OK


def _show_paper(body: dict[str, Any], record: PaperRecord, options: Namespace) -> None:
    from sanya.suites.papers.citations.reference import Reference
    from sanya.suites.papers.citations.vancouver import format_place
    from sanya.suites.papers.indexing.fields import build_source_url
    from sanya.suites.papers.sample_ids import is_sample_id

    labels, sample = get_labels(options.lang), is_sample_id(record.pmid)
    quality = body["quality"]
    kinds = ", ".join(f"{name} {quality[name]}" for name in ("design", "recency", "journal", "human"))
    rows = [
        (labels["title"], body["title"] or "–"),
        (labels["authors"], _format_authors(record) or "–"),
        (labels["journal"], format_place(Reference(record))),
        (labels["published"], body["pdat"] or "–"),
        (labels["types"], ", ".join(body["pub_types"]) or "–"),
        (labels["quality"], f"{quality['total']} ({kinds})"),
        (labels["version"], str(body["version"])),
        (labels["link"], build_source_url(record.pmid) or "–"),
    ]
    write_table((labels["paper"], body["doc_id"]), rows)
    if record.is_retracted:
        write_line(f"\n{paint(labels['retracted'], BAD)}")
    if body["abstract"]:
        write_line(f"\n{body['abstract']}")
    if sample:
        write_line(f"\n{labels['samples']}")


def _format_authors(record: PaperRecord) -> str:
    names = [author.collective or f"{author.last or ''} {author.initials or ''}".strip() for author in record.authors]
    shown = ", ".join(names[:_MOST_AUTHORS])
    return f"{shown}, et al." if len(names) > _MOST_AUTHORS else shown
