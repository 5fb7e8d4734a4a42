"""docs/cli.md, from the commands' own parsers. Not from their help text, whose layout differs between Pythons."""

from __future__ import annotations

from argparse import Action, ArgumentParser, _HelpAction, _SubParsersAction
from importlib import import_module

from docs.markdown import code, table
from sanya.surfaces.cli.main import COMMANDS

_INTRODUCTION = """# Commands

`sanya COMMAND --help` shows the same. `--home FOLDER` works with every command and chooses the home; `SANYA_HOME` does
so for all. Exit codes: 0 done, 1 a fault, 2 wrong usage. Tables go to people, JSON to pipes.
"""


def commands_page() -> str:
    return _INTRODUCTION + "".join(_command(name) for name in COMMANDS)


def parser_of(name: str) -> ArgumentParser:
    module = import_module(f"sanya.surfaces.cli.{COMMANDS[name][1]}")
    parser = ArgumentParser(prog=f"sanya {name}", allow_abbrev=False)
    module.add_arguments(parser)
    return parser


def _command(name: str) -> str:
    module = import_module(f"sanya.surfaces.cli.{COMMANDS[name][1]}")
    examples = getattr(module, "EXAMPLES", "")
    block = f"\n```text\n{examples}\n```\n" if examples else ""
    return f"\n## sanya {name}\n\n{COMMANDS[name][0]}\n{_arguments(parser_of(name))}{block}"


def _arguments(parser: ArgumentParser) -> str:
    settings = _settings(parser)
    rows = [_row(action) for action in parser._actions if action not in settings and _is_shown(action)]
    text = f"\n{table(('argument', 'meaning'), rows)}\n" if rows else ""
    if settings:
        flags = ", ".join(code(action.option_strings[0]) for action in settings)
        text += f"\nSettings as options ([what they mean](settings.md)): {flags}.\n"
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            text += "".join(_action(parser.prog, action, name) for name in action.choices)
    return text


def _action(prog: str, actions: _SubParsersAction[ArgumentParser], name: str) -> str:
    help = next((one.help for one in actions._choices_actions if one.dest == name), "") or ""
    return f"\n### {prog} {name}\n\n{help}\n{_arguments(actions.choices[name])}"


def _settings(parser: ArgumentParser) -> list[Action]:
    return [action for group in parser._action_groups if group.title == "settings" for action in group._group_actions]


def _is_shown(action: Action) -> bool:
    return not isinstance(action, _HelpAction | _SubParsersAction)


def _row(action: Action) -> tuple[str, str]:
    value = action.metavar if isinstance(action.metavar, str) else action.dest
    takes_value = action.nargs != 0
    if action.option_strings:
        flag = " ".join([action.option_strings[-1], *([value.upper()] if takes_value else [])])
    else:
        flag = f"[{value}]" if action.nargs in ("?", "*") else value
    return code(flag), (action.help or "").replace("%%", "%")
