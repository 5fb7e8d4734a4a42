"""A caller may hold so many streams and no more; callers without a key are counted by their address."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from sanya.kernel.calls.call import Caller
from sanya.kernel.faults import RateLimited
from sanya.surfaces.http.auth.authentication import build_anonymous
from sanya.surfaces.open_streams import OpenStreams

ALICE, BOB = Caller("alice", frozenset()), Caller("bob", frozenset())


def test_a_caller_above_its_limit_is_refused_until_a_stream_ends() -> None:
    streams = OpenStreams(2)
    with ExitStack() as stack:
        stack.enter_context(streams.hold(ALICE, "192.0.2.1"))
        with streams.hold(ALICE, "192.0.2.2"), pytest.raises(RateLimited) as refused, streams.hold(ALICE, "192.0.2.3"):
            pass
        assert refused.value.retry_after_ms
        with streams.hold(ALICE, "192.0.2.3"), streams.hold(BOB, "192.0.2.1"):
            pass
    assert not streams._open


def test_callers_without_a_key_do_not_take_each_others_streams() -> None:
    streams, anonymous = OpenStreams(1), build_anonymous(0)
    with (
        streams.hold(anonymous, "127.0.0.1"),
        streams.hold(anonymous, "127.0.0.2"),
        pytest.raises(RateLimited),
        streams.hold(anonymous, "127.0.0.1"),
    ):
        pass
