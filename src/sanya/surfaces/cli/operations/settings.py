"""`sanya settings`: show every setting with its value and source, or write one to sanya.toml."""

from __future__ import annotations

import asyncio
import re
import tomllib
from argparse import ArgumentParser, Namespace
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import orjson

from sanya.logs import REDACTED, redact
from sanya.setting_checks import explain_path
from sanya.settings import (
    CONFIG_NAME,
    BadSetting,
    SettingRow,
    Settings,
    find_default_home,
    list_settings,
    load_settings,
)
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.main import OK, UsageError
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line
from sanya.surfaces.cli.setting_options import format_value, report_unknown_variables
from sanya.surfaces.cli.text_files import read_text, replace_text

_HIDDEN = "(hidden)"

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
        write_json([_as_json(row) for row in rows])
    else:
        cells = [
            (row.name, _format_row_value(row), format_value(_get_default(row)), row.source, row.help) for row in rows
        ]
        write_table(("setting", "value", "default", "source", "meaning"), cells)
    return OK


def _format_row_value(row: SettingRow) -> str:
    return format_value(_redact_value(row))


def _redact_value(row: SettingRow) -> Any:
    """Return the value without secrets: `(hidden)` for a secret, an address without its password."""
    if row.secret and row.value:
        return _HIDDEN
    return redact(row.value) if isinstance(row.value, str) else row.value


def _as_json(row: SettingRow) -> dict[str, Any]:
    """Return the row with the types of sanya.toml; a path becomes text."""
    return {
        "name": row.name,
        "type": row.type,
        "value": _to_plain(_redact_value(row)),
        "default": _to_plain(_get_default(row)),
        "source": row.source,
        "secret": row.secret,
        "help": row.help,
    }


def _to_plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value


def _get_default(row: SettingRow) -> Any:
    return find_default_home() if row.name == "home" else row.default


def change_setting(home: str | None, name: str, value: str) -> int:
    if name == "home":
        raise UsageError("sanya.toml lies in the home and cannot name it; choose the home with --home or SANYA_HOME")
    rows = {row.name: row for row in list_settings({"home": home, name: value})}
    if problem := explain_path(name, rows[name].value):
        raise CommandFailed(f"{name}: {problem}")
    path = Path(rows["home"].value) / CONFIG_NAME
    text = replace_setting(read_text(path) or "", name, rows[name].value)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    asyncio.run(_write_recorded(path, text, rows[name], home))
    write_line(f"{name} = {_HIDDEN if rows[name].secret else _format_row_value(rows[name])} in {path}")
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
    from sanya.kernel.owner_actions import record_owner_action

    shown = _hide_secrets(row)
    content = {"name": row.name, "value": shown}
    async with AsyncExitStack() as stack:
        try:
            ledger = await stack.enter_async_context(open_ledger(settings))
        except StoreUnavailable as fault:
            raise _LedgerUnavailable(fault.message) from None
        is_redacted = shown != _to_json_value(row.value)
        async with record_owner_action(ledger, "settings.set", "settings", content, redacted=is_redacted):
            replace_text(path, text)


def _hide_secrets(row: SettingRow) -> Any:
    """Return the value for the ledger: no secret, and no hash of one, which could be guessed."""
    if row.secret and row.value:
        return REDACTED
    value = _to_json_value(row.value)
    if isinstance(value, list):
        return [redact(item) for item in value]
    return redact(value) if isinstance(value, str) else value


def _to_json_value(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else _to_plain(value)


def replace_setting(text: str, name: str, value: Any) -> str:
    """Return the text of sanya.toml with one setting changed or added and everything else unchanged."""
    before = tomllib.loads(text)
    line = f"{name} = {_dump_toml(value)}"
    match = re.search(rf"^[ \t]*{re.escape(name)}[ \t]*=.*$", text, re.MULTILINE)
    if match is None:
        # Before the first table: what follows its header belongs to a suite.
        table = re.search(r"^[ \t]*\[", text, re.MULTILINE)
        head, tail = (text, "") if table is None else (text[: table.start()], text[table.start() :])
        after = f"{head}{'' if not head or head.endswith(chr(10)) else chr(10)}{line}\n{tail}"
    else:
        after = text[: match.start()] + line + _find_comment(match.group()) + text[match.end() :]
    if _load_toml(after) != {**before, name: list(value) if isinstance(value, tuple) else value}:
        raise CommandFailed(f"the layout of {CONFIG_NAME} cannot be changed safely; write `{line}` by hand")
    return after


def _find_comment(line: str) -> str:
    """Return the comment at the end of a line. A `#` inside a value is no comment: the line must parse the same."""
    start = line.rfind(" #")
    return line[start:] if start >= 0 and _load_toml(line[:start]) == _load_toml(line) is not None else ""


def _load_toml(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _dump_toml(value: Any) -> str:
    """Format a value as TOML. JSON literals are valid TOML for text, numbers, booleans and lists of them."""
    return orjson.dumps(value).decode("utf-8").replace("\x7f", "\\u007f").replace('","', '", "')
