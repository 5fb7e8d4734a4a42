"""`sanya funds sync`: update funds from the Thai SEC's open data."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from sanya.kernel.ledger.owner_actions import record_owner_action
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.suites.funds.syncing import SyncReport

_HISTORY = timedelta(days=400)
_COUNTS = ("created", "updated", "unchanged", "points_added", "points_corrected", "demo_removed", "gone")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--since", metavar="DAY", help="First day of a new fund's history (default: 400 days ago).")
    parser.add_argument("--again", action="store_true", help="Include funds that were synced today already.")
    parser.add_argument("--json", action="store_true", help="Print the report as JSON.")


def run(options: Namespace) -> int:
    from sanya.suites.funds.syncing import SyncPeriod

    now = datetime.now(UTC)
    since = _parse_day(options.since) if options.since else now.date() - _HISTORY
    period = SyncPeriod(now, since, options.again)
    content = {"since": since.isoformat(), "again": options.again}

    async def work(app: App) -> SyncReport:
        from sanya.assembly.funds import open_open_data
        from sanya.suites.funds.syncing import sync_funds

        async with (
            open_open_data(app.settings) as data,
            record_owner_action(app.ledger, "funds.sync", "funds", content, in_steps=True) as action,
        ):
            with progress_bar("funds") as progress:
                report = await sync_funds(app.database, data, period, action.follow(progress))
            action.add(counts={**asdict(report.written), "projects": report.projects, "refused": len(report.refused)})
        return report

    report = run_in_home(options, work)
    if options.json:
        write_json(asdict(report))
    else:
        _show(report)
    return FAULT if report.refused else OK


def _parse_day(text: str) -> date:
    from sanya.suites.funds.importing.values import Unreadable, read_day

    try:
        return date.fromisoformat(read_day(text) or "")
    except (Unreadable, ValueError):
        raise CommandFailed(f"--since takes a day such as 2025-01-31 or 31/01/2568, got {text!r}") from None


def _show(report: SyncReport) -> None:
    counts = [str(getattr(report.written, name)) for name in _COUNTS]
    columns = ("projects", "already synced today", *(name.replace("_", " ") for name in _COUNTS))
    write_table(columns, [(str(report.projects), str(report.fresh), *counts)])
    if report.repairs:
        write_line(f"\n{len(report.repairs)} unreadable values were stored as unknown; --json lists them")
    if report.refused:
        write_line("\nNot imported:")
        write_table(("place", "reason"), [(refusal.place, refusal.reason) for refusal in report.refused])
