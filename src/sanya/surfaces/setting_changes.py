"""Changes of sanya.toml, for the command line and the console: the new text, and what the ledger and people may see."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import orjson

from sanya.logs import REDACTED, redact
from sanya.settings import CONFIG_NAME, SettingRow, find_default_home

HIDDEN = "(hidden)"


class UnsafeLayout(Exception):
    """The file cannot be changed by a program without touching something else. The message says what to write."""


def redact_value(row: SettingRow) -> Any:
    """Return the value without secrets: `(hidden)` for a secret, an address without its password."""
    if row.secret and row.value:
        return HIDDEN
    return redact(row.value) if isinstance(row.value, str) else row.value


def describe_row(row: SettingRow) -> dict[str, Any]:
    """Return the row with the types of sanya.toml; a path becomes text."""
    return {
        "name": row.name,
        "type": row.type,
        "value": _to_plain(redact_value(row)),
        "default": _to_plain(get_default(row)),
        "source": row.source,
        "secret": row.secret,
        "help": row.help,
    }


def _to_plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value


def get_default(row: SettingRow) -> Any:
    return find_default_home() if row.name == "home" else row.default


def hide_secrets(row: SettingRow) -> Any:
    """Return the value for the ledger: no secret, and no hash of one, which could be guessed."""
    if row.secret and row.value:
        return REDACTED
    value = to_json_value(row.value)
    if isinstance(value, list):
        return [redact(item) for item in value]
    return redact(value) if isinstance(value, str) else value


def to_json_value(value: Any) -> Any:
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
        raise UnsafeLayout(f"the layout of {CONFIG_NAME} cannot be changed safely; write `{line}` by hand")
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
