"""`sanya settings`: every setting, its value and where it came from; and writing one to sanya.toml."""

from __future__ import annotations

import re
import tomllib
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

import orjson

from sanya.logs import redact
from sanya.settings import CONFIG_NAME, SettingRow, default_home, settings_table
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.main import OK, UsageError
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line
from sanya.surfaces.cli.setting_options import shown
from sanya.surfaces.cli.text_files import read_text, replace_text

_HIDDEN = "(hidden)"

EXAMPLES = """examples:
  sanya settings
  sanya settings set time_zone Asia/Bangkok
  SANYA_PORT=9000 sanya settings --json"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="Print the table as JSON.")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    setting = actions.add_parser("set", help="Write one setting to sanya.toml in the home.", allow_abbrev=False)
    setting.add_argument("name", help="Name of the setting.")
    setting.add_argument("value", help="Its value; a list is written with commas.")


def run(options: Namespace) -> int:
    if options.action == "set":
        return _set(options.home, options.name, options.value)
    rows = settings_table({"home": options.home})
    if options.json:
        write_json([_as_json(row) for row in rows])
    else:
        cells = [(row.name, _value(row), shown(_default(row)), row.source, row.help) for row in rows]
        write_table(("setting", "value", "default", "source", "meaning"), cells)
    return OK


def _value(row: SettingRow) -> str:
    return shown(_openly(row))


def _openly(row: SettingRow) -> Any:
    """The value as anybody may see it: an address without the password that it may hold."""
    if row.secret and row.value:
        return _HIDDEN
    return redact(row.value) if isinstance(row.value, str) else row.value


def _as_json(row: SettingRow) -> dict[str, Any]:
    """Types as they are in sanya.toml; a path is text."""
    return {
        "name": row.name,
        "type": row.type,
        "value": _plain(_openly(row)),
        "default": _plain(_default(row)),
        "source": row.source,
        "secret": row.secret,
        "help": row.help,
    }


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value


def _default(row: SettingRow) -> Any:
    return default_home() if row.name == "home" else row.default


def _set(home: str | None, name: str, value: str) -> int:
    if name == "home":
        raise UsageError("the home is where sanya.toml itself lies; choose it with --home or SANYA_HOME")
    rows = {row.name: row for row in settings_table({"home": home, name: value})}
    path = Path(rows["home"].value) / CONFIG_NAME
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = read_text(path) or ""
    replace_text(path, with_setting(text, name, rows[name].value))
    write_line(f"{name} = {_HIDDEN if rows[name].secret else _value(rows[name])} in {path}")
    over = next(row for row in settings_table({"home": home}) if row.name == name)
    if over.source == "environment":
        write_line(f"SANYA_{name.upper()} in the environment still overrides it")
    return OK


def with_setting(text: str, name: str, value: Any) -> str:
    """The file's text with one setting changed or added, everything else as it was."""
    before = tomllib.loads(text)
    line = f"{name} = {_toml(value)}"
    found = re.search(rf"^[ \t]*{re.escape(name)}[ \t]*=.*$", text, re.MULTILINE)
    if found is None:
        after = f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{line}\n"
    else:
        after = text[: found.start()] + line + _comment(found.group()) + text[found.end() :]
    if _loaded(after) != {**before, name: list(value) if isinstance(value, tuple) else value}:
        raise CommandFailed(f"{CONFIG_NAME} is laid out in a way that cannot be changed safely; write `{line}` by hand")
    return after


def _comment(line: str) -> str:
    """The comment at the end of a line, if the line means the same without it."""
    start = line.rfind(" #")
    return line[start:] if start >= 0 and _loaded(line[:start]) == _loaded(line) is not None else ""


def _loaded(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _toml(value: Any) -> str:
    """JSON's literals are TOML's too for texts, numbers, true, false and lists of them."""
    return orjson.dumps(value).decode("utf-8").replace("\x7f", "\\u007f").replace('","', '", "')
