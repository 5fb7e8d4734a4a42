"""A diff survives conversion to JSON and back."""

from __future__ import annotations

import orjson

from sanya.suites.herbs.ingest.diff_json import diff_from_json, diff_to_json
from sanya.suites.herbs.ingest.proposals import GraphDiff
from tests.suites.herbs.ingest.proposals import proposed

_PAGE = (
    "ขิงใช้รักษาท้องอืด ครั้งละ 500 มก. วันละ 3 ครั้ง ขมิ้นชันปลอดภัยในหญิงตั้งครรภ์ ว่านชักมดลูกแก้ปวดประจำเดือน "
    "ไพลดำ (Zingiber ottensii Valeton) ใช้แก้ท้องอืด โทร 081-234-5678 (Fictus imaginaria)"
)


def test_a_diff_with_everything_in_it_comes_back_the_same() -> None:
    diff = proposed(_PAGE)
    assert diff.sources and diff.nodes and diff.names and diff.edges
    assert diff.conflicts and diff.ambiguous and diff.unlinked and diff.counts["redacted"] == 1
    written = orjson.dumps(diff_to_json(diff))
    assert diff_from_json(orjson.loads(written)) == diff


def test_the_same_diff_is_the_same_bytes() -> None:
    assert orjson.dumps(diff_to_json(proposed(_PAGE))) == orjson.dumps(diff_to_json(proposed(_PAGE)))


def test_an_empty_diff_is_one() -> None:
    assert diff_from_json(diff_to_json(GraphDiff("0" * 64))) == GraphDiff("0" * 64)
