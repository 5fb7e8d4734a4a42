"""`sanya funds`: import and sync funds; list, show, compare and chart them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sanya.kernel.calls.call import Answered, Call, Outcome
from sanya.kernel.ledger.owner_actions import record_owner_action
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.funds import sync
from sanya.surfaces.cli.funds.fund_tables import LABELS, Labels, show_comparison, show_fund, show_list
from sanya.surfaces.cli.funds.nav_chart import draw_chart
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.suites.funds.importing.records import FundReadResult
    from sanya.suites.funds.importing.writer import FundImportReport

_SORTS = ("ytd", "1y", "3y", "5y", "risk", "nav", "name")
_COUNTS = ("created", "updated", "unchanged", "older", "points_added", "points_corrected", "demo_removed", "gone")

EXAMPLES = """An import succeeds completely or changes nothing. Newer files add to a fund's history. Rows that cannot be
read are listed and skipped, and the exit code is then 1. The first import removes the demo funds.

examples:
  sanya funds import rmf-data/ --report
  sanya funds sync
  sanya funds list --sort 1y
  sanya funds chart ABAPAC-RMF --days 90
  sanya funds compare ABAPAC-RMF B-ASIARMF"""


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    importing = actions.add_parser(
        "import", help="Import a folder of fund JSON files, or a consolidated CSV.", allow_abbrev=False
    )
    importing.add_argument("path", metavar="PATH", help="Folder or file to import.")
    importing.add_argument("--report", action="store_true", help="Show every repair, row by row.")
    importing.add_argument("--json", action="store_true", help="Print the report as JSON.")
    syncing = actions.add_parser("sync", help="Update funds from the Thai SEC.", allow_abbrev=False)
    sync.add_arguments(syncing)
    listing = actions.add_parser("list", help="List funds, best first.", allow_abbrev=False)
    listing.add_argument(
        "search", nargs="?", metavar="TEXT", help="Words of a name, symbol, class, manager or benchmark."
    )
    listing.add_argument("--sort", choices=_SORTS, default="ytd", help="Sort field (default ytd).")
    listing.add_argument("--ascending", action="store_true", help="Lowest first.")
    listing.add_argument("--page", type=int, default=1, help="Page number (default 1).")
    listing.add_argument("--page-size", type=int, default=20, help="Funds per page, 1-50 (default 20).")
    showing = actions.add_parser("show", help="Show one fund.", allow_abbrev=False)
    showing.add_argument("code", metavar="CODE", help="Symbol of the fund.")
    comparing = actions.add_parser("compare", help="Compare two to five funds.", allow_abbrev=False)
    comparing.add_argument("codes", nargs="+", metavar="CODE", help="Symbols of the funds.")
    charting = actions.add_parser("chart", help="Draw a fund's NAV.", allow_abbrev=False)
    charting.add_argument("code", metavar="CODE", help="Symbol of the fund.")
    charting.add_argument("--days", type=int, default=30, help="Number of calendar days, 1-365 (default 30).")
    for action in (listing, showing, comparing, charting):
        action.add_argument("--lang", choices=("en", "th"), help="Language of the summary.")
        action.add_argument("--json", action="store_true", help="Print the tool's answer as JSON.")


def run(options: Namespace) -> int:
    from sanya.suites.funds.staleness import describe_staleness

    if options.action == "import":
        return _import(options)
    if options.action == "sync":
        return sync.run(options)
    tool, arguments, show = {
        "list": ("get_rmf_funds", _build_list_arguments, show_list),
        "show": ("get_rmf_fund_detail", _build_code_arguments, show_fund),
        "compare": ("compare_rmf_funds", lambda given: {"fundCodes": given.codes}, show_comparison),
        "chart": (
            "get_rmf_fund_nav_history",
            lambda given: _build_code_arguments(given) | {"days": given.days},
            _show_chart,
        ),
    }[options.action]
    body = _call_tool(options, tool, arguments(options) | ({"lang": options.lang} if options.lang else {}))
    if options.json:
        write_json(body)
        return OK
    show(body["structuredContent"], LABELS[options.lang or "en"])
    for text in filter(None, (body["content"][0]["text"], describe_staleness(body))):
        write_line(f"\n{text}")
    return OK


def _call_tool(options: Namespace, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    async def work(app: App) -> Outcome:
        return await app.kernel.call(Call(tool, arguments, surface="cli"))

    outcome = run_in_home(options, work)
    if isinstance(outcome, Answered):
        return outcome.body
    raise CommandFailed(f"{outcome.message}. {outcome.error['actionableHint']}")


def _build_list_arguments(options: Namespace) -> dict[str, Any]:
    order = "asc" if options.ascending else "desc"
    given = {"sortBy": options.sort, "sortOrder": order, "page": options.page, "pageSize": options.page_size}
    return given | ({"search": options.search} if options.search else {})


def _build_code_arguments(options: Namespace) -> dict[str, Any]:
    return {"fundCode": options.code}


def _show_chart(content: dict[str, Any], labels: Labels) -> None:
    del labels
    points = [(point["date"], point["nav"]) for point in content["navHistory"]]
    for line in draw_chart(points):
        write_line(line)


def _import(options: Namespace) -> int:
    from sanya.suites.funds.importing.files import NothingToImport, read_funds
    from sanya.suites.funds.importing.writer import import_funds

    path = Path(options.path).expanduser()
    try:
        source = read_funds(path)
    except NothingToImport as problem:
        raise CommandFailed(str(problem)) from None
    content = {"name": path.resolve().name, "sha256": source.sha256}

    async def work(app: App) -> FundImportReport:
        async with record_owner_action(app.ledger, "funds.import", "funds", content) as action:
            with progress_bar("funds") as progress:
                report = await import_funds(app.database, source.funds, progress=progress)
            rows = {name: len(getattr(source, name)) for name in ("repairs", "refused", "skipped")}
            action.add(counts={**asdict(report), **rows})
        return report

    report = run_in_home(options, work)
    if options.json:
        write_json({**asdict(report), **_list_findings(source)})
    else:
        _show_import(source, report, rows=options.report)
    return FAULT if source.refused else OK


def _list_findings(source: FundReadResult) -> dict[str, Any]:
    return {name: [asdict(item) for item in getattr(source, name)] for name in ("repairs", "refused", "skipped")}


def _show_import(source: FundReadResult, report: FundImportReport, *, rows: bool) -> None:
    counts = tuple(str(getattr(report, name)) for name in _COUNTS)
    write_table(tuple(name.replace("_", " ") for name in _COUNTS), [counts])
    repaired_rows = Counter(why for why, _ in {(repair.why, repair.place) for repair in source.repairs})
    if report.classes_kept:
        write_line(
            f"the class is now the SEC's broad policy for {report.classes_kept} funds; their finer AIMC class was kept"
        )
    for why, count in sorted(repaired_rows.items()):
        write_line(f"repaired: {why} in {count} rows")
    if rows and source.repairs:
        columns = ("place", "symbol", "field", "was", "now", "why")
        write_line("\nRepairs:")
        write_table(columns, [tuple(str(getattr(repair, name)) for name in columns) for repair in source.repairs])
    for title, refusals in (("Not imported", source.refused), ("Skipped", source.skipped)):
        if refusals:
            write_line(f"\n{title}:")
            write_table(("place", "reason"), [(refusal.place, refusal.reason) for refusal in refusals])
