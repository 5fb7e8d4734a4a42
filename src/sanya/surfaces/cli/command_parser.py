"""The parser of every command: a mistyped option or choice is answered with the nearest there is.

argparse alone says "unrecognized arguments: --drugs warfarin" and leaves it to the reader to find `--drug` in the help.
Parsers of actions (`sanya herbs check`) are made of the same class, so one place serves all commands.
"""

from __future__ import annotations

import re
from argparse import Action, ArgumentError, ArgumentParser
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

_OPTION = re.compile(r"--?[A-Za-z][\w-]*(?==|$)")
# Taken from the arguments before any parser sees them.
_GLOBAL_OPTIONS = ("--home",)
_LEAST_LIKENESS = 0.6


class CommandParser(ArgumentParser):
    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._given: tuple[str, ...] = ()

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> tuple[Any, list[str]]:  # type: ignore[override]
        self._given = tuple(args or ())
        options, rest = super().parse_known_args(args, namespace)
        # Options that are left over here belong to no parser: those of an action were read by the parser of the action.
        if any(map(_OPTION.match, rest)):
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return options, rest

    def error(self, message: str) -> NoReturn:
        """Exit with the message, and with the nearest option for each that this parser does not have."""
        unknown = [] if self._subparsers else self._list_unknown_options()
        advice = [f"no option {name}; {self._advise(name)}" for name in unknown]
        super().error("\n".join([message, *advice]))

    def _list_unknown_options(self) -> Iterable[str]:
        known = {*self._option_string_actions, *_GLOBAL_OPTIONS}
        found = (_OPTION.match(argument) for argument in _cut_literals(self._given))
        return dict.fromkeys(option[0] for option in found if option and option[0] not in known)

    def _advise(self, name: str) -> str:
        known = (*self._option_string_actions, *_GLOBAL_OPTIONS)
        near = get_close_matches(name, known, n=1, cutoff=_LEAST_LIKENESS)
        return f"did you mean {near[0]}?" if near else f"`{self.prog} --help` lists the options"

    def _check_value(self, action: Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except ArgumentError as error:
            near = get_close_matches(str(value), [str(choice) for choice in action.choices or ()], n=1)
            if near:
                error.message = f"{error.message}; did you mean {near[0]!r}?"
            raise


def _cut_literals(arguments: Sequence[str]) -> Sequence[str]:
    """Return the arguments before `--`: what follows it is no option, whatever it looks like."""
    return arguments[: arguments.index("--")] if "--" in arguments else arguments
