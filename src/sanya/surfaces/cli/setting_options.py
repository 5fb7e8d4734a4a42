"""Settings as options: `--time-zone` for `time_zone`, generated from the settings table so that help and docs agree."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Collection
from dataclasses import fields
from importlib.metadata import EntryPoint
from typing import Any, get_type_hints

from sanya.setting_checks import find_unknown_variables
from sanya.settings import Settings, describe_type, list_names
from sanya.surfaces.cli.output.terminal import write_note


def add_setting_options(parser: ArgumentParser, names: Collection[str] | None = None) -> None:
    """Add an option for every setting, or for the named ones.

    Secrets get no option: other users of the machine can read a command line.
    """
    hints = get_type_hints(Settings)
    group = parser.add_argument_group(
        "settings", "You can also set each as SANYA_<NAME> in the environment or as NAME in sanya.toml."
    )
    for setting in fields(Settings):
        if setting.name == "home" or setting.metadata["secret"] or (names is not None and setting.name not in names):
            continue
        flag = "--" + setting.name.replace("_", "-")
        kind = describe_type(hints[setting.name])
        help = f"{setting.metadata['help']} Default: {format_value(setting.default) or 'empty'}.".replace("%", "%%")
        if hints[setting.name] is bool:
            group.add_argument(flag, nargs="?", const="true", metavar=kind, help=help)
        else:
            group.add_argument(flag, metavar=kind.upper() if " " not in kind else kind, help=help)


def read_setting_options(options: Namespace) -> dict[str, Any]:
    """Return the settings given as options, as text: `load_settings` converts them to their types."""
    names = {setting.name for setting in fields(Settings)} - {"home"}
    return {name: value for name, value in vars(options).items() if name in names and value is not None}


def report_unknown_variables() -> None:
    """Tell about variables such as SANYA_HOEM, which would otherwise have no effect in silence."""
    for name, nearest in find_unknown_variables(os.environ, list_names(), _list_guests).items():
        advice = f"did you mean {nearest}?" if nearest else "`sanya settings` lists the settings"
        write_note(f"{name} in the environment is no setting; {advice}")


def _list_guests() -> list[EntryPoint]:
    from sanya.assembly.guest_entries import find_guest_entries

    return find_guest_entries()


def format_value(value: Any) -> str:
    """Format a setting's value as a person would write it."""
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(value) if isinstance(value, tuple) else str(value)
