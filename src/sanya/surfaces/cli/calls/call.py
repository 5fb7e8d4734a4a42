"""`sanya call`: call one tool with JSON arguments and print its JSON answer."""

from __future__ import annotations

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from sanya.kernel.calls.call import Answered, Call, Outcome, Refused
from sanya.kernel.strict_json import DuplicateName, parse_json
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import FAULT, OK, UsageError
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.terminal import remove_control_characters, write_json, write_line, write_note
from sanya.surfaces.cli.tool_calls import make_call, write_words_note

if TYPE_CHECKING:
    from sanya.app import App

EXAMPLES = """examples:
  sanya call get_tasks '{"limit": 3, "status": "TODO"}'
  sanya call get_tasks @arguments.json
  echo '{"query": "report"}' | sanya call search_tasks -
  echo '{"tool": "get_tasks", "arguments": {"limit": 3}}' | sanya call --lines"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "tool", nargs="?", help="Name of a tool, or address of a resource; `sanya tools` lists the tools."
    )
    parser.add_argument(
        "json", nargs="?", default="{}", help="Arguments as a JSON object; @FILE reads a file, - reads stdin."
    )
    parser.add_argument("--lines", action="store_true", help="Make one call per line of stdin, in one process.")
    parser.add_argument("--stamp", action="store_true", help="Print the stamp of the call on stderr, as JSON.")


def run(options: Namespace) -> int:
    if options.lines == (options.tool is not None):
        raise UsageError("name a tool, or use --lines and write calls to stdin")
    if options.lines:
        return run_in_home(options, _call_each, lazily=True)
    arguments = read_json(options.json)

    async def work(app: App) -> Outcome:
        with progress_bar(options.tool) as progress:
            return await make_call(app, Call(options.tool, arguments, surface="cli", progress=progress))

    outcome = run_in_home(options, work, lazily=True)
    if options.stamp:
        stamp = {"id": outcome.id, **outcome.stamp.as_json()}
        write_note(orjson.dumps(stamp).decode("utf-8"))
    match outcome:
        case Answered():
            write_json(outcome.body)
            write_words_note(outcome)
            return OK
        case Refused():
            write_json(outcome.error)
            return FAULT


async def _call_each(app: App) -> int:
    """Answer each input line `{"tool": …, "arguments": {…}}` with an output line: body or error, and the stamp."""
    code = OK
    while line := await asyncio.to_thread(sys.stdin.buffer.readline):
        request = _parse_json(line, "a line")
        if not isinstance(request, dict) or not isinstance(request.get("tool"), str):
            raise UsageError('each line must be an object like {"tool": "get_tasks", "arguments": {"limit": 3}}')
        outcome = await make_call(app, Call(request["tool"], request.get("arguments", {}), surface="cli"))
        answer = {"error": outcome.error} if isinstance(outcome, Refused) else {"body": outcome.body}
        line = orjson.dumps({"ok": "body" in answer, **answer, "stamp": outcome.stamp.as_json()})
        write_line(line.decode("utf-8"))
        sys.stdout.flush()
        code = code if "body" in answer else FAULT
    return code


def read_json(argument: str) -> Any:
    """Parse the JSON in an argument, in a file (`@path`) or on stdin (`-`)."""
    if argument == "-":
        return _parse_json(sys.stdin.buffer.read(), "stdin")
    if argument.startswith("@"):
        return _parse_json(Path(argument[1:]).expanduser().read_bytes(), argument[1:])
    return _parse_json(argument.encode("utf-8", "surrogateescape"), "the arguments")


def _parse_json(source: bytes, name: str) -> Any:
    try:
        return parse_json(source)
    except DuplicateName as duplicate:
        raise UsageError(f"{name}: {duplicate}; write each name once") from None
    except orjson.JSONDecodeError as error:
        raise UsageError(_describe_json_error(error, source, name)) from None


def _describe_json_error(error: orjson.JSONDecodeError, source: bytes, name: str) -> str:
    """Return the error, the line that it is in, and a caret below the column."""
    where = f"{name} is not JSON" if name != "the arguments" else "the arguments are not JSON"
    lines = source.decode("utf-8", "replace").split("\n")
    line = lines[error.lineno - 1] if error.lineno <= len(lines) else ""
    start = max(0, error.colno - 40)
    shown = remove_control_characters(line[start : start + 76])
    return (
        f"{where}: {error.msg.split(':')[0]} at line {error.lineno}, column {error.colno}\n"
        f"  {shown}\n  {' ' * (error.colno - 1 - start)}^\n"
        "A valid example: sanya call get_tasks '{\"limit\": 3}'"
    )
