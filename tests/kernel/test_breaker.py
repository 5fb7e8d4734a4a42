"""The breaker on a clock that the test sets: which calls pass, when it opens, and that it closes again."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from sanya.kernel.breaker import Attempt, Breaker, BreakerPolicy, Breakers
from sanya.kernel.faults import StoreUnavailable, Unavailable
from tests.long_form import often

TOLERANCE = BreakerPolicy(failures=3, first_pause_s=1.0, longest_pause_s=5.0)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def refusal(wait_ms: int) -> StoreUnavailable:
    return StoreUnavailable("left alone", retry_after_ms=wait_ms)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    return Breaker("an engine", refusal, TOLERANCE, clock)


def state_of(breaker: Breaker) -> str:
    return breaker.state


def fail(breaker: Breaker, times: int = 1) -> None:
    for _ in range(times):
        with breaker.admit() as attempt:
            attempt.report_failure()


def succeed(breaker: Breaker) -> None:
    with breaker.admit() as attempt:
        attempt.report_success()


def refused_ms(breaker: Breaker) -> int:
    with pytest.raises(StoreUnavailable) as caught:
        breaker.admit()
    assert caught.value.retry_after_ms is not None
    return caught.value.retry_after_ms


def test_it_opens_after_failures_in_a_row_and_says_when_it_tries_again(breaker: Breaker, clock: Clock) -> None:
    fail(breaker, 3)
    assert state_of(breaker) == "open"
    assert refused_ms(breaker) == 1000
    clock.now += 0.4
    assert refused_ms(breaker) == 600


def test_a_success_between_failures_keeps_it_closed(breaker: Breaker) -> None:
    for _ in range(10):
        fail(breaker, 2)
        succeed(breaker)
    assert state_of(breaker) == "closed"


def test_after_the_pause_one_may_try_and_its_success_closes_it(breaker: Breaker, clock: Clock) -> None:
    fail(breaker, 3)
    clock.now += 1.0
    assert state_of(breaker) == "half-open"
    with breaker.admit() as trial:
        assert trial.is_trial
        assert refused_ms(breaker) == 1000
        trial.report_success()
        assert state_of(breaker) == "closed"
        assert not breaker.admit().is_trial


def test_a_trial_that_fails_doubles_the_pause_up_to_the_longest_and_a_success_forgets_it(
    breaker: Breaker, clock: Clock
) -> None:
    fail(breaker, 3)
    for pause_ms in (1000, 2000, 4000, 5000, 5000):
        assert refused_ms(breaker) == pause_ms
        clock.now += pause_ms / 1000
        fail(breaker)
    clock.now += 5
    succeed(breaker)
    fail(breaker, 3)
    assert refused_ms(breaker) == 1000


def test_a_trial_that_is_given_up_leaves_its_turn_to_the_next(breaker: Breaker, clock: Clock) -> None:
    fail(breaker, 3)
    clock.now += 1.0
    with breaker.admit():
        pass
    succeed(breaker)
    assert state_of(breaker) == "closed"


def test_who_began_before_it_opened_neither_closes_it_nor_makes_the_pause_longer(
    breaker: Breaker, clock: Clock
) -> None:
    early = breaker.admit()
    fail(breaker, 3)
    early.report_success()
    assert state_of(breaker) == "open"
    clock.now += 1.0
    early.report_failure()
    assert state_of(breaker) == "half-open"


def test_opening_tells_the_engine_and_the_log(breaker: Breaker, clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    told: list[str] = []
    breaker.on_open = lambda: told.append(breaker.state)
    fail(breaker, 3)
    clock.now += 1.0
    succeed(breaker)
    assert told == ["open"]
    assert caplog.messages == [
        "circuit open: an engine does not answer; next attempt in 1 s",
        "circuit closed: an engine answers again",
    ]


def test_a_home_has_one_breaker_for_each_name() -> None:
    breakers = Breakers()
    breaker = breakers.get("Redis", lambda ms: Unavailable("away", retry_after_ms=ms))
    assert breakers.get("Redis", refusal) is breaker
    breakers.get("PostgreSQL", refusal)
    assert [each.name for each in breakers.list_all()] == ["PostgreSQL", "Redis"]


class AnyHistory(RuleBasedStateMachine):
    """Whatever comes in whatever order: it is closed or tries again within the longest pause, never lets two try at
    once, and refuses with the true time to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.breaker = Breaker("an engine", refusal, TOLERANCE, self.clock)
        self.under_way: list[Attempt] = []
        self.in_a_row = 0

    @rule(seconds=st.floats(0, 7))
    def wait(self, seconds: float) -> None:
        self.clock.now += seconds

    @rule()
    def ask(self) -> None:
        before = self.breaker.state
        try:
            attempt = self.breaker.admit()
        except StoreUnavailable as refused:
            assert before != "closed"
            assert refused.retry_after_ms is not None and 0 < refused.retry_after_ms <= 5000
            return
        assert attempt.is_trial == (before == "half-open")
        self.under_way.append(attempt)

    @precondition(lambda self: self.under_way)
    @rule(data=st.data(), came=st.sampled_from(["good", "bad", "nothing"]))
    def end(self, data: st.DataObject, came: str) -> None:
        attempt = self.under_way.pop(data.draw(st.integers(0, len(self.under_way) - 1)))
        was = self.breaker.state
        with attempt:
            if came == "good":
                attempt.report_success()
            elif came == "bad":
                attempt.report_failure()
        self.in_a_row = 0 if came == "good" else self.in_a_row + (came == "bad")
        if was == "closed":
            assert (self.breaker.state == "open") <= (self.in_a_row >= TOLERANCE.failures)

    @invariant()
    def one_trial_at_most(self) -> None:
        assert sum(attempt.is_trial for attempt in self.under_way) <= 1

    @invariant()
    def the_time_to_wait_is_true(self) -> None:
        wait_ms = self.breaker.retry_after_ms
        assert 0 <= wait_ms <= 5000
        assert (wait_ms > 0) == (self.breaker.state == "open" or any(attempt.is_trial for attempt in self.under_way))

    def teardown(self) -> None:
        """It always closes: once all attempts have ended and the pause is over, one success closes it."""
        for attempt in self.under_way:
            with attempt:
                pass
        self.clock.now += 5.1
        succeed(self.breaker)
        assert self.breaker.state == "closed"


AnyHistory.TestCase.settings = settings(max_examples=often(20, 80), stateful_step_count=40, deadline=None)
TestAnyHistory = AnyHistory.TestCase
