"""docs/settings.md, generated from the table of settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_type_hints

from docs.markdown import mark_code, render_table
from sanya.settings import CONFIG_NAME, ENV_PREFIX, Settings, describe_type

_INTRODUCTION = f"""# Settings

A value comes from the first of: an option on the command line (`--time-zone Asia/Bangkok`), the environment
(`{ENV_PREFIX}TIME_ZONE=Asia/Bangkok`), `{CONFIG_NAME}` in the home (`time_zone = "Asia/Bangkok"`), the default.
`sanya settings` shows every value with its source; `sanya settings set NAME VALUE` writes one to the file and records
the change in the ledger. Settings marked secret have no command line option and are never shown.
"""


def render_settings_page() -> str:
    hints = get_type_hints(Settings)
    rows = [
        (
            mark_code(setting.name),
            describe_type(hints[setting.name]),
            _format_default(setting.name, setting.default),
            _describe(setting.metadata),
        )
        for setting in fields(Settings)
    ]
    return f"{_INTRODUCTION}\n{render_table(('setting', 'takes', 'default', 'meaning'), rows)}\n"


def _format_default(name: str, value: Any) -> str:
    if name == "home":
        return "the platform's folder for application data"
    if value == () or value == "":
        return "empty"
    return mark_code(str(value).lower() if isinstance(value, bool) else str(value))


def _describe(metadata: Mapping[str, Any]) -> str:
    least = f" At least {metadata['least']}." if metadata["least"] else ""
    return f"{metadata['help']}{least}{' Secret.' if metadata['secret'] else ''}"
