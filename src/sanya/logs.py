"""Structured logs on stderr: text for a person at a terminal, a JSON object a line for a machine.

Our modules write with the standard library's logging; fields go into `extra`. Secrets are taken out here, whoever
wrote them; bodies and arguments are not logged at all.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any, Literal, TextIO

import orjson

if TYPE_CHECKING:
    from sanya.kernel.call import Call
    from sanya.kernel.ledger import Entry

Format = Literal["auto", "json", "text"]

FIELDS = ("call_id", "error_id", "trace_id", "tool", "surface", "status", "latency_ms", "pending", "url")
"""What a record may carry in `extra`; anything else is left out."""

REDACTED = "[redacted]"

_SECRETS = (
    (re.compile(r"sanya_[0-9a-f]{12}_[\w-]+"), REDACTED),  # our own keys
    (re.compile(r"eyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?"), REDACTED),  # JSON web tokens
    (re.compile(r"(bearer\s+)[^\s\"',]+", re.IGNORECASE), rf"\1{REDACTED}"),
    (re.compile(r"(://)[^\s/@:]*:[^\s/@]+@"), rf"\1{REDACTED}@"),  # a name and password in an address
    (re.compile(r"((?:api_?key|token|password|secret)=)[^\s&\"',]+", re.IGNORECASE), rf"\1{REDACTED}"),
)

# Others' loggers that speak of requests, or of what is no concern of a reader.
_QUIETER = {"mcp": logging.ERROR, "_granian": logging.ERROR, "psycopg": logging.ERROR}


calls = logging.getLogger("sanya.calls")


def log_call(entry: Entry, duration_ns: int, call: Call) -> None:  # noqa: ARG001 - the kernel's signature
    """One line for a finished call, at the level debug: the ledger is the record, this is for whoever watches."""
    calls.debug(
        "%s",
        entry.fault or "ok",
        extra={
            "tool": entry.tool,
            "surface": entry.surface,
            "call_id": entry.id,
            "error_id": entry.error_id,
            "trace_id": entry.trace_id,
            "latency_ms": duration_ns // 1_000_000,
        },
    )


def redact(text: str) -> str:
    for secret, instead in _SECRETS:
        text = secret.sub(instead, text)
    return text


def configure_logging(
    level: str, format: Format = "auto", stream: TextIO | None = None, *, lazily: bool = False
) -> None:
    """Sets up the process's logs. Called by whoever owns the process, never by the Python door. `lazily` loads what
    it needs with the first record: for a process that must answer at once and seldom logs."""
    handler = logging.StreamHandler(stream) if stream else _Stderr()
    is_terminal = handler.stream.isatty()
    formatter = _Formatter(format == "json" or (format == "auto" and not is_terminal), is_terminal)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    for old in [one for one in root.handlers if isinstance(one.formatter, _Formatter)]:
        root.removeHandler(old)
    if not lazily:
        formatter.load()
    root.addHandler(handler)
    logging.getLogger("sanya").setLevel(level.upper())
    for name, least in _QUIETER.items():
        logging.getLogger(name).setLevel(least)


class _Stderr(logging.StreamHandler[TextIO]):
    """Writes to what stderr is at that moment: whoever captured it when logs were set up may have closed it since."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)


class _Formatter(logging.Formatter):
    def __init__(self, as_json: bool, colours: bool) -> None:
        super().__init__()
        self._as_json = as_json
        self._colours = colours
        self._made: logging.Formatter | None = None

    def format(self, record: logging.LogRecord) -> str:
        return self.load().format(record)

    def load(self) -> logging.Formatter:
        if self._made is None:
            self._made = _structured(self._as_json, self._colours)
        return self._made


def _structured(as_json: bool, colours: bool) -> logging.Formatter:
    import structlog

    renderer: Any = (
        structlog.processors.JSONRenderer(serializer=_dumps)
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
            *(() if as_json else (_escape_signs,)),
            renderer,
        ],
    )


def _redact_values(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = redact(value)
    return event


def _escape_signs(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Signs that would move the cursor or break the line of whoever reads: some fields are a caller's words."""
    for name, value in event.items():
        if isinstance(value, str) and name != "exception" and not value.isprintable():
            event[name] = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in value)
    return event


def _dumps(event: dict[str, Any], **_: Any) -> str:
    return orjson.dumps(event, default=str).decode("utf-8")
