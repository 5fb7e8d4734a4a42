"""What was found is added up in the home, on both engines, and stays small."""

from __future__ import annotations

import pytest

from sanya.kernel.calls.comparison import ABSENT, AnswerDifference
from sanya.kernel.storage.database import Database
from sanya.shadow.latencies import estimate_quantile_ms, find_bucket
from sanya.shadow.report import KEPT_CALLS, CallComparison, ComparisonTally, ReportStore
from sanya.shadow.verdicts import ReportedDifference, SideOutcome, judge, report_differences
from tests.kernel.calls.test_comparison import TOOL

AT = "2026-01-01T00:00:00.000Z"
PLACES = (ReportedDifference("$.a", "1", "2"), ReportedDifference("$.b", "3", "nothing"))


def found(number: int, kind: str = "different") -> CallComparison:
    shown = PLACES if kind == "different" else ()
    return CallComparison(f"call_{number:04}", "get_tasks", AT, kind, (900.0, 2000.0), shown)  # type: ignore[arg-type]


def gathered(*all: CallComparison) -> ComparisonTally:
    tally = ComparisonTally()
    for comparison in all:
        tally.add(comparison)
    return tally


async def test_what_two_servers_found_is_one_report(database: Database) -> None:
    store = ReportStore(database)
    await store.add("a | b", AT, gathered(found(1, "equal"), found(2)), None)
    await store.add("a | b", AT, gathered(found(3, "equal"), found(4, "dropped")), None)
    (report,) = await store.read()
    (tool,) = report.tools
    assert {kind: calls for kind, calls in tool.calls.items() if calls} == {"equal": 2, "different": 1, "dropped": 1}
    assert tool.primary_ms[0] == pytest.approx(0.9, rel=0.05)
    assert tool.shadow_ms[1] == pytest.approx(2.0, rel=0.05)
    (difference,) = report.differences
    assert (difference.call_id, difference.places) == ("call_0002", PLACES)
    await store.clear()
    assert await store.read() == []


async def test_of_differences_the_latest_are_kept_and_all_are_counted(database: Database) -> None:
    store = ReportStore(database)
    for begin in (0, 300):
        await store.add("a | b", AT, gathered(*map(found, range(begin, begin + 300))), None)
    (report,) = await store.read()
    assert report.count_calls("different") == 600
    assert len(report.differences) == KEPT_CALLS
    assert report.differences[0].call_id == "call_0599"


def test_times_are_read_back_within_five_percent() -> None:
    buckets = {find_bucket(ms * 1000): 1 for ms in (1, 2, 3, 40, 500)}
    assert estimate_quantile_ms(0.5, buckets) == pytest.approx(3, rel=0.05)
    assert estimate_quantile_ms(0.95, buckets) == pytest.approx(500, rel=0.05)
    assert estimate_quantile_ms(0.5, {}) is None


@pytest.mark.parametrize(
    ("here", "there", "kind", "path"),
    [
        (SideOutcome(None, "h", {"n": 1}), SideOutcome(None, "h", {"n": 1}), "equal", None),
        (SideOutcome(None, "h", {"n": 0.1}), SideOutcome(None, "i", {"n": 0.1000001}), "rounding", "$.n"),
        (SideOutcome(None, "h", {"n": 1}), SideOutcome(None, "i", {"n": 2}), "different", "$.n"),
        (SideOutcome(None, "h", {"n": 1}), SideOutcome("not_found", "i", {"message": "no"}), "different", "$"),
        (
            SideOutcome("not_found", "h", {"message": "no"}),
            SideOutcome("not_found", "h", {"message": "no"}),
            "equal",
            None,
        ),
        (SideOutcome(None, "h", {"n": 1}), SideOutcome("store_unavailable", "i", {"message": "away"}), "failed", "$"),
        (SideOutcome(None, "h", {"n": 1}), SideOutcome("deadline_exceeded", "i", {"message": "slow"}), "failed", "$"),
    ],
)
def test_a_verdict_says_what_kind_of_difference_it_is(
    here: SideOutcome, there: SideOutcome, kind: str, path: str | None
) -> None:
    told, differences = judge(TOOL, here, there)
    assert told == kind
    assert [difference.path for difference in differences] == ([] if path is None else [path])


def test_a_suite_with_secrets_shows_numbers_and_sizes_and_no_text() -> None:
    differing = [
        AnswerDifference("$.content", "my code is 4711", ABSENT),
        AnswerDifference("$.score", 0.5, 0.75),
        AnswerDifference("$.tags", ["a", "b"], None),
    ]
    assert report_differences(differing, private=True) == [
        ReportedDifference("$.content", "[redacted: 15 characters]", "nothing"),
        ReportedDifference("$.score", "0.5", "0.75"),
        ReportedDifference("$.tags", "[redacted: 2 parts]", "null"),
    ]
    (long,) = report_differences([AnswerDifference("$.text", "ก" * 1000, "")], private=False)
    assert len(long.here) == 200
