from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from sanya.suites.funds.importing.files import read_funds
from sanya.suites.funds.importing.layout import NotAFund, decode_fees, decode_fund, to_fund_file
from tests.suites.funds.market import fund, nav, write_folder

ODD: list[dict[str, Any]] = [
    {"fees": {"fee_type": "x"}},
    {"fees": ["Front-end", {"fee_type": "Management", "fee_value": "1.07"}, None]},
    {"metadata": "RMF"},
    {"nav_history_30d": [nav("2025-11-05", 9.0), 7, {"nav_date": 20251106, "last_val": "9,001.5"}]},
    {"latest_nav": []},
    {"asset_allocation": "all in cash", "dividends": 3, "benchmark": [1], "suitability": "anybody"},
]


@pytest.mark.parametrize("change", ODD)
def test_a_part_that_is_not_what_its_name_says_costs_that_part_alone(change: dict[str, Any]) -> None:
    data = fund("A") | change
    assert decode_fund(orjson.dumps(data)) == to_fund_file(data)
    assert to_fund_file(data).symbol == "A"


def test_entries_of_a_list_that_are_none_are_left_out() -> None:
    fees = decode_fees(bytes(decode_fund(orjson.dumps(fund("A") | ODD[1])).fees))
    assert [(fee.fee_type, fee.fee_value) for fee in fees] == [("Management", "1.07")]


def test_fees_that_are_not_utf8_refuse_their_fund_alone(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, fund("A"), fund("B"))
    broken = orjson.dumps(fund("C") | {"fees": [{"fee_type": "?"}]}).replace(b"?", b"\xff")
    (folder / "C.json").write_bytes(broken)
    found = read_funds(folder)
    assert [read.symbol for read in found.funds] == ["A", "B"]
    assert [(refusal.place, "not JSON" in refusal.reason) for refusal in found.refused] == [("C.json", True)]


def test_fees_nested_too_deeply_are_no_fees() -> None:
    nested: Any = []
    for _ in range(1015):
        nested = [nested]
    read = to_fund_file(fund("A") | {"fees": nested})
    assert decode_fees(bytes(read.fees)) == []


@pytest.mark.parametrize("raw", [b"[]", b"null", b'{"generated_at": "2025"}', b'"symbol"'])
def test_what_is_about_no_fund_says_so(raw: bytes) -> None:
    with pytest.raises(NotAFund, match="not about one fund"):
        decode_fund(raw)


@pytest.mark.parametrize("raw", [b"", b"{", b'{"symbol": "\xff"}', b'{"symbol": "A", "fees": ' + b"[" * 100_000])
def test_what_is_no_json_says_so(raw: bytes) -> None:
    with pytest.raises(orjson.JSONDecodeError):
        decode_fund(raw)


def test_a_point_of_another_kind_is_read_beside_the_plain_ones(tmp_path: Path) -> None:
    history = [nav("2025-11-06", 9.5), {"nav_date": "5/11/2568", "last_val": "9.0"}, nav("2025-11-04", 8.5)]
    (read,) = read_funds(write_folder(tmp_path, fund("A", nav_history_30d=history))).funds
    assert [(point.date, point.nav) for point in read.points] == [
        ("2025-11-04", 8.5),
        ("2025-11-05", 9.0),
        ("2025-11-06", 9.5),
        ("2025-11-07", 10.0),
    ]


def test_a_day_that_is_none_costs_its_point_alone_and_is_told(tmp_path: Path) -> None:
    history = [nav("2025-11-06", 9.5), nav("2025-02-30", 9.0), nav("-", 8.0)]
    found = read_funds(write_folder(tmp_path, fund("A", nav_history_30d=history)))
    assert [point.date for point in found.funds[0].points] == ["2025-11-06", "2025-11-07"]
    assert [repair.was for repair in found.repairs] == ["2025-02-30 9.0", "- 8.0"]


def test_files_of_folders_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    write_folder(tmp_path / "one", fund("B"))
    write_folder(tmp_path / "one-b", fund("C"))
    write_folder(tmp_path, fund("A"))
    assert [fund.symbol for fund in read_funds(tmp_path).funds] == ["A", "B", "C"]
