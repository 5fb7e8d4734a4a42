"""`sanya replay`: runs a past call again and says `same`, or which of data, code and contract changed."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import BAD, GOOD, paint, write_json, write_line

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.kernel.replay import Replay

_SHOWN_CHARS = 16

EXAMPLES = """The exit code is 0 when the answer is the same, 1 when it is not.

example:
  sanya audit list --limit 1
  sanya replay call_0123456789abcdef"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="Id or number of the call, as `sanya audit list` shows it.")
    parser.add_argument("--json", action="store_true", help="Print the comparison as JSON.")


def run(options: Namespace) -> int:
    async def work(app: App) -> Replay:
        from sanya.kernel.replay import replay

        return await replay(app.kernel, app.ledger, app.ledger_store, options.id)

    found = in_home(options, work)
    if options.json:
        write_json(found.as_json())
    else:
        _show(found)
    return OK if found.same else FAULT


def _show(found: Replay) -> None:
    entry = found.past.entry
    write_line(f"{entry.tool} as of {entry.at} {entry.input}")
    write_line(_verdict(found))
    if found.again is None:
        return
    compared = found.as_json()
    then, now = compared["then"], compared["now"]
    names = [name for name in then if name != "id"]
    rows = [(name, _short(then[name]), _short(now[name]), "" if then[name] == now[name] else "≠") for name in names]
    write_table(("what", "then", "now", ""), rows)


def _short(value: object) -> str:
    """Enough of a hash to tell two apart; `--json` has the whole."""
    return str(value)[:_SHOWN_CHARS]


def _verdict(found: Replay) -> str:
    what = _listed(found.changed)
    if found.again is None:
        return paint("changed: contract", BAD) + " (the tool is gone)"
    if not found.same:
        return paint(f"changed: {what}", BAD)
    return paint("same", GOOD) + (f" (though {what} changed since)" if what else "")


def _listed(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)
