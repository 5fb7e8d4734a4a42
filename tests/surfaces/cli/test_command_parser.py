"""A mistyped option or action of any command is answered with the nearest there is."""

from __future__ import annotations

from argparse import _SubParsersAction
from collections.abc import Iterator
from importlib import import_module

import pytest

from sanya.surfaces.cli.command_parser import CommandParser
from sanya.surfaces.cli.main import COMMANDS, main


def list_parsers(parser: CommandParser) -> Iterator[CommandParser]:
    """Yield the parsers that read options: those of the actions, at any depth, or the parser itself."""
    actions = [action for action in parser._actions if isinstance(action, _SubParsersAction)]
    if not actions:
        yield parser
    for action in actions:
        for child in {id(child): child for child in action.choices.values()}.values():
            assert isinstance(child, CommandParser)
            yield from list_parsers(child)


def build_parser(command: str) -> CommandParser:
    parser = CommandParser(prog=f"sanya {command}", allow_abbrev=False)
    import_module(f"sanya.surfaces.cli.{COMMANDS[command][1]}").add_arguments(parser)
    return parser


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_every_command_is_offered_for_a_slip(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    for parser in list_parsers(build_parser(command)):
        options = [name for name in parser._option_string_actions if name.startswith("--")]
        for option in options:
            slip = f"{option}s"
            if slip in options:
                continue
            with pytest.raises(SystemExit) as ended:
                parser.parse_args([slip, "x"])
            assert ended.value.code == 2
            advice = capsys.readouterr().err.splitlines()[-1]
            assert advice.startswith(f"no option {slip}; did you mean ")
            assert option in advice


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["herbs", "check", "ขิง", "--drugs", "warfarin"], "no option --drugs; did you mean --drug?"),
        (["herbs", "check", "ขิง", "--condtion=ไต"], "no option --condtion; did you mean --condition?"),
        (["tools", "--hoem", "x"], "no option --hoem; did you mean --home?"),
        (["herbs", "check", "ขิง", "--zzz"], "no option --zzz; `sanya herbs check --help` lists the options"),
    ],
)
def test_a_mistyped_option_is_answered_with_the_nearest(
    arguments: list[str], advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1] == advice


def test_a_mistyped_action_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["herbs", "chek", "ขิง"])
    assert "did you mean 'check'?" in capsys.readouterr().err


def test_what_follows_two_dashes_is_no_option(capsys: pytest.CaptureFixture[str]) -> None:
    parser = CommandParser(prog="sanya example")
    parser.add_argument("name")
    parser.add_argument("--drug")
    assert parser.parse_args(["--", "--drugs"]).name == "--drugs"
    with pytest.raises(SystemExit):
        parser.parse_args(["--", "--drugs", "more"])
    assert "did you mean" not in capsys.readouterr().err
