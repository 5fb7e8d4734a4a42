"""`sanya memory`: what the owner does with memory: look into it, take it out, bring it in, and make it forget."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sanya.kernel.call import OWNER, Answered, Call
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.assembly.memory import MemoryParts
    from sanya.suites.memory.owner import Shown

_STDIN = "-"
_SHOWN_CHARS = 100
FORMATS = ("sanya", "mcp", "markdown")

EXAMPLES = """An export holds everything, line by line, and an import of it makes the same memory elsewhere. Imports may
be repeated: what is there is left alone. What is forgotten is gone for good; the ledger keeps that it was, not what.

examples:
  sanya memory search "when does the plant start"
  sanya memory export memory.jsonl
  sanya memory import notes/*.md
  sanya memory forget mem_0123456789abcdef"""


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    searching = actions.add_parser("search", help="Find memories by words and meaning.", allow_abbrev=False)
    searching.add_argument("query", metavar="TEXT", help="What to look for, Thai or English.")
    searching.add_argument("--limit", type=int, default=10, help="At most so many (default 10).")
    searching.add_argument("--min-confidence", default="F6", help="Rating at least this good (default F6).")
    showing = actions.add_parser("show", help="Show one memory with all that is known of it.", allow_abbrev=False)
    showing.add_argument("id", metavar="ID", help="The memory's id.")
    timeline = actions.add_parser("timeline", help="List what happened when, in order.", allow_abbrev=False)
    timeline.add_argument("--limit", type=int, default=50, help="At most so many (default 50).")
    against = actions.add_parser("contradictions", help="List memories that contradict each other.", allow_abbrev=False)
    exporting = actions.add_parser("export", help="Write everything as lines of JSON.", allow_abbrev=False)
    exporting.add_argument("file", nargs="?", default=_STDIN, metavar="FILE", help="Where to; stdout by default.")
    importing = actions.add_parser("import", help="Read an export, an MCP memory file or notes.", allow_abbrev=False)
    importing.add_argument("files", nargs="+", metavar="FILE", help="A file to read.")
    importing.add_argument("--format", choices=FORMATS, help="What the files are; by default their contents tell.")
    forgetting = actions.add_parser("forget", help="Erase memories for good.", allow_abbrev=False)
    forgetting.add_argument("ids", nargs="+", metavar="ID", help="The memories' ids.")
    for action in (searching, showing, timeline, against, importing, forgetting):
        action.add_argument("--json", action="store_true", help="Print JSON.")
    for action in (showing, timeline, against, exporting, importing, forgetting):
        action.add_argument("--namespace", default=OWNER.id, help="Whose memory (default the owner's).")


def run(options: Namespace) -> int:
    return {
        "search": _search,
        "show": _show,
        "timeline": _timeline,
        "contradictions": _contradictions,
        "export": _export,
        "import": _import,
        "forget": _forget,
    }[options.action](options)


def _search(options: Namespace) -> int:
    arguments = {"query": options.query, "limit": options.limit, "min_confidence": options.min_confidence}

    async def work(app: App) -> dict[str, Any]:
        outcome = await app.kernel.call(Call("get_memory", arguments, surface="cli"))
        if not isinstance(outcome, Answered) or outcome.body["status"] != "ok":
            raise CommandFailed(outcome.body["message"])
        return outcome.body

    body = in_home(options, work)
    if options.json:
        write_json(body)
        return OK
    rows = [(one["id"], one["confidence"], f"{one['score']:.3f}", _short(one["content"])) for one in body["memories"]]
    write_table(("id", "rating", "score", "content"), rows)
    meta = body["meta"]
    least = "at least " if meta["total_is_lower_bound"] else ""
    write_line(f"\n{meta['returned']} of {least}{meta['total_found']} found")
    return OK


def _show(options: Namespace) -> int:
    from sanya.suites.memory.owner import show_memory

    async def work(app: App) -> Shown | None:
        return await show_memory(_parts(app).store, options.namespace, options.id)

    found = in_home(options, work)
    if found is None:
        raise CommandFailed(
            f"there is no memory {options.id!r} in {options.namespace!r}; `sanya memory search` finds ids"
        )
    if options.json:
        write_json(found)
        return OK
    write_table(("", options.id), [(name, _cell(value)) for name, value in found.items()])
    return OK


def _timeline(options: Namespace) -> int:
    from sanya.suites.memory.owner import timeline

    rows = in_home(options, lambda app: timeline(_parts(app).store, options.namespace, options.limit))
    return _listed(options, ("when", "id", "what"), rows)


def _contradictions(options: Namespace) -> int:
    from sanya.suites.memory.owner import contradictions

    rows = in_home(options, lambda app: contradictions(_parts(app).store, options.namespace))
    return _listed(options, ("nature", "status", "memory", "says", "other", "says instead"), rows)


def _listed(options: Namespace, columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> int:
    if options.json:
        write_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        write_table(columns, [tuple(map(_short, row)) for row in rows])
    return OK


def _export(options: Namespace) -> int:
    from sanya.suites.memory.transfer.json_lines import export_lines

    async def work(app: App) -> list[str]:
        return [line async for line in export_lines(_parts(app).store, options.namespace)]

    lines = in_home(options, work)
    if options.file == _STDIN:
        for line in lines:
            write_line(line)
    else:
        Path(options.file).expanduser().write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return OK


def _import(options: Namespace) -> int:
    from sanya.suites.memory.transfer.notes import UnreadableNotes
    from sanya.suites.memory.owner import import_file

    texts = [(name, _read(name)) for name in options.files]

    async def work(app: App) -> list[dict[str, Any]]:
        with progress_bar("memory") as progress:
            store = _parts(app).store
            return [
                await import_file(store, options.namespace, name, text, options.format, progress)
                for name, text in texts
            ]

    try:
        reports = in_home(options, work)
    except UnreadableNotes as problem:
        raise CommandFailed(str(problem)) from None
    if options.json:
        write_json(reports)
    else:
        rows = [tuple(str(one[name]) for name in ("file", "format", "created", "known")) for one in reports]
        write_table(("file", "format", "new", "known"), rows)
    return OK


def _forget(options: Namespace) -> int:
    from sanya.assembly.memory import forget_with_tombstone

    async def work(app: App) -> list[str]:
        return await forget_with_tombstone(_parts(app), app.ledger, options.namespace, options.ids)

    gone = in_home(options, work)
    missing = [one for one in options.ids if one not in gone]
    if options.json:
        write_json({"forgotten": gone, "unknown": missing})
    else:
        write_table(("id", ""), [*((one, "forgotten") for one in gone), *((one, "unknown") for one in missing)])
    return FAULT if missing else OK


def _parts(app: App) -> MemoryParts:
    from sanya.assembly.memory import memory_parts

    return memory_parts(app.database, app.library)


def _read(name: str) -> str:
    try:
        if name == _STDIN:
            return sys.stdin.read()
        return Path(name).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandFailed(f"{name} cannot be read: {error}") from None


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return "; ".join(map(_cell, value)) or "–"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_cell(one)}" for name, one in value.items()) or "–"
    return "–" if value is None else str(value)
