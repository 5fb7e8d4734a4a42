"""Structured logs on stderr: text on a terminal, one JSON object per line elsewhere.

Modules log with the standard library and put fields into `extra`. The formatter removes secrets from every record,
whoever wrote it. Bodies and arguments are never logged.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from contextlib import nullcontext
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, TextIO

import orjson

from sanya.kernel.clock import format_timestamp, read_clock
from sanya.kernel.control_characters import escape_controls

if TYPE_CHECKING:
    from sanya.kernel.calls.call import Call
    from sanya.kernel.calls.dispatch import Observer
    from sanya.kernel.ledger.chain import LedgerEntry

LogFormat = Literal["auto", "json", "text"]

FIELDS = ("call_id", "error_id", "trace_id", "tool", "caller", "surface", "status", "latency_ms", "pending", "url")
"""The fields that a record may carry in `extra`; the formatter drops all others."""

REDACTED = "[redacted]"

_SECRETS = (
    (re.compile(r"sanya_[0-9a-f]{12}_[\w-]+"), REDACTED),  # Sanya's bearer keys
    (re.compile(r"eyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?"), REDACTED),  # JSON web tokens
    (re.compile(r"(bearer\s+)[^\s\"',]+", re.IGNORECASE), rf"\1{REDACTED}"),
    (re.compile(r"(://)[^\s/@:]*:[^\s/@]+@"), rf"\1{REDACTED}@"),  # user name and password in an address
    (re.compile(r"((?:api_?key|token|password|secret)=)[^\s&\"',]+", re.IGNORECASE), rf"\1{REDACTED}"),
)

# Loggers of libraries that log request contents, or more than an operator needs.
_QUIETER = {"mcp": logging.ERROR, "_granian": logging.ERROR, "psycopg": logging.ERROR}


calls = logging.getLogger("sanya.calls")


def log_call(entry: LedgerEntry, duration_ns: int, call: Call) -> None:  # noqa: ARG001 - the kernel's signature
    """Log a finished call. The ledger is the record of calls; this line helps to watch a server."""
    calls.info("%s", entry.fault or "ok", extra=_describe_call(entry, duration_ns))


def choose_call_logger() -> Observer | None:
    """Return what logs finished calls, or None where the level leaves them out."""
    if not calls.isEnabledFor(logging.INFO):
        return None
    # Past the formatter only where nobody else listens: a handler of the embedding program gets every record.
    handlers = [handler for name in ("", "sanya", calls.name) for handler in logging.getLogger(name).handlers]
    only = handlers[0] if len(handlers) == 1 else None
    if isinstance(only, logging.StreamHandler) and isinstance(only.formatter, _Formatter) and only.formatter.as_json:
        return CallLog(only).log
    return log_call


class CallLog:
    """Logs finished calls as JSON with the fields that every record has, in a tenth of the time that the formatter
    takes: there is a line for every call."""

    def __init__(self, handler: logging.StreamHandler[TextIO]) -> None:
        self._handler = handler

    def log(self, entry: LedgerEntry, duration_ns: int, call: Call) -> None:  # noqa: ARG002 - the kernel's signature
        fields = {name: value for name, value in _describe_call(entry, duration_ns).items() if value is not None}
        line = _dump_json(
            {
                "event": entry.fault or "ok",
                "level": "info",
                "logger": calls.name,
                "timestamp": format_timestamp(read_clock()),
                **fields,
                "tool": _redact_known(entry.tool),
            }
        )
        handler = self._handler
        with handler.lock or nullcontext():
            stream = sys.stderr if isinstance(handler, _Stderr) else handler.stream
            stream.write(f"{line}\n")
            stream.flush()


def _describe_call(entry: LedgerEntry, duration_ns: int) -> dict[str, Any]:
    return {
        "tool": entry.tool,
        "caller": _redact_known(entry.caller),
        "surface": entry.surface,
        "call_id": entry.id,
        "error_id": entry.error_id,
        "trace_id": None if entry.trace_id is None else redact(entry.trace_id),
        "status": entry.fault or "ok",
        "latency_ms": round(duration_ns / 1e6, 3),
    }


def redact(text: str) -> str:
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


@lru_cache(maxsize=1024)
def _redact_known(text: str) -> str:
    """Redact a name that comes with many calls."""
    return redact(text)


def configure_logging(
    level: str, format: LogFormat = "auto", stream: TextIO | None = None, *, lazily: bool = False
) -> None:
    """Configure the logs of this process. Commands call this; the Python API never does.

    `lazily` imports structlog with the first record, for a process that must answer at once and seldom logs.
    """
    handler = logging.StreamHandler(stream) if stream else _Stderr()
    is_terminal = handler.stream.isatty()
    formatter = _Formatter(format == "json" or (format == "auto" and not is_terminal), is_terminal)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    for old in [other for other in root.handlers if isinstance(other.formatter, _Formatter)]:
        root.removeHandler(old)
    if not lazily:
        formatter.load()
    root.addHandler(handler)
    logging.getLogger("sanya").setLevel(level.upper())
    for name, least in _QUIETER.items():
        logging.getLogger(name).setLevel(least)


class _Stderr(logging.StreamHandler[TextIO]):
    """Writes to the current `sys.stderr`: the stream at configuration time may have been closed since."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)


class _Formatter(logging.Formatter):
    def __init__(self, as_json: bool, colours: bool) -> None:
        super().__init__()
        self.as_json = as_json
        self._colours = colours
        self._loaded: logging.Formatter | None = None

    def format(self, record: logging.LogRecord) -> str:
        return self.load().format(record)

    def load(self) -> logging.Formatter:
        if self._loaded is None:
            self._loaded = _build_formatter(self.as_json, self._colours)
        return self._loaded


def _build_formatter(as_json: bool, colours: bool) -> logging.Formatter:
    import structlog

    renderer: Any = (
        structlog.processors.JSONRenderer(serializer=_dump_json)
        if as_json
        else structlog.dev.ConsoleRenderer(colors=colours, exception_formatter=structlog.dev.plain_traceback)
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(allow=FIELDS),
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _redact_values,
            *(() if as_json else (_escape_control_characters,)),
            renderer,
        ],
    )


def _redact_values(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = redact(value)
    return event


def _escape_control_characters(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Escape control characters: some fields are a caller's text and must not move the cursor or break a line. A stack
    trace keeps its lines."""
    for name, value in event.items():
        if isinstance(value, str) and name == "exception":
            event[name] = escape_controls(value)
        elif isinstance(value, str) and not value.isprintable():
            event[name] = "".join(
                character if character.isprintable() else repr(character)[1:-1] for character in value
            )
    return event


def _dump_json(event: dict[str, Any], **_: Any) -> str:
    # A person may watch these lines on a terminal. In JSON an escaped character is still the same character.
    return escape_controls(orjson.dumps(event, default=str).decode("utf-8"))
