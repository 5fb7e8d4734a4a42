"""Settings as options: `--time-zone` for `time_zone`, made from the one table so that help and docs agree."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Collection
from dataclasses import fields
from typing import Any, get_type_hints

from sanya.settings import Settings, type_name


def add_setting_options(parser: ArgumentParser, names: Collection[str] | None = None) -> None:
    """Every setting, or the named ones. Secrets are left out: other users of the machine can see a command line."""
    hints = get_type_hints(Settings)
    group = parser.add_argument_group("settings", "Each is also SANYA_<NAME> in the environment or NAME in sanya.toml.")
    for one in fields(Settings):
        if one.name == "home" or one.metadata["secret"] or (names is not None and one.name not in names):
            continue
        flag = "--" + one.name.replace("_", "-")
        wanted = type_name(hints[one.name])
        help = f"{one.metadata['help']} Default: {shown(one.default) or 'empty'}.".replace("%", "%%")
        if hints[one.name] is bool:
            group.add_argument(flag, nargs="?", const="true", metavar=wanted, help=help)
        else:
            group.add_argument(flag, metavar=wanted.upper() if " " not in wanted else wanted, help=help)


def chosen_settings(options: Namespace) -> dict[str, Any]:
    """The settings that were given as options; the settings table reads them into their types."""
    names = {one.name for one in fields(Settings)} - {"home"}
    return {name: value for name, value in vars(options).items() if name in names and value is not None}


def shown(value: Any) -> str:
    """A setting's value as a person would write it."""
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(value) if isinstance(value, tuple) else str(value)
