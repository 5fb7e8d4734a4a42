"""`sanya herbs review`: list doubtful statements, decide about them, and carry decisions to another home.

Each decision leaves a row in the ledger. The rows of the graph stay as they were shipped.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.herbs.labels import choose_language, get_label
from sanya.surfaces.cli.herbs.review_tables import show_card, show_import, show_queue
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.output.terminal import write_json, write_line
from sanya.surfaces.cli.text_files import replace_text

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.suites.herbs.review.contract import DecisionInput
    from sanya.suites.herbs.review.reading import ReviewReader

_Result = TypeVar("_Result")

_STDIN = "-"
_STATES = ("open", "outdated", "decided", "accepted", "corrected", "rejected", "all")
_SEVERITIES = ("contraindicated", "major", "moderate", "minor")
_EVIDENCE = (
    "official", "trial", "pharmacokinetic", "observational", "case_reports", "animal", "in_vitro", "theoretical",
)  # fmt: skip
_TEXTS = ("effect_en", "effect_th", "management_en", "management_th")

EXAMPLES = """The queue holds the statements that are doubtful, the most dangerous first. A decision is a layer above
the shipped graph: a new release does not undo it, and you can. To lower or reject an official warning, give a source.

examples:
  sanya herbs review list --herb ขมิ้นชัน
  sanya herbs review show ix-0014
  sanya herbs review accept ix-0014 --by "Somsri P." --source "WHO monographs vol. 1" --url https://example.org/who
  sanya herbs review correct ix-0014 --by "Somsri P." --severity moderate --reason "levels rose by a third"
  sanya herbs review reject ix-0014 --by "Somsri P." --reason "the paper studied another species"
  sanya herbs review undo ix-0014 --by "Somsri P."
  sanya herbs review export decisions.jsonl
  sanya herbs review import decisions.jsonl --dry-run"""


def add_review_arguments(actions: _SubParsersAction[ArgumentParser]) -> None:
    from argparse import RawDescriptionHelpFormatter

    review = actions.add_parser(
        "review",
        help="Review doubtful statements.",
        allow_abbrev=False,
        epilog=EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    steps = review.add_subparsers(dest="step", metavar="STEP", required=True)
    _add_reading(steps)
    _add_deciding(steps)
    _add_transfer(steps)


def _add_reading(steps: _SubParsersAction[ArgumentParser]) -> None:
    listing = steps.add_parser("list", help="List statements, the most dangerous first.", allow_abbrev=False)
    listing.add_argument("--state", choices=_STATES, default="open", help="Which statements (default open).")
    listing.add_argument("--herb", metavar="NAME", help="Only about this herb or formulation.")
    listing.add_argument("--severity", choices=_SEVERITIES, help="Only of this severity.")
    listing.add_argument("--evidence", choices=_EVIDENCE, help="Only of this kind of evidence.")
    listing.add_argument("--source", metavar="ID", help="Only statements that cite this source.")
    listing.add_argument("--limit", type=int, default=50, metavar="N", help="Maximum number (default 50).")
    listing.set_defaults(act=_list)
    showing = steps.add_parser("show", help="Show everything known about a statement.", allow_abbrev=False)
    showing.add_argument("statement", metavar="ID", help="Id of the statement.")
    showing.set_defaults(act=_show)
    for step in (listing, showing):
        step.add_argument("--lang", choices=("th", "en"), help="Language of the output (default: that of the input).")
        step.add_argument("--json", action="store_true", help="Print JSON.")


def _add_deciding(steps: _SubParsersAction[ArgumentParser]) -> None:
    accepting = steps.add_parser("accept", help="Accept a statement as it is.", allow_abbrev=False)
    correcting = steps.add_parser("correct", help="Correct a statement.", allow_abbrev=False)
    correcting.add_argument("--severity", choices=_SEVERITIES, help="New severity.")
    correcting.add_argument("--evidence", choices=_EVIDENCE, help="New kind of evidence.")
    correcting.add_argument("--route", choices=("oral", "topical", "any"), help="New route.")
    for name in _TEXTS:
        what, lang = name.split("_")
        language = "Thai" if lang == "th" else "English"
        correcting.add_argument(f"--{what}-{lang}", metavar="TEXT", help=f"New {what}, in {language}.")
    rejecting = steps.add_parser("reject", help="Reject a statement: it no longer warns.", allow_abbrev=False)
    undoing = steps.add_parser("undo", help="Take the last decision back.", allow_abbrev=False)
    for verdict, step in (("accept", accepting), ("correct", correcting), ("reject", rejecting)):
        step.add_argument("--date", metavar="DAY", help="Day of the review, e.g. 2026-01-31 (default today).")
        step.add_argument("--source", action="append", default=[], metavar="TITLE", help="Source; repeatable.")
        step.add_argument(
            "--url", action="append", default=[], metavar="URL", help="Address of the source; one for each, in order."
        )
        step.set_defaults(act=_decide, verdict=verdict)
    undoing.set_defaults(act=_undo)
    for step in (accepting, correcting, rejecting, undoing):
        step.add_argument("statement", metavar="ID", help="Id of the statement.")
        step.add_argument("--by", required=True, metavar="NAME", help="Name of the reviewer.")
        step.add_argument("--reason", metavar="TEXT", help="Why.")
        step.add_argument("--lang", choices=("th", "en"), help="Language of the output (default: that of the input).")
        step.add_argument("--json", action="store_true", help="Print JSON.")


def _add_transfer(steps: _SubParsersAction[ArgumentParser]) -> None:
    exporting = steps.add_parser("export", help="Write the decisions as lines of JSON.", allow_abbrev=False)
    exporting.add_argument("file", nargs="?", default=_STDIN, metavar="FILE", help="File to write (default: stdout).")
    exporting.set_defaults(act=_export)
    importing = steps.add_parser("import", help="Read decisions from an export.", allow_abbrev=False)
    importing.add_argument("file", metavar="FILE", help="File to read, or - for stdin.")
    importing.add_argument("--dry-run", action="store_true", help="Only show what would change.")
    importing.add_argument("--json", action="store_true", help="Print JSON.")
    importing.set_defaults(act=_import)


def _list(options: Namespace) -> int:
    from sanya.suites.herbs.review.queue import QueueFilter

    async def work(reader: ReviewReader, _: App) -> dict[str, object]:
        subject = await reader.resolve_subject(options.herb) if options.herb else None
        wanted = QueueFilter(
            state=options.state,
            subject=subject,
            severity=options.severity,
            evidence=options.evidence,
            source=options.source,
        )
        return await reader.list_statements(wanted, options.limit)

    body = _run(options, work)
    if options.json:
        write_json(body)
    else:
        show_queue(body, choose_language(options.lang, options.herb or ""))
    return OK


def _show(options: Namespace) -> int:
    card = _run(options, lambda reader, _: reader.describe(options.statement))
    if options.json:
        write_json(card)
    else:
        show_card(card, choose_language(options.lang))
    return OK


def _decide(options: Namespace) -> int:
    async def work(reader: ReviewReader, app: App) -> dict[str, object]:
        from sanya.suites.herbs.review.recording import RecordedDesk

        await RecordedDesk(reader.store, app.ledger).decide(options.statement, _read_decision(options))
        return await reader.describe(options.statement)

    card = _run(options, work)
    return _report(options, card, "recorded")


def _undo(options: Namespace) -> int:
    async def work(reader: ReviewReader, app: App) -> dict[str, object]:
        from sanya.suites.herbs.review.recording import RecordedDesk

        undone = await RecordedDesk(reader.store, app.ledger).undo(options.statement, options.by, options.reason)
        known = (await reader.load_queue()).by_id
        card = await reader.describe(options.statement) if options.statement in known else {}
        return {"undone": undone.id, **card}

    card = _run(options, work)
    return _report(options, card, "taken_back")


def _report(options: Namespace, card: dict[str, object], label: str) -> int:
    if options.json:
        write_json(card)
        return OK
    lang = choose_language(options.lang, options.by)
    decision = card.get("decision")
    values = decision if isinstance(decision, dict) else {}
    verdict = get_label(str(values["verdict"]), lang) if values else ""
    state = get_label(str(card["state"]), lang) if "state" in card else "–"
    id = card.get("undone") or values.get("id")
    filled = {"id": id, "statement": options.statement, "verdict": verdict, "reviewer": options.by, "state": state}
    write_line(get_label(label, lang).format(**filled))
    return OK


def _export(options: Namespace) -> int:
    from sanya.suites.herbs.review.transfer import export_lines

    lines = _run(options, lambda reader, _: export_lines(reader.store))
    text = "".join(f"{line}\n" for line in lines)
    if options.file == _STDIN:
        sys.stdout.write(text)
    else:
        replace_text(Path(options.file).expanduser(), text)
    return OK


def _import(options: Namespace) -> int:
    from sanya.suites.herbs.review.recording import RecordedDesk
    from sanya.suites.herbs.review.transfer import ImportReport, import_lines

    text = _read_file(options.file)

    async def work(reader: ReviewReader, app: App) -> ImportReport:
        if options.dry_run:
            return await import_lines(reader.store, text, dry_run=True)
        return await RecordedDesk(reader.store, app.ledger).import_text(text, Path(options.file).name)

    report = _run(options, work)
    show_import(report, options.file, as_json=options.json, dry_run=options.dry_run)
    return FAULT if report.errors else OK


def _run(options: Namespace, work: Callable[[ReviewReader, App], Awaitable[_Result]]) -> _Result:
    async def open_and_work(app: App) -> _Result:
        from sanya.suites.herbs.graph.store import HerbStore
        from sanya.suites.herbs.review.reading import ReviewReader

        return await work(ReviewReader(HerbStore(app.database)), app)

    return run_in_home(options, open_and_work)


def _read_decision(options: Namespace) -> DecisionInput:
    from sanya.kernel.calls.arguments import read_shape
    from sanya.suites.herbs.review.contract import DecisionInput

    names = ("severity", "evidence", "route", *_TEXTS)
    given = {name: value for name in names if (value := getattr(options, name, None)) is not None}
    document = {
        "verdict": options.verdict,
        "reviewer": options.by,
        "date": options.date or datetime.now().astimezone().date().isoformat(),
        "sources": _read_sources(options),
        **({"reason": options.reason} if options.reason else {}),
        **({"changes": given} if given else {}),
    }
    return read_shape(DecisionInput, document, "the decision")


def _read_sources(options: Namespace) -> list[dict[str, str]]:
    titles, urls = options.source, options.url
    if len(urls) > len(titles):
        raise CommandFailed("give a --source before each --url: a source needs a title")
    padded = [*urls, *[""] * (len(titles) - len(urls))]
    return [{"title": title, **({"url": url} if url else {})} for title, url in zip(titles, padded, strict=True)]


def _read_file(name: str) -> str:
    try:
        content = sys.stdin.buffer.read() if name == _STDIN else Path(name).expanduser().read_bytes()
        return content.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandFailed(f"cannot read {name}: {error}") from None
