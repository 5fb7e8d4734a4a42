"""Tool calls and resource reads on behalf of a command, with a refusal turned into the command's failure."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from sanya.kernel.calls.call import Answered, Call, Outcome
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.output.terminal import write_note

if TYPE_CHECKING:
    from sanya.app import App

JsonObject = dict[str, Any]


async def make_call(app: App, call: Call) -> Outcome:
    """Call the tool, or read the resource if the name is an address."""
    if "://" in call.tool:
        return await app.kernel.read(call._replace(arguments={}))
    return await app.kernel.call(call)


def require_body(outcome: Outcome) -> JsonObject:
    """Return the body of an answer. Raise `CommandFailed` with the fault's message for a refusal."""
    if isinstance(outcome, Answered):
        return outcome.body
    raise CommandFailed(outcome.message)


def write_words_note(outcome: Outcome) -> None:
    """Tell the person if words alone were searched, and what would add meaning."""
    note = outcome.notes.get("search", {}) if isinstance(outcome, Answered) else {}
    if note.get("searched_by") == "words":
        write_note(note["message"])


def fetch_body(options: Namespace, name: str, arguments: dict[str, Any] | None = None) -> JsonObject:
    """Open the home, make one call as its owner and return the body."""

    async def work(app: App) -> Outcome:
        return await make_call(app, Call(name, arguments or {}, surface="cli"))

    outcome = run_in_home(options, work, lazily=True)
    body = require_body(outcome)
    write_words_note(outcome)
    return body
