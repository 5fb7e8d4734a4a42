"""`sanya papers affected`: list the answers that named a paper, for the day on which it is retracted."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.option_values import parse_positive
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import BAD, paint, write_json, write_line, write_note
from sanya.surfaces.cli.papers.labels import format_count, get_labels
from sanya.surfaces.cli.papers.search import add_common_options

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.kernel.citations import StandingRecord
    from sanya.kernel.ledger.cited_papers import CitingCall, UnrecordedCalls


class AffectedAnswers(NamedTuple):
    """The calls that named a paper, how many there are in all, and what is held against the papers by PMID."""

    pmid: str | None
    calls: Sequence[CitingCall]
    total: int
    standings: dict[str, StandingRecord]
    unrecorded: UnrecordedCalls


def add_actions(actions: _SubParsersAction[ArgumentParser]) -> None:
    affected = actions.add_parser(
        "affected", help="List the answers that named a paper, or any retracted paper.", allow_abbrev=False
    )
    affected.add_argument(
        "paper",
        nargs="?",
        metavar="PAPER",
        help="PMID, or the DOI or PMCID of a stored paper; without it, all papers that were retracted or doubted.",
    )
    affected.add_argument("--limit", type=parse_positive, default=20, metavar="N", help="Number of answers (20).")
    affected.set_defaults(act=_show_affected)
    add_common_options(affected)


def _show_affected(options: Namespace) -> int:
    async def work(app: App) -> AffectedAnswers:
        from sanya.kernel.citations import read_standings

        pmid = None if options.paper is None else await _find_pmid(app, options.paper)
        calls = await app.cited_papers.list_calls(pmid, options.limit)
        pmids = {call.pmid for call in calls} | ({pmid} if pmid else set())
        standings = await read_standings(app.database, [f"pmid:{number}" for number in sorted(pmids)])
        return AffectedAnswers(
            pmid,
            calls,
            await app.cited_papers.count_calls(pmid),
            {record.pmid: record for record in standings.values()},
            await app.cited_papers.count_unrecorded(),
        )

    affected = run_in_home(options, work, lazily=True)
    if options.json:
        write_json(_to_json(affected))
    else:
        _write_answers(affected, options)
    return OK


async def _find_pmid(app: App, text: str) -> str:
    from sanya.suites.papers.indexing.paper_index import PaperIndex
    from sanya.suites.papers.store import PaperStore
    from sanya.text.paper_identifiers import find_identifiers

    identifiers = find_identifiers(text)
    if not identifiers:
        raise CommandFailed(f"{text!r} is no PMID, PMCID or DOI; `sanya papers resolve` finds the PMID of a title")
    store = PaperStore(app.database, PaperIndex(app.library, app.database))
    for kind, value in identifiers:
        if kind == "pmid":
            return value
        for doc in await store.find_identified_docs(kind, value):
            return doc.record.pmid
    raise CommandFailed(f"no stored paper has the {identifiers[0].kind.upper()} {identifiers[0].value}; give its PMID")


def _write_answers(affected: AffectedAnswers, options: Namespace) -> None:
    labels = get_labels(options.lang)
    if affected.pmid is not None:
        _write_standing(affected.pmid, affected.standings.get(affected.pmid), options)
    if affected.calls:
        columns = [labels[name] for name in ("at", "answered", "paper", "tool", "caller", "call")]
        write_table(columns, [_to_row(call, affected, options) for call in affected.calls])
        if affected.total > len(affected.calls):
            write_note(format_count(options.lang, "affected_more", affected.total))
        write_note(labels["affected_next"])
    else:
        write_line(labels["no_doubtful" if affected.pmid is None else "no_affected"])
    if affected.unrecorded.count:
        until = (affected.unrecorded.until or "")[:10]
        write_note(format_count(options.lang, "affected_unrecorded", affected.unrecorded.count, until=until))
    write_note(labels["affected_private"])


def _write_standing(pmid: str, record: StandingRecord | None, options: Namespace) -> None:
    labels = get_labels(options.lang)
    if record is None or record.standing is None:
        write_line(f"PMID {pmid}: {labels['no_standing']}")
        return
    standing = paint(labels[f"{record.standing}_standing"], BAD)
    notices = f" ({', '.join(record.notices)})" if record.notices else ""
    write_line(f"PMID {pmid}: {standing}{notices}, {labels['noted']} {record.changed_at[:10]}")


def _to_row(call: CitingCall, affected: AffectedAnswers, options: Namespace) -> list[str]:
    labels = get_labels(options.lang)
    record = affected.standings.get(call.pmid)
    answered = "–"
    if record is not None and record.standing is not None:
        answered = labels["before_notice" if call.at < record.changed_at else "after_notice"]
    caller = f"{call.caller} ({call.surface})"
    return [call.at[:19].replace("T", " "), answered, f"pmid:{call.pmid}", call.tool, caller, call.id]


def _to_json(affected: AffectedAnswers) -> dict[str, Any]:
    return {
        "pmid": affected.pmid,
        "total": affected.total,
        "calls": [call._asdict() for call in affected.calls],
        "standings": [record._asdict() for record in affected.standings.values()],
        "unrecorded": {"count": affected.unrecorded.count, "until": affected.unrecorded.until},
    }
