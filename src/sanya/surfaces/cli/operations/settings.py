"""`sanya settings`: show every setting with its value and source, or write one to sanya.toml."""

from __future__ import annotations

import re
import tomllib
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

import orjson

from sanya.logs import redact
from sanya.settings import CONFIG_NAME, SettingRow, find_default_home, list_settings
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.main import OK, UsageError
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line
from sanya.surfaces.cli.setting_options import format_value
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
        return _set(options.home, options.name, options.value)
    rows = list_settings({"home": options.home})
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


def _set(home: str | None, name: str, value: str) -> int:
    if name == "home":
        raise UsageError("sanya.toml lies in the home and cannot name it; choose the home with --home or SANYA_HOME")
    rows = {row.name: row for row in list_settings({"home": home, name: value})}
    path = Path(rows["home"].value) / CONFIG_NAME
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = read_text(path) or ""
    replace_text(path, replace_setting(text, name, rows[name].value))
    write_line(f"{name} = {_HIDDEN if rows[name].secret else _format_row_value(rows[name])} in {path}")
    effective = next(row for row in list_settings({"home": home}) if row.name == name)
    if effective.source == "environment":
        write_line(f"SANYA_{name.upper()} in the environment overrides this value")
    return OK


def replace_setting(text: str, name: str, value: Any) -> str:
    """Return the text of sanya.toml with one setting changed or added and everything else unchanged."""
    before = tomllib.loads(text)
    line = f"{name} = {_dump_toml(value)}"
    match = re.search(rf"^[ \t]*{re.escape(name)}[ \t]*=.*$", text, re.MULTILINE)
    if match is None:
        after = f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{line}\n"
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
