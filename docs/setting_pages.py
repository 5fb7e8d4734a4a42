"""docs/settings.md, from the one table of settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_type_hints

from docs.markdown import code, table
from sanya.settings import CONFIG_NAME, ENV_PREFIX, Settings, type_name

_INTRODUCTION = f"""# Settings

A value comes from the first of: an option on the command line (`--time-zone Asia/Bangkok`), the environment
(`{ENV_PREFIX}TIME_ZONE=Asia/Bangkok`), `{CONFIG_NAME}` in the home (`time_zone = "Asia/Bangkok"`), the default.
`sanya settings` shows what is in force and where it came from; `sanya settings set NAME VALUE` writes one to the file.
Settings marked secret are never taken from the command line and never shown.
"""


def settings_page() -> str:
    hints = get_type_hints(Settings)
    rows = [
        (code(one.name), type_name(hints[one.name]), _default(one.name, one.default), _meaning(one.metadata))
        for one in fields(Settings)
    ]
    return f"{_INTRODUCTION}\n{table(('setting', 'takes', 'default', 'meaning'), rows)}\n"


def _default(name: str, value: Any) -> str:
    if name == "home":
        return "the platform's folder for application data"
    if value == () or value == "":
        return "empty"
    return code(str(value).lower() if isinstance(value, bool) else str(value))


def _meaning(metadata: Mapping[str, Any]) -> str:
    least = f" At least {metadata['least']}." if metadata["least"] else ""
    return f"{metadata['help']}{least}{' Secret.' if metadata['secret'] else ''}"
