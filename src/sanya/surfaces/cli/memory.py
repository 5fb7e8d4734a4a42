"""`sanya memory`: search, show, export, import and forget memories as their owner."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sanya.kernel.calls.call import OWNER, Answered, Call, ProgressSink
from sanya.kernel.ledger.owner_actions import record_owner_action
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.input_hashes import hash_input
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line
from sanya.surfaces.cli.tool_calls import write_words_note

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.assembly.memory import MemoryParts
    from sanya.suites.memory.owner import MemoryView

_STDIN = "-"
_SHOWN_CHARS = 100
FORMATS = ("sanya", "mcp", "markdown")

EXAMPLES = """An export contains everything, one JSON object per line; importing it elsewhere recreates the same memory.
You can repeat an import: known memories stay unchanged. Forgetting erases content for good; the ledger records that
it happened, not what was erased.

examples:
  sanya memory search "when does the plant start"
  sanya memory export memory.jsonl
  sanya memory import notes/*.md
  sanya memory forget mem_0123456789abcdef"""


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    searching = actions.add_parser("search", help="Search memories by keywords and meaning.", allow_abbrev=False)
    searching.add_argument("query", metavar="TEXT", help="Query in Thai or English.")
    searching.add_argument("--limit", type=int, default=10, help="Maximum number of memories (default 10).")
    searching.add_argument("--min-confidence", default="F6", help="Worst rating to include (default F6).")
    showing = actions.add_parser("show", help="Show one memory with all its details.", allow_abbrev=False)
    showing.add_argument("id", metavar="ID", help="Id of the memory.")
    timeline = actions.add_parser("timeline", help="List events in order of time.", allow_abbrev=False)
    timeline.add_argument("--limit", type=int, default=50, help="Maximum number of events (default 50).")
    contradicting = actions.add_parser(
        "contradictions", help="List memories that contradict each other.", allow_abbrev=False
    )
    exporting = actions.add_parser("export", help="Write everything as lines of JSON.", allow_abbrev=False)
    exporting.add_argument("file", nargs="?", default=_STDIN, metavar="FILE", help="File to write (default: stdout).")
    importing = actions.add_parser("import", help="Read an export, an MCP memory file or notes.", allow_abbrev=False)
    importing.add_argument("files", nargs="+", metavar="FILE", help="File to read, or - for stdin.")
    importing.add_argument("--format", choices=FORMATS, help="Format of the files (default: detected).")
    forgetting = actions.add_parser("forget", help="Erase memories for good.", allow_abbrev=False)
    forgetting.add_argument("ids", nargs="+", metavar="ID", help="Ids of the memories.")
    for action in (searching, showing, timeline, contradicting, importing, forgetting):
        action.add_argument("--json", action="store_true", help="Print JSON.")
    for action in (showing, timeline, contradicting, exporting, importing, forgetting):
        action.add_argument("--namespace", default=OWNER.id, help="Namespace of the memory (default: the owner's).")


def run(options: Namespace) -> int:
    return {
        "search": _search,
        "show": _show,
        "timeline": _list_timeline,
        "contradictions": _list_contradictions,
        "export": _export,
        "import": _import,
        "forget": _forget,
    }[options.action](options)


def _search(options: Namespace) -> int:
    arguments = {"query": options.query, "limit": options.limit, "min_confidence": options.min_confidence}

    async def work(app: App) -> Answered:
        outcome = await app.kernel.call(Call("get_memory", arguments, surface="cli"))
        if not isinstance(outcome, Answered) or outcome.body["status"] != "ok":
            raise CommandFailed(outcome.body["message"])
        return outcome

    outcome = run_in_home(options, work)
    body = outcome.body
    write_words_note(outcome)
    if options.json:
        write_json(body)
        return OK
    write_table(("id", "rating", "score", "content"), [_to_row(memory) for memory in body["memories"]])
    meta = body["meta"]
    least = "at least " if meta["total_is_lower_bound"] else ""
    write_line(f"\nShowing {meta['returned']} of {least}{meta['total_found']} matches")
    return OK


def _to_row(memory: dict[str, Any]) -> tuple[str, ...]:
    return memory["id"], memory["confidence"], f"{memory['score']:.3f}", _shorten(memory["content"])


def _show(options: Namespace) -> int:
    from sanya.suites.memory.owner import show_memory

    async def work(app: App) -> MemoryView | None:
        return await show_memory(_open_parts(app).store, options.namespace, options.id)

    memory = run_in_home(options, work)
    if memory is None:
        raise CommandFailed(
            f"there is no memory {options.id!r} in {options.namespace!r}; `sanya memory search` finds ids"
        )
    if options.json:
        write_json(memory)
        return OK
    write_table(("", options.id), [(name, _format_cell(value)) for name, value in memory.items()])
    return OK


def _list_timeline(options: Namespace) -> int:
    from sanya.suites.memory.owner import list_timeline

    rows = run_in_home(options, lambda app: list_timeline(_open_parts(app).store, options.namespace, options.limit))
    return _write_rows(options, ("when", "id", "what"), rows)


def _list_contradictions(options: Namespace) -> int:
    from sanya.suites.memory.owner import list_contradictions

    rows = run_in_home(options, lambda app: list_contradictions(_open_parts(app).store, options.namespace))
    return _write_rows(options, ("nature", "status", "memory", "says", "other", "says instead"), rows)


def _write_rows(options: Namespace, columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> int:
    if options.json:
        write_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        write_table(columns, [tuple(map(_shorten, row)) for row in rows])
    return OK


def _export(options: Namespace) -> int:
    from sanya.suites.memory.transfer.json_lines import export_lines

    async def work(app: App) -> list[str]:
        return [line async for line in export_lines(_open_parts(app).store, options.namespace)]

    lines = run_in_home(options, work)
    if options.file == _STDIN:
        for line in lines:
            write_line(line)
    else:
        Path(options.file).expanduser().write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return OK


def _import(options: Namespace) -> int:
    from sanya.suites.memory.transfer.notes import UnreadableNotes

    contents = [(name, _read(name)) for name in options.files]

    async def work(app: App) -> list[dict[str, Any]]:
        with progress_bar("memory") as progress:
            return [await _import_file(app, options, name, content, progress) for name, content in contents]

    try:
        reports = run_in_home(options, work)
    except UnreadableNotes as problem:
        raise CommandFailed(str(problem)) from None
    if options.json:
        write_json(reports)
    else:
        rows = [tuple(str(report[name]) for name in ("file", "format", "created", "known")) for report in reports]
        write_table(("file", "format", "new", "known"), rows)
    return OK


async def _import_file(
    app: App, options: Namespace, name: str, content: bytes, progress: ProgressSink
) -> dict[str, Any]:
    from sanya.suites.memory.owner import import_file

    text = _decode(name, content)

    # No file name: memories keep it as their source, and what can be forgotten must not be in the ledger.
    described = {"namespace": options.namespace, "sha256": hash_input(content)}
    async with record_owner_action(
        app.ledger, "memory.import", "memory", described, redacted=True, in_steps=True
    ) as action:
        store = _open_parts(app).store
        report = await import_file(store, options.namespace, name, text, options.format, action.follow(progress))
        action.add(format=report["format"], counts={count: report[count] for count in ("created", "known")})
    return report


def _forget(options: Namespace) -> int:
    from sanya.assembly.memory import forget_with_tombstone

    async def work(app: App) -> list[str]:
        return await forget_with_tombstone(_open_parts(app), app.ledger, options.namespace, options.ids)

    forgotten = run_in_home(options, work)
    unknown = [memory_id for memory_id in options.ids if memory_id not in forgotten]
    if options.json:
        write_json({"forgotten": forgotten, "unknown": unknown})
    else:
        results = [(memory_id, "forgotten") for memory_id in forgotten]
        write_table(("id", "result"), [*results, *((memory_id, "unknown") for memory_id in unknown)])
    return FAULT if unknown else OK


def _open_parts(app: App) -> MemoryParts:
    from sanya.assembly.memory import build_memory_parts

    return build_memory_parts(app.database, app.library)


def _read(name: str) -> bytes:
    try:
        content = sys.stdin.buffer.read() if name == _STDIN else Path(name).expanduser().read_bytes()
    except OSError as error:
        raise CommandFailed(f"cannot read {name}: {error}") from None
    _decode(name, content)
    return content


def _decode(name: str, content: bytes) -> str:
    """Decode UTF-8 text, with all line ends as `\\n`."""
    try:
        return StringIO(content.decode("utf-8"), newline=None).getvalue()
    except UnicodeDecodeError as error:
        raise CommandFailed(f"cannot read {name}: {error}") from None


def _shorten(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"


def _format_cell(value: Any) -> str:
    if isinstance(value, list):
        return "; ".join(map(_format_cell, value)) or "–"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_format_cell(item)}" for name, item in value.items()) or "–"
    return "–" if value is None else str(value)
