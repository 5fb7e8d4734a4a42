from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sanya.surfaces.cli.funds.nav_chart import draw_chart
from tests.sources.open_data import KEY, open_data_served
from tests.suites.funds.market import fund, write_folder

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run

pytestmark = pytest.mark.usefixtures("begun_home")

SHIFTED = {"management_style": "No", "dividend_policy": "4", "fund_classification": "AM", "risk_level": 0}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "funds", fund("GOOD RMF"), fund("SLIPPED", amc="EQGEN", metadata=SHIFTED))


def test_an_import_tells_its_repairs_row_by_row(folder: Path, sanya: Run) -> None:
    ran = sanya("funds", "import", str(folder), "--report")
    assert ran.code == 0
    assert "columns shifted by one in 1 rows" in ran.out
    (repair,) = [line for line in ran.out.splitlines() if "risk_level" in line]
    assert repair.split()[:5] == ["001.json", "SLIPPED", "risk_level", "0", "4"]


def test_a_refused_row_is_named_and_the_exit_code_says_so(folder: Path, sanya: Run) -> None:
    (folder / "bad.json").write_text('{"symbol": "X"}', encoding="utf-8")
    ran = sanya("funds", "import", str(folder), "--json")
    assert ran.code == 1
    assert ran.json["created"] == 2
    assert ran.json["refused"] == [{"place": "bad.json", "reason": "fund_id is missing"}]


def test_a_path_without_funds_is_explained(tmp_path: Path, sanya: Run) -> None:
    ran = sanya("funds", "import", str(tmp_path))
    assert ran.code == 1
    assert "name a folder of fund JSON files" in ran.err


def test_demo_funds_are_listed_until_real_ones_come(folder: Path, sanya: Run) -> None:
    assert "These are sample funds" in sanya("funds", "list").out
    sanya("funds", "import", str(folder))
    listed = sanya("funds", "list", "--sort", "risk", "--ascending").out
    assert "sample" not in listed
    assert listed.index("SLIPPED") < listed.index("GOOD RMF")


def test_a_fund_is_shown_with_labels_for_people_and_returns_beside_the_benchmark(sanya: Run) -> None:
    shown = sanya("funds", "show", "ABAPAC-RMF").out
    lines = [line.split() for line in shown.splitlines()]
    assert ["YTD", "+8.80%", "+18.78%", "-9.98%", "+8.80%"] in lines
    assert "perf_ytd" not in shown
    assert "days old" in shown
    assert "ผู้จัดการ" in sanya("funds", "show", "ABAPAC-RMF", "--lang", "th").out
    compared = [line.split() for line in sanya("funds", "compare", "ABAPAC-RMF", "B-ASIARMF").out.splitlines()]
    assert ["risk", "6/8", "6/8"] in compared
    assert ["YTD", "+8.80%", "+21.34%"] in compared


def test_one_fund_several_and_a_chart_are_shown(sanya: Run) -> None:
    assert "15.626" in sanya("funds", "show", "abapac-rmf").out
    assert "เปรียบเทียบ" in sanya("funds", "compare", "ABAPAC-RMF", "B-ASIARMF", "--lang", "th").out
    chart = sanya("funds", "chart", "ABAPAC-RMF", "--days", "90").out
    assert "2025-11-07" in chart
    assert any("\u2800" < character <= "\u28ff" for character in chart)


def test_an_unknown_code_is_answered_with_the_nearest(sanya: Run) -> None:
    ran = sanya("funds", "show", "ABAPAC")
    assert ran.code == 1
    assert "Nearest codes: ABAPAC-RMF" in ran.err


def test_a_value_out_of_bounds_is_a_sentence(sanya: Run) -> None:
    ran = sanya("funds", "chart", "ABAPAC-RMF", "--days", "9999")
    assert ran.code == 1
    assert "days must be at most 365" in ran.err


def test_a_chart_begins_low_and_ends_high_when_nav_rises() -> None:
    lines = list(draw_chart([("2025-01-01", 1.0), ("2025-01-02", 2.0)], columns=40))
    assert lines[0].startswith(" 2.0000")
    assert lines[-2].startswith(" 1.0000")
    assert len(lines[0]) > len(lines[-2])
    assert lines[-1].split() == ["2025-01-01", "2025-01-02"]


def test_a_flat_or_a_single_point_is_drawn_and_nothing_is_no_line() -> None:
    assert len(list(draw_chart([("2025-01-01", 1.0)], columns=40))) == 13
    assert list(draw_chart([])) == []


def test_a_sync_without_a_key_says_where_to_get_one(sanya: Run) -> None:
    ran = sanya("funds", "sync")
    assert ran.code == 1
    assert "sanya settings set thai_sec_key" in ran.err


def test_a_day_that_is_none_is_refused_before_anything_is_asked(sanya: Run) -> None:
    ran = sanya("funds", "sync", "--since", "yesterday")
    assert (ran.code, "31/01/2568" in ran.err) == (1, True)


async def test_a_sync_fills_a_home_from_open_data(sanya: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_data_served() as server:
        monkeypatch.setenv("SANYA_THAI_SEC_URL", server.url)
        monkeypatch.setenv("SANYA_THAI_SEC_KEY", KEY)
        ran = await asyncio.to_thread(sanya, "funds", "sync", "--since", "01/01/2568", "--json")
        listed = await asyncio.to_thread(sanya, "funds", "list")
    assert ran.code == 0
    assert (ran.json["projects"], ran.json["written"]["created"]) == (2, 2)
    assert "TWO-RMF(A)" in listed.out
