"""`sanya upgrade`: bring a home to the schema of this version, or tell what that would do."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line

if TYPE_CHECKING:
    from sanya.kernel.storage.migrations import Migration
    from sanya.upgrade import BackupForecast, UpgradeForecast, UpgradeReport

EXAMPLES = """examples:
  sanya upgrade --check
  sanya upgrade
  sanya upgrade --backup /mnt/backups/before-upgrade.sanya"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="Tell what would be done, and change nothing.")
    parser.add_argument(
        "--backup",
        type=Path,
        metavar="FILE",
        help="Write a backup into this file first, also before steps that can be undone. Without it a backup goes into "
        "the home's folder backups, before a step that cannot be undone.",
    )
    parser.add_argument(
        "--without-backup", action="store_true", help="Write none: you have a backup of the database from elsewhere."
    )
    parser.add_argument("--json", action="store_true", help="Print JSON.")


def run(options: Namespace) -> int:
    from sanya.settings import load_settings
    from sanya.upgrade import check_upgrade, upgrade

    settings = load_settings({"home": options.home})
    if options.check:
        _show_forecast(asyncio.run(check_upgrade(settings, options.backup)), as_json=options.json)
        return OK
    with progress_bar("backing up") as progress:
        work = upgrade(settings, options.backup, with_backup=not options.without_backup, progress=progress)
        report = asyncio.run(work)
    _show_report(report, as_json=options.json)
    return OK


def _show_forecast(forecast: UpgradeForecast, *, as_json: bool) -> None:
    backup = forecast.backup
    if as_json:
        write_json(
            {
                "applied": forecast.applied,
                "pending": [_describe_step(step) for step in forecast.pending],
                "backup": {
                    "needed": forecast.needs_backup,
                    "file": str(backup.file),
                    "tables": backup.tables,
                    "rows": backup.rows,
                    "bytes_at_most": backup.bytes_at_most,
                    "bytes_free": backup.bytes_free,
                    "left_out": list(backup.left_out),
                },
            }
        )
        return
    if not forecast.pending:
        write_line(f"The schema is up to date (step {forecast.applied}). Nothing to do.")
    elif not forecast.applied:
        write_line(f"The database is empty: it gets all {len(forecast.pending)} steps. Nothing can be lost.")
    else:
        _show_steps(forecast)
    if forecast.applied:
        _show_backup(backup)


def _show_steps(forecast: UpgradeForecast) -> None:
    write_table(
        ("step", "name", "undone by", "why"),
        [
            (
                str(step.number),
                step.name,
                "running the version before" if step.is_additive else "restoring a backup alone",
                step.reason,
            )
            for step in forecast.pending
        ],
    )
    if forecast.needs_backup:
        write_line("\nServers of the version before cannot run after this. Stop them, then run: sanya upgrade")
        write_line(f"It first writes {forecast.backup.file}.")
    else:
        write_line("\nServers of the version before go on working, so replace them in turn. No backup is needed.")


def _show_backup(backup: BackupForecast) -> None:
    write_line(
        f"A backup holds {backup.tables} tables with {backup.rows:,} rows and takes at most {backup.bytes_at_most:,} "
        f"bytes; the disk has room for {backup.bytes_free:,}{'' if backup.fits else ': too little'}."
    )
    if backup.left_out:
        write_line(
            f"It leaves out {', '.join(backup.left_out)}, because neither Sanya nor a suite made them: copy them with "
            "pg_dump --table, or sqlite3 with .dump."
        )


def _show_report(report: UpgradeReport, *, as_json: bool) -> None:
    if as_json:
        backup = str(report.backup) if report.backup else None
        write_json({"applied": [_describe_step(step) for step in report.applied], "backup": backup})
        return
    if report.backup:
        write_line(f"Wrote {report.backup}. It contains secrets: keep it where only you can read it.")
    if report.applied:
        write_line(f"Applied {', '.join(f'{step.number} ({step.name})' for step in report.applied)}.")
    else:
        write_line("The schema is up to date. Nothing to do.")


def _describe_step(step: Migration) -> dict[str, Any]:
    return {"number": step.number, "name": step.name, "additive": step.is_additive, "reason": step.reason}
