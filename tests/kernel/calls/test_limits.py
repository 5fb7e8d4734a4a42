from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.kernel.calls.call import Caller
from sanya.kernel.calls.limits import BURST_SECONDS, LocalRateLimiter
from sanya.kernel.faults import RateLimited


class Clock:
    """Time that the test moves."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def caller(per_minute: int, id: str = "a") -> Caller:
    return Caller(id, frozenset(), per_minute)


def admitted(limiter: LocalRateLimiter, caller: Caller, tries: int) -> int:
    count = 0
    for _ in range(tries):
        try:
            limiter.admit(caller)
            count += 1
        except RateLimited:
            pass
    return count


def test_a_caller_without_a_limit_is_always_admitted() -> None:
    assert admitted(LocalRateLimiter(), caller(0), 1000) == 1000


def test_a_burst_of_ten_seconds_is_admitted_at_once() -> None:
    assert admitted(LocalRateLimiter(Clock()), caller(60), 1000) == 60 * BURST_SECONDS / 60


@given(st.integers(1, 100_000), st.integers(1, 50))
def test_waiting_as_long_as_it_says_is_enough_and_no_longer_than_needed(per_minute: int, waits: int) -> None:
    clock = Clock()
    limiter = LocalRateLimiter(clock)
    limited = caller(per_minute)
    while True:
        try:
            limiter.admit(limited)
        except RateLimited as fault:
            refused = fault
            break
    assert refused.retry_after_ms is not None
    clock.now += (refused.retry_after_ms - 2) / 1000
    if refused.retry_after_ms > 2:
        with pytest.raises(RateLimited):
            limiter.admit(limited)
    clock.now += 2 / 1000
    limiter.admit(limited)


def test_over_a_long_time_the_rate_holds() -> None:
    clock = Clock()
    limiter = LocalRateLimiter(clock)
    count = 0
    for _ in range(6000):
        clock.now += 0.05
        count += admitted(limiter, caller(120), 1)
    assert count == pytest.approx(5 * 120 + 120 * BURST_SECONDS / 60, abs=2)


def test_callers_do_not_share_a_limit_and_old_ones_are_forgotten() -> None:
    clock = Clock()
    limiter = LocalRateLimiter(clock)
    for index in range(10_050):
        limiter.admit(caller(60, str(index)))
    clock.now += 3600
    limiter.admit(caller(60, "late"))
    assert list(limiter._earliest) == ["late"]


@pytest.mark.parametrize("power", range(4, 30))
def test_the_first_call_is_admitted_at_any_moment(power: int) -> None:
    """Also in the minute before a power of two, where a sum of times has one digit less than its parts."""
    clock = Clock()
    limiter = LocalRateLimiter(clock)
    for number in range(100):
        clock.now = 2.0**power - number / 7
        assert admitted(limiter, caller(1, str(number)), 1) == 1
