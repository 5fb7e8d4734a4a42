from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import orjson
import pytest

from benchmarks import __main__ as runner
from benchmarks import page
from benchmarks.figures import FIGURES, Figure
from benchmarks.load import read_content_length
from benchmarks.result import judge_ratio


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_every_listed_benchmark_exists(figure: Figure) -> None:
    assert find_spec(f"benchmarks.{figure.module}") is not None


def test_a_ratio_is_judged_in_the_direction_of_its_goal() -> None:
    assert judge_ratio("a", 30, 10, (">=", 2.5))["holds"]
    assert not judge_ratio("a", 20, 10, (">=", 2.5))["holds"]
    assert judge_ratio("a", 10, 10, ("<=", 1.0))["holds"]
    assert not judge_ratio("a", 11, 10, ("<=", 1.0))["holds"]


def test_an_unknown_name_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert runner.main(["speed"]) == 2
    assert "tools_call_vs_sdk" in capsys.readouterr().err


def test_a_run_ends_with_one_line_of_json_and_its_row_on_the_page(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    module = ModuleType("benchmarks.a_benchmark")
    module.run = lambda: judge_ratio("small", 3, 1, (">=", 2))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(FIGURES, "small", Figure("a_benchmark", "Nothing much", "nothing"))
    for name in ("KEPT", "PAGE", "PLOT"):
        monkeypatch.setattr(page, name, tmp_path / name)
    assert runner.main(["small"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    expected = {"name": "small", "ours": 3, "peer": 1, "ratio": 3, "sign": ">=", "goal": 2, "holds": True}
    assert orjson.loads(last) == expected
    assert "| Nothing much (`small`) | 3 | nothing | 1 | 3.00 | ≥ 2 | yes |" in (tmp_path / "PAGE").read_text("utf-8")
    assert "×1.50" in (tmp_path / "PLOT").read_text("utf-8")


def test_a_figure_that_was_not_measured_again_keeps_its_day(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("KEPT", "PAGE", "PLOT"):
        monkeypatch.setattr(page, name, tmp_path / name)
    page.keep([judge_ratio("cli_help", 2, 1, ("<=", 3))])
    kept = page.read_kept()
    kept["cli_help"]["on"] = "2026-01-01"
    page.KEPT.write_bytes(orjson.dumps(kept))
    page.keep([judge_ratio("segmentation", 2, 1, ("<=", 1.2))])
    assert page.read_kept()["cli_help"]["on"] == "2026-01-01"
    assert "**no**" in page.PAGE.read_text("utf-8")


def test_the_published_page_is_made_from_what_was_kept() -> None:
    assert page.PAGE.read_text("utf-8") == page.render_page(page.read_kept())
    assert page.PLOT.read_text("utf-8") == page.plot(page.read_kept())


def test_the_load_reads_the_length_of_an_answer_however_it_is_spelt() -> None:
    assert read_content_length(b"HTTP/1.1 200 OK\r\nContent-LENGTH: 42\r\nServer: x") == 42
