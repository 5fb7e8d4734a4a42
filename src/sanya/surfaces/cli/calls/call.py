"""`sanya call`: one tool, its arguments as JSON, its answer as JSON."""

from __future__ import annotations

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from sanya.kernel.call import Answered, Call, Outcome, Refused
from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import FAULT, OK, UsageError
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.terminal import write_json, write_note

if TYPE_CHECKING:
    from sanya.app import App

EXAMPLES = """examples:
  sanya call get_tasks '{"limit": 3, "status": "TODO"}'
  sanya call get_tasks @arguments.json
  echo '{"query": "report"}' | sanya call search_tasks -
  echo '{"tool": "get_tasks", "arguments": {"limit": 3}}' | sanya call --lines"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "tool", nargs="?", help="Name of the tool, or the address of a resource; `sanya tools` lists them."
    )
    parser.add_argument(
        "json", nargs="?", default="{}", help="Arguments as a JSON object, @FILE to read a file, - to read stdin."
    )
    parser.add_argument("--lines", action="store_true", help="Make a call for each line of stdin, in one process.")
    parser.add_argument("--stamp", action="store_true", help="Show the stamp of the call on stderr, as JSON.")


def run(options: Namespace) -> int:
    if options.lines == (options.tool is not None):
        raise UsageError("name a tool, or give calls on stdin with --lines")
    if options.lines:
        return in_home(options, _call_each, lazily=True)
    arguments = read_json(options.json)

    async def work(app: App) -> Outcome:
        with progress_bar(options.tool) as progress:
            return await make_call(app, Call(options.tool, arguments, surface="cli", progress=progress))

    outcome = in_home(options, work, lazily=True)
    if options.stamp:
        stamp = {"id": outcome.id, **outcome.stamp.as_json()}
        write_note(orjson.dumps(stamp).decode("utf-8"))
    match outcome:
        case Answered():
            write_json(outcome.body)
            return OK
        case Refused():
            write_json(outcome.error)
            return FAULT


async def _call_each(app: App) -> int:
    """Answers each line, `{"tool": …, "arguments": {…}}`, with one: body or error, and the stamp."""
    code = OK
    while line := await asyncio.to_thread(sys.stdin.buffer.readline):
        asked = _parsed(line, "a line")
        if not isinstance(asked, dict) or not isinstance(asked.get("tool"), str):
            raise UsageError('a line must be such as {"tool": "get_tasks", "arguments": {"limit": 3}}')
        outcome = await make_call(app, Call(asked["tool"], asked.get("arguments", {}), surface="cli"))
        said = {"error": outcome.error} if isinstance(outcome, Refused) else {"body": outcome.body}
        line = orjson.dumps({"ok": "body" in said, **said, "stamp": outcome.stamp.as_json()})
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()
        code = code if "body" in said else FAULT
    return code


async def make_call(app: App, call: Call) -> Outcome:
    """Calls the tool, or reads the resource where an address is given."""
    if "://" in call.tool:
        return await app.kernel.read(call._replace(arguments={}))
    return await app.kernel.call(call)


def read_json(word: str) -> Any:
    """The JSON given on the command line, in a file (`@path`) or on stdin (`-`)."""
    if word == "-":
        return _parsed(sys.stdin.buffer.read(), "stdin")
    if word.startswith("@"):
        return _parsed(Path(word[1:]).expanduser().read_bytes(), word[1:])
    return _parsed(word.encode("utf-8", "surrogateescape"), "the arguments")


def _parsed(source: bytes, name: str) -> Any:
    try:
        return orjson.loads(source)
    except orjson.JSONDecodeError as error:
        raise UsageError(_located(error, source, name)) from None


def _located(error: orjson.JSONDecodeError, source: bytes, name: str) -> str:
    """What is wrong, the line it is on, and a mark below the place."""
    where = f"{name} is not JSON" if name != "the arguments" else "the arguments are not JSON"
    lines = source.decode("utf-8", "replace").split("\n")
    line = lines[error.lineno - 1] if error.lineno <= len(lines) else ""
    start = max(0, error.colno - 40)
    shown = "".join(one if one.isprintable() else " " for one in line[start : start + 76])
    return (
        f"{where}: {error.msg.split(':')[0]} at line {error.lineno}, column {error.colno}\n"
        f"  {shown}\n  {' ' * (error.colno - 1 - start)}^\n"
        "An example that is: sanya call get_tasks '{\"limit\": 3}'"
    )
