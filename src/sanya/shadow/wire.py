"""The lines between a server and its shadow's process: one JSON object each, a call one way, a comparison back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any, get_type_hints

import orjson

from sanya.kernel.calls.call import Call, Caller
from sanya.settings import Settings
from sanya.shadow.report import CallComparison
from sanya.shadow.verdicts import ReportedDifference, SideOutcome

MAX_LINE = 256 * 1024 * 1024
SURFACE = "shadow"


@dataclass(frozen=True, slots=True)
class MirroredCall:
    """A call as the primary made it, with its outcome there."""

    id: str
    tool: str
    suite: str
    at: str
    call: Call
    here: SideOutcome
    took_us: float
    raced: bool
    writes: bool


def encode_call(mirrored: MirroredCall) -> bytes:
    call = mirrored.call
    data = {
        "id": mirrored.id,
        "tool": mirrored.tool,
        "suite": mirrored.suite,
        "at": mirrored.at,
        "called": call.tool,
        "arguments": call.arguments,
        "caller": call.caller.id,
        "scopes": sorted(call.caller.scopes),
        "request_id": call.request_id,
        "max_answer_bytes": call.max_answer_bytes,
        "here": asdict(mirrored.here),
        "took_us": mirrored.took_us,
        "raced": mirrored.raced,
        "writes": mirrored.writes,
    }
    return orjson.dumps(data) + b"\n"


def decode_call(line: bytes) -> MirroredCall:
    data = orjson.loads(line)
    call = Call(
        data["called"],
        data["arguments"],
        Caller(data["caller"], frozenset(data["scopes"])),
        surface=SURFACE,
        request_id=data["request_id"],
        now=datetime.fromisoformat(data["at"]),
        max_answer_bytes=data["max_answer_bytes"],
        id=data["id"],
    )
    same = {name: data[name] for name in ("id", "tool", "suite", "at", "took_us", "raced", "writes")}
    return MirroredCall(call=call, here=SideOutcome(**data["here"]), **same)


def encode_comparison(found: CallComparison) -> bytes:
    return orjson.dumps(asdict(found)) + b"\n"


def decode_comparison(line: bytes) -> CallComparison:
    data = orjson.loads(line)
    took = data["took_us"]
    shown = tuple(ReportedDifference(**place) for place in data["places"])
    return CallComparison(**{**data, "took_us": None if took is None else tuple(took), "places": shown})


def encode_settings(settings: Settings, *, mirrors_writes: bool) -> bytes:
    """Encode the settings for the pipe. They hold passwords, so they are not command line arguments."""
    data = {setting.name: _to_plain(getattr(settings, setting.name)) for setting in fields(settings)}
    return orjson.dumps({"settings": data, "mirrors_writes": mirrors_writes}) + b"\n"


def decode_settings(line: bytes) -> tuple[Settings, bool]:
    data: Mapping[str, Any] = orjson.loads(line)
    hints = get_type_hints(Settings)
    values = {name: _convert_to(hints[name], value) for name, value in data["settings"].items()}
    return Settings(**values), bool(data["mirrors_writes"])


def _to_plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value


def _convert_to(hint: Any, value: Any) -> Any:
    if hint is Path:
        return Path(value)
    return tuple(value) if isinstance(value, list) else value
