"""`sanya settings`: show every setting with its value and source, or write one to sanya.toml."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace
from contextlib import AsyncExitStack
from pathlib import Path

from sanya.setting_checks import explain_path
from sanya.settings import (
    CONFIG_NAME,
    BadSetting,
    SettingRow,
    Settings,
    list_settings,
    load_settings,
)
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.main import OK, UsageError
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line
from sanya.surfaces.cli.setting_options import format_value, report_unknown_variables
from sanya.surfaces.cli.text_files import read_text, replace_text
from sanya.surfaces.setting_changes import (
    HIDDEN,
    UnsafeLayout,
    describe_row,
    get_default,
    hide_secrets,
    redact_value,
    replace_setting,
    to_json_value,
)

EXAMPLES = """examples:
  sanya settings
  sanya settings set time_zone Asia/Bangkok
  SANYA_PORT=9000 sanya settings --json"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="Print the settings as JSON.")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    setting = actions.add_parser("set", help="Write one setting to sanya.toml in the home.", allow_abbrev=False)
    setting.add_argument("name", help="Name of the setting.")
    setting.add_argument("value", help="New value; separate the items of a list with commas.")


def run(options: Namespace) -> int:
    if options.action == "set":
        return change_setting(options.home, options.name, options.value)
    rows = list_settings({"home": options.home})
    report_unknown_variables()
    if options.json:
        write_json([describe_row(row) for row in rows])
    else:
        cells = [
            (row.name, _format_row_value(row), format_value(get_default(row)), row.source, row.help) for row in rows
        ]
        write_table(("setting", "value", "default", "source", "meaning"), cells)
    return OK


def _format_row_value(row: SettingRow) -> str:
    return format_value(redact_value(row))


def change_setting(home: str | None, name: str, value: str) -> int:
    if name == "home":
        raise UsageError("sanya.toml lies in the home and cannot name it; choose the home with --home or SANYA_HOME")
    rows = {row.name: row for row in list_settings({"home": home, name: value})}
    if problem := explain_path(name, rows[name].value):
        raise CommandFailed(f"{name}: {problem}")
    path = Path(rows["home"].value) / CONFIG_NAME
    try:
        text = replace_setting(read_text(path) or "", name, rows[name].value)
    except UnsafeLayout as problem:
        raise CommandFailed(str(problem)) from None
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    asyncio.run(_write_recorded(path, text, rows[name], home))
    write_line(f"{name} = {HIDDEN if rows[name].secret else _format_row_value(rows[name])} in {path}")
    effective = next(row for row in list_settings({"home": home}) if row.name == name)
    if effective.source == "environment":
        write_line(f"SANYA_{name.upper()} in the environment overrides this value")
    return OK


async def _write_recorded(path: Path, text: str, row: SettingRow, home: str | None) -> None:
    """Write sanya.toml and record the change in the ledger, first without the new value, which may be a new database.

    A database that is out of reach must not keep its owner from choosing another. The change of `database_url` is then
    recorded in the new database.
    """
    try:
        await _record_and_write(_load_before(home, row), path, text, row)
    except _LedgerUnavailable as problem:
        if row.name != "database_url":
            raise CommandFailed(
                f"{row.name} was not changed, because the change cannot be recorded: {problem}"
            ) from None
        try:
            await _record_and_write(load_settings({"home": home, row.name: row.value}), path, text, row)
        except _LedgerUnavailable as still:
            raise CommandFailed(_explain_unchanged(row.name, still)) from None


def _load_before(home: str | None, row: SettingRow) -> Settings:
    """Load the settings without the new value, or with it where the old one cannot be read."""
    try:
        return load_settings({"home": home})
    except BadSetting:
        return load_settings({"home": home, row.name: row.value})


def _explain_unchanged(name: str, problem: Exception) -> str:
    advice = f"start the database, or change {CONFIG_NAME} by hand"
    return f"{name} was not changed, because the ledger cannot record it: {problem}; {advice}"


class _LedgerUnavailable(Exception):
    """The ledger cannot be opened, so nothing was written."""


async def _record_and_write(settings: Settings, path: Path, text: str, row: SettingRow) -> None:
    from sanya.app import open_ledger
    from sanya.kernel.faults import StoreUnavailable
    from sanya.kernel.ledger.owner_actions import record_owner_action

    shown = hide_secrets(row)
    content = {"name": row.name, "value": shown}
    async with AsyncExitStack() as stack:
        try:
            ledger = await stack.enter_async_context(open_ledger(settings))
        except StoreUnavailable as fault:
            raise _LedgerUnavailable(fault.message) from None
        is_redacted = shown != to_json_value(row.value)
        async with record_owner_action(ledger, "settings.set", "settings", content, redacted=is_redacted):
            replace_text(path, text)
