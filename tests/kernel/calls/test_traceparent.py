"""A well-formed traceparent is read; a malformed one never stops a call."""

from __future__ import annotations

import pytest

from sanya.kernel.calls.traceparent import read_traceparent

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@pytest.mark.parametrize("text", [f"00-{TRACE}-{SPAN}-01", f"00-{TRACE}-{SPAN}-00", f"cc-{TRACE}-{SPAN}-01-what-comes"])
def test_a_good_one_gives_the_trace_and_the_span(text: str) -> None:
    assert read_traceparent(text) == (TRACE, SPAN)


@pytest.mark.parametrize(
    "text",
    [
        None,
        7,
        "",
        "nonsense",
        "x" * 55,
        f"00-{TRACE}-{SPAN}",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-01-" + "x" * 1000,
    ],
)
def test_any_other_gives_neither(text: object) -> None:
    assert read_traceparent(text) == (None, None)
