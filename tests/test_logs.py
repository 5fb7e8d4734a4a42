"""Logs: one JSON object per line for machines, text for people, and no secret in either."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from sanya.kernel.calls.call import Call
from sanya.kernel.ledger.chain import make_internal_entry
from sanya.logs import REDACTED, choose_call_logger, configure_logging, redact
from sanya.logs import log_call as log_plainly

KEY = "sanya_0123456789ab_" + "s" * 43
JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl"

log = logging.getLogger("sanya.test")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def levels() -> Iterator[None]:
    """Leaves the process's logging as it was."""
    root = logging.getLogger()
    handlers = list(root.handlers)
    names = ("sanya", "mcp", "_granian")
    before = {name: logging.getLogger(name).level for name in names}
    yield
    root.handlers[:] = handlers
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_record_is_one_json_object_with_its_fields() -> None:
    stream = io.StringIO()
    configure_logging("info", "auto", stream)
    log.error("%s failed", "get_tasks", extra={"call_id": "call_1", "error_id": "err_1", "trace_id": "t1"})
    [line] = lines(stream)
    assert line["event"] == "get_tasks failed"
    assert (line["level"], line["logger"]) == ("error", "sanya.test")
    assert (line["call_id"], line["error_id"], line["trace_id"]) == ("call_1", "err_1", "t1")
    assert line["timestamp"].endswith("Z")


def test_the_line_of_a_call_has_what_every_record_has() -> None:
    entry = make_internal_entry(("get_tasks", "tasks"), ("http", "key-1"), "2026-01-01", b"{}")._replace(
        tool=f"get {KEY}", trace_id=f"my {JWT}", fault="not_found"
    )
    stream = io.StringIO()
    logging.getLogger().handlers.clear()
    configure_logging("info", "json", stream)
    log_call = choose_call_logger()
    assert log_call is not None and log_call is not log_plainly
    for write in (log_call, log_plainly):
        write(entry, 1_234_567, Call("get_tasks", {}))
    quick, plain = lines(stream)
    quick.pop("timestamp"), plain.pop("timestamp")
    assert quick == {name: value for name, value in plain.items() if value is not None}
    assert (quick["event"], quick["status"], quick["latency_ms"]) == ("not_found", "not_found", 1.235)
    assert quick["caller"] and quick["call_id"]
    assert KEY not in stream.getvalue() and JWT not in stream.getvalue()


def test_calls_reach_every_handler_that_listens() -> None:
    logging.getLogger().handlers.clear()
    configure_logging("info", "json", io.StringIO())
    logging.getLogger().addHandler(logging.NullHandler())
    assert choose_call_logger() is log_plainly


def test_calls_are_not_logged_above_their_level() -> None:
    configure_logging("warning", "json", io.StringIO())
    assert choose_call_logger() is None


def test_text_is_for_terminals_unless_json_is_asked_for() -> None:
    text, as_json = Terminal(), Terminal()
    configure_logging("info", "auto", text)
    log.info("hello", extra={"call_id": "call_1"})
    configure_logging("info", "json", as_json)
    log.info("hello")
    assert "hello" in text.getvalue()
    assert "call_1" in text.getvalue()
    assert not text.getvalue().startswith("{")
    assert lines(as_json)[0]["event"] == "hello"


def test_a_lazy_log_says_the_same() -> None:
    stream = io.StringIO()
    configure_logging("info", "json", stream, lazily=True)
    log.info("hello")
    assert lines(stream)[0]["event"] == "hello"


def test_configuring_again_does_not_log_twice() -> None:
    stream = io.StringIO()
    for _ in range(3):
        configure_logging("info", "json", stream)
    log.info("once")
    assert len(lines(stream)) == 1


def test_logs_go_to_what_stderr_is_now_not_to_what_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    captured, now = io.StringIO(), io.StringIO()
    monkeypatch.setattr("sys.stderr", captured)
    configure_logging("info", "json")
    log.info("first")
    assert [line["event"] for line in lines(captured)] == ["first"]
    captured.close()
    monkeypatch.setattr("sys.stderr", now)
    log.info("second")
    assert [line["event"] for line in lines(now)] == ["second"]


def test_the_level_is_ours_alone() -> None:
    stream = io.StringIO()
    configure_logging("debug", "json", stream)
    log.debug("seen")
    logging.getLogger("httpcore").debug("Authorization: Bearer x")
    logging.getLogger("mcp.server").warning("a message body")
    assert [line["event"] for line in lines(stream)] == ["seen"]
    configure_logging("error", "json", stream)
    log.warning("not seen")
    assert len(lines(stream)) == 1


def test_a_trace_is_in_the_log_without_values_of_variables() -> None:
    for stream in (io.StringIO(), Terminal()):
        configure_logging("info", "auto", stream)
        hidden = "a value that is only in a variable"
        try:
            raise RuntimeError("it broke")
        except RuntimeError:
            log.exception("failed")
        assert "it broke" in stream.getvalue()
        assert "Traceback" in stream.getvalue()
        assert hidden not in stream.getvalue()


def test_fields_that_nobody_declared_are_left_out() -> None:
    stream = io.StringIO()
    configure_logging("info", "json", stream)
    log.info("x", extra={"arguments": {"secret": 1}, "body": "secret"})
    assert "secret" not in stream.getvalue()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"key {KEY} is bad", f"key {REDACTED} is bad"),
        (f"token {JWT}!", f"token {REDACTED}!"),
        ("Authorization: Bearer abc.def", f"Authorization: Bearer {REDACTED}"),
        ("authorization: bearer   abc", f"authorization: bearer   {REDACTED}"),
        ("postgresql://me:pass@host/db", f"postgresql://{REDACTED}@host/db"),
        ("https://x/?api_key=abc&y=1", f"https://x/?api_key={REDACTED}&y=1"),
        ("password=hunter2, next", f"password={REDACTED}, next"),
        ("nothing to hide at https://example.com/a:b", "nothing to hide at https://example.com/a:b"),
    ],
)
def test_secrets_are_taken_out_wherever_they_stand(text: str, shown: str) -> None:
    assert redact(text) == shown


def test_secrets_in_messages_fields_and_traces_are_taken_out() -> None:
    stream = io.StringIO()
    configure_logging("info", "json", stream)
    try:
        raise RuntimeError(f"connecting with {KEY} to postgresql://me:{KEY}@host failed")
    except RuntimeError:
        log.exception("with %s", JWT, extra={"trace_id": KEY})
    assert KEY not in stream.getvalue()
    assert JWT not in stream.getvalue()
    assert stream.getvalue().count(REDACTED) >= 4
