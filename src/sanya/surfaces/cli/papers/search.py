"""`sanya papers search` and `show`: what was found, as a table, and one paper with what is needed to cite it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from typing import TYPE_CHECKING, Any

from sanya.kernel.call import Answered, Call, Outcome
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import BAD, paint, write_json, write_line, write_note
from sanya.surfaces.cli.papers.labels import counted, words

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.suites.papers.record import Record

_SHOWN_PARTS = ("words", "meaning", "section", "quality", "recency", "retraction")
_MOST_AUTHORS = 6


def add_actions(actions: _SubParsersAction[ArgumentParser]) -> None:
    search = actions.add_parser("search", help="Find papers by words and meaning.", allow_abbrev=False)
    search.add_argument("query", metavar="QUERY", help="What to look for, in English or Thai.")
    search.add_argument("--limit", type=int, default=10, metavar="N", help="How many, 1-50 (default 10).")
    search.add_argument("--mode", choices=("hybrid", "semantic", "bm25"), default="hybrid", help="How to look.")
    search.add_argument("--alpha", type=float, default=0.5, help="0 for words alone, 1 for meaning alone.")
    search.add_argument("--from", dest="date_from", metavar="DATE", help="Published on this day or later.")
    search.add_argument("--to", dest="date_to", metavar="DATE", help="Published on this day or before.")
    search.add_argument("--journal", action="append", metavar="NAME", help="Only this journal; may be repeated.")
    search.add_argument("--chunks", action="store_true", help="Show the chunks that were found, not whole papers.")
    search.add_argument("--plain", action="store_true", help="Take the query as it is and rank by fit alone.")
    search.add_argument("--explain", action="store_true", help="Show what each score is made of.")
    search.set_defaults(act=_search)
    show = actions.add_parser("show", help="Show one paper.", allow_abbrev=False)
    show.add_argument("pmid", metavar="PMID", help="Its PubMed ID.")
    show.set_defaults(act=_show)
    for action in (search, show):
        action.add_argument("--checkpoint", metavar="ID", help="Answer as of this checkpoint.")
        add_common(action)


def add_common(action: ArgumentParser) -> None:
    action.add_argument("--lang", choices=("en", "th"), help="Language of the words around the answer.")
    action.add_argument("--json", action="store_true", help="Print the answer as JSON.")


def answered(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Answered):
        return outcome.body
    raise CommandFailed(outcome.message)


def _search(options: Namespace) -> int:
    async def work(app: App) -> tuple[Outcome, int]:
        outcome = await app.kernel.call(Call("rag.search", _arguments(options), surface="cli"))
        is_asked = isinstance(outcome, Answered) and options.mode != "bm25" and not options.checkpoint
        return outcome, await (await app.library()).missing("papers") if is_asked else 0

    outcome, unread = in_home(options, work)
    body = answered(outcome)
    if options.json:
        write_json(body)
    else:
        _show_found(body, options)
    if unread:
        write_note(counted(options.lang, "unread", unread))
    return OK


def _arguments(options: Namespace) -> dict[str, Any]:
    filters = {"date_from": options.date_from, "date_to": options.date_to, "journals": options.journal}
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


def _show_found(body: dict[str, Any], options: Namespace) -> None:
    said, documents = words(options.lang), body["documents"]
    if not documents:
        write_line(said["none"])
        return
    parts = _SHOWN_PARTS if options.explain else ()
    columns = [said["score"], *parts, said["paper"], said["year"], said["quality"], said["journal"], said["title"]]
    write_table(columns, [_row(one, parts, options) for one in documents])
    if options.chunks:
        for one in documents:
            write_line(f"\n{one['doc_id']} {one['chunk_id']} ({one['section']})\n{one['abstract'] or ''}")
    took, parts_named = str(body["performance"]["total_time_ms"]), " + ".join(_SHOWN_PARTS)
    write_line("\n" + counted(options.lang, "found", body["total_results"], ms=took, parts=parts_named))
    if any(one["sample"] for one in documents):
        write_line(said["samples"])


def _row(one: dict[str, Any], parts: tuple[str, ...], options: Namespace) -> list[str]:
    name = f"{one['doc_id']}/{one['chunk_id']}" if options.chunks else one["doc_id"]
    mark = f"[{words(options.lang)['retracted']}] " if one["retracted"] else ""
    figures = [f"{one['score_parts'][part]:.3f}" for part in parts]
    year, journal = str(one["year"] or "–"), one["journal"] or "–"
    return [f"{one['score']:.3f}", *figures, name, year, str(one["quality"]), journal, mark + (one["title"] or "–")]


def _show(options: Namespace) -> int:
    pmid = options.pmid.removeprefix("pmid:")

    async def work(app: App) -> tuple[Outcome, Record | None]:
        from sanya.suites.papers.record import record_of

        checkpoint = {"checkpoint_id": options.checkpoint} if options.checkpoint else {}
        outcome = await app.kernel.call(Call("rag.get", {"doc_id": f"pmid:{pmid}", **checkpoint}, surface="cli"))
        if not isinstance(outcome, Answered):
            return outcome, None
        rows = await app.database.fetch(
            "SELECT content FROM paper_versions WHERE pmid = ? AND version = ?",
            (outcome.body["doc_id"].removeprefix("pmid:"), outcome.body["version"]),
        )
        return outcome, record_of(str(rows[0][0]), None)

    outcome, record = in_home(options, work)
    body = answered(outcome)
    if options.json or record is None:
        write_json(body)
        return OK
    _show_paper(body, record, options)
    return OK


def _show_paper(body: dict[str, Any], record: Record, options: Namespace) -> None:
    from sanya.suites.papers.fields import source_url
    from sanya.suites.papers.sample_ids import is_sample_id

    said, sample = words(options.lang), is_sample_id(record.pmid)
    quality = body["quality"]
    kinds = ", ".join(f"{name} {quality[name]}" for name in ("design", "recency", "journal", "human"))
    rows = [
        (said["title"], body["title"] or "–"),
        (said["authors"], _authors(record) or "–"),
        (said["journal"], citation(record)),
        (said["published"], body["pdat"] or "–"),
        (said["types"], ", ".join(body["pub_types"]) or "–"),
        (said["quality"], f"{quality['total']} ({kinds})"),
        (said["version"], str(body["version"])),
        (said["link"], source_url(record.pmid) or "–"),
    ]
    write_table((said["paper"], body["doc_id"]), rows)
    if record.retracted:
        write_line(f"\n{paint(said['retracted'], BAD)}")
    if body["abstract"]:
        write_line(f"\n{body['abstract']}")
    if sample:
        write_line(f"\n{said['samples']}")


def _authors(record: Record) -> str:
    names = [one.collective or f"{one.last or ''} {one.initials or ''}".strip() for one in record.authors]
    shown = ", ".join(names[:_MOST_AUTHORS])
    return f"{shown}, et al." if len(names) > _MOST_AUTHORS else shown


def citation(record: Record) -> str:
    """`N Engl J Med. 2024;390(5):1–9. doi:…`, of which only what is known is shown."""
    issue = f"({record.issue})" if record.issue else ""
    pages = f":{record.pages}" if record.pages else ""
    place = f"{record.volume or ''}{issue}{pages}"
    dated = ";".join(filter(None, ((record.pdat or "")[:4], place)))
    doi = f"doi:{record.doi}" if record.doi else ""
    return ". ".join(filter(None, (record.journal_abbreviation or record.journal, dated, doi))) or "–"
