"""docs/cli.md, generated from the parsers of the commands: the layout of help texts differs between Python versions."""

from __future__ import annotations

from argparse import Action, ArgumentParser, _HelpAction, _SubParsersAction
from importlib import import_module

from docs.markdown import mark_code, render_table
from sanya.surfaces.cli.main import COMMANDS

_INTRODUCTION = """# Commands

`sanya COMMAND --help` shows the same. Every command accepts `--home FOLDER`, which chooses the home; `SANYA_HOME` sets
it for all commands. Exit codes: 0 success, 1 a fault, 2 wrong usage. Most commands print a table; `--json` prints JSON.
"""


def render_commands_page() -> str:
    return _INTRODUCTION + "".join(_render_command(name) for name in COMMANDS)


def build_parser(name: str) -> ArgumentParser:
    module = import_module(f"sanya.surfaces.cli.{COMMANDS[name][1]}")
    parser = ArgumentParser(prog=f"sanya {name}", allow_abbrev=False)
    module.add_arguments(parser)
    return parser


def _render_command(name: str) -> str:
    module = import_module(f"sanya.surfaces.cli.{COMMANDS[name][1]}")
    examples = getattr(module, "EXAMPLES", "")
    block = f"\n```text\n{examples}\n```\n" if examples else ""
    return f"\n## sanya {name}\n\n{COMMANDS[name][0]}\n{_render_arguments(build_parser(name))}{block}"


def _render_arguments(parser: ArgumentParser) -> str:
    settings = _list_setting_actions(parser)
    rows = [_to_row(action) for action in parser._actions if action not in settings and _is_shown(action)]
    text = f"\n{render_table(('argument', 'meaning'), rows)}\n" if rows else ""
    if settings:
        flags = ", ".join(mark_code(action.option_strings[0]) for action in settings)
        text += f"\nSettings as options ([their meaning](settings.md)): {flags}.\n"
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            text += "".join(_render_action(parser.prog, action, name) for name in action.choices)
    return text


def _render_action(prog: str, actions: _SubParsersAction[ArgumentParser], name: str) -> str:
    help = next((choice.help for choice in actions._choices_actions if choice.dest == name), "") or ""
    return f"\n### {prog} {name}\n\n{help}\n{_render_arguments(actions.choices[name])}"


def _list_setting_actions(parser: ArgumentParser) -> list[Action]:
    return [action for group in parser._action_groups if group.title == "settings" for action in group._group_actions]


def _is_shown(action: Action) -> bool:
    return not isinstance(action, _HelpAction | _SubParsersAction)


def _to_row(action: Action) -> tuple[str, str]:
    value = action.metavar if isinstance(action.metavar, str) else action.dest
    takes_value = action.nargs != 0
    if action.option_strings:
        flag = " ".join([action.option_strings[-1], *([value.upper()] if takes_value else [])])
    else:
        flag = f"[{value}]" if action.nargs in ("?", "*") else value
    return mark_code(flag), (action.help or "").replace("%%", "%")
