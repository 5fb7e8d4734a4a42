"""What was found is added up in the home, on both engines, and stays small."""

from __future__ import annotations

import pytest

from sanya.kernel.comparison import ABSENT, Difference
from sanya.kernel.database import Database
from sanya.shadow.latencies import bucket_of, milliseconds_at
from sanya.shadow.report import KEPT_CALLS, Found, Gathered, ReportStore
from sanya.shadow.verdicts import Place, Said, judge, places
from tests.kernel.test_comparison import TOOL

AT = "2026-01-01T00:00:00.000Z"
PLACES = (Place("$.a", "1", "2"), Place("$.b", "3", "nothing"))


def found(number: int, kind: str = "different") -> Found:
    shown = PLACES if kind == "different" else ()
    return Found(f"call_{number:04}", "get_tasks", AT, kind, (900.0, 2000.0), shown)  # type: ignore[arg-type]


def gathered(*all: Found) -> Gathered:
    them = Gathered()
    for one in all:
        them.add(one)
    return them


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
    assert report.calls("different") == 600
    assert len(report.differences) == KEPT_CALLS
    assert report.differences[0].call_id == "call_0599"


def test_times_are_read_back_within_five_percent() -> None:
    buckets = {bucket_of(ms * 1000): 1 for ms in (1, 2, 3, 40, 500)}
    assert milliseconds_at(0.5, buckets) == pytest.approx(3, rel=0.05)
    assert milliseconds_at(0.95, buckets) == pytest.approx(500, rel=0.05)
    assert milliseconds_at(0.5, {}) is None


@pytest.mark.parametrize(
    ("here", "there", "kind", "path"),
    [
        (Said(None, "h", {"n": 1}), Said(None, "h", {"n": 1}), "equal", None),
        (Said(None, "h", {"n": 0.1}), Said(None, "i", {"n": 0.1000001}), "rounding", "$.n"),
        (Said(None, "h", {"n": 1}), Said(None, "i", {"n": 2}), "different", "$.n"),
        (Said(None, "h", {"n": 1}), Said("not_found", "i", {"message": "no"}), "different", "$"),
        (Said("not_found", "h", {"message": "no"}), Said("not_found", "h", {"message": "no"}), "equal", None),
        (Said(None, "h", {"n": 1}), Said("store_unavailable", "i", {"message": "away"}), "failed", "$"),
        (Said(None, "h", {"n": 1}), Said("deadline_exceeded", "i", {"message": "slow"}), "failed", "$"),
    ],
)
def test_a_verdict_says_what_kind_of_difference_it_is(here: Said, there: Said, kind: str, path: str | None) -> None:
    told, differences = judge(TOOL, here, there)
    assert told == kind
    assert [one.path for one in differences] == ([] if path is None else [path])


def test_a_suite_with_secrets_shows_numbers_and_sizes_and_no_text() -> None:
    differing = [
        Difference("$.content", "my code is 4711", ABSENT),
        Difference("$.score", 0.5, 0.75),
        Difference("$.tags", ["a", "b"], None),
    ]
    assert places(differing, private=True) == [
        Place("$.content", "[redacted: 15 characters]", "nothing"),
        Place("$.score", "0.5", "0.75"),
        Place("$.tags", "[redacted: 2 parts]", "null"),
    ]
    (long,) = places([Difference("$.text", "ก" * 1000, "")], private=False)
    assert len(long.here) == 200
