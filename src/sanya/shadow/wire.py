"""The lines between a server and the process of its shadow: one JSON object each, a call there and a verdict back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any, get_type_hints

import orjson

from sanya.kernel.call import Call, Caller
from sanya.settings import Settings
from sanya.shadow.report import Found
from sanya.shadow.verdicts import Place, Said

MAX_LINE = 256 * 1024 * 1024
SURFACE = "shadow"


@dataclass(frozen=True, slots=True)
class Asked:
    """A call as the primary had it, with what it came to there."""

    id: str
    tool: str
    suite: str
    at: str
    call: Call
    here: Said
    took_us: float
    raced: bool
    writes: bool


def line_of(asked: Asked) -> bytes:
    call = asked.call
    said = {
        "id": asked.id,
        "tool": asked.tool,
        "suite": asked.suite,
        "at": asked.at,
        "called": call.tool,
        "arguments": call.arguments,
        "caller": call.caller.id,
        "scopes": sorted(call.caller.scopes),
        "request_id": call.request_id,
        "max_answer_bytes": call.max_answer_bytes,
        "here": asdict(asked.here),
        "took_us": asked.took_us,
        "raced": asked.raced,
        "writes": asked.writes,
    }
    return orjson.dumps(said) + b"\n"


def asked_in(line: bytes) -> Asked:
    said = orjson.loads(line)
    call = Call(
        said["called"],
        said["arguments"],
        Caller(said["caller"], frozenset(said["scopes"])),
        surface=SURFACE,
        request_id=said["request_id"],
        now=datetime.fromisoformat(said["at"]),
        max_answer_bytes=said["max_answer_bytes"],
        id=said["id"],
    )
    same = {name: said[name] for name in ("id", "tool", "suite", "at", "took_us", "raced", "writes")}
    return Asked(call=call, here=Said(**said["here"]), **same)


def verdict_line(found: Found) -> bytes:
    return orjson.dumps(asdict(found)) + b"\n"


def verdict_in(line: bytes) -> Found:
    said = orjson.loads(line)
    took = said["took_us"]
    shown = tuple(Place(**place) for place in said["places"])
    return Found(**{**said, "took_us": None if took is None else tuple(took), "places": shown})


def settings_line(settings: Settings, *, mirrors_writes: bool) -> bytes:
    """Over the pipe and not as words of the command: they hold passwords."""
    said = {one.name: _plain(getattr(settings, one.name)) for one in fields(settings)}
    return orjson.dumps({"settings": said, "mirrors_writes": mirrors_writes}) + b"\n"


def settings_in(line: bytes) -> tuple[Settings, bool]:
    said: Mapping[str, Any] = orjson.loads(line)
    hints = get_type_hints(Settings)
    values = {name: _typed(hints[name], value) for name, value in said["settings"].items()}
    return Settings(**values), bool(said["mirrors_writes"])


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value


def _typed(hint: Any, value: Any) -> Any:
    if hint is Path:
        return Path(value)
    return tuple(value) if isinstance(value, list) else value
