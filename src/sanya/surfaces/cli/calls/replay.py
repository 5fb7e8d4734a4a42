"""`sanya replay`: run a past call again and report `same`, or which of data, code and contract changed."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import BAD, GOOD, paint, write_json, write_line

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.kernel.calls.replay import Replay

_SHOWN_CHARS = 16

EXAMPLES = """The exit code is 0 if the answer is the same, 1 if it differs.

example:
  sanya audit list --limit 1
  sanya replay call_0123456789abcdef"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="Id or number of the call, as `sanya audit list` shows it.")
    parser.add_argument("--json", action="store_true", help="Print the comparison as JSON.")


def run(options: Namespace) -> int:
    async def work(app: App) -> Replay:
        from sanya.kernel.calls.call import OWNER
        from sanya.kernel.calls.replay import replay

        return await replay(app.kernel, app.ledger, app.ledger_store, options.id, OWNER)

    comparison = run_in_home(options, work)
    if options.json:
        write_json(comparison.as_json())
    else:
        _show(comparison)
    return OK if comparison.same else FAULT


def _show(comparison: Replay) -> None:
    entry = comparison.past.entry
    write_line(f"{entry.tool} as of {entry.at} {entry.input}")
    write_line(_format_verdict(comparison))
    if comparison.again is None:
        return
    compared = comparison.as_json()
    then, now = compared["then"], compared["now"]
    names = [name for name in then if name != "id"]
    rows = [(name, _shorten(then[name]), _shorten(now[name]), "" if then[name] == now[name] else "≠") for name in names]
    write_table(("field", "then", "now", ""), rows)


def _shorten(value: object) -> str:
    """Return enough of a hash to tell two apart; `--json` prints all of it."""
    return str(value)[:_SHOWN_CHARS]


def _format_verdict(comparison: Replay) -> str:
    changes = _join_words(comparison.changed)
    if comparison.again is None:
        return paint("changed: contract", BAD) + " (the tool no longer exists)"
    if not comparison.same:
        return paint(f"changed: {changes}", BAD)
    return paint("same", GOOD) + (f" (although {changes} changed since)" if changes else "")


def _join_words(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)
