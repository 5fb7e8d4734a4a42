from __future__ import annotations

import sys
from importlib.util import find_spec
from types import ModuleType

import orjson
import pytest

from benchmarks import __main__ as runner
from benchmarks.load import content_length
from benchmarks.result import judged


@pytest.mark.parametrize("module", runner.BENCHMARKS.values())
def test_every_listed_benchmark_exists(module: str) -> None:
    assert find_spec(module) is not None


def test_a_ratio_is_judged_in_the_direction_of_its_goal() -> None:
    assert judged("a", 30, 10, (">=", 2.5))["holds"]
    assert not judged("a", 20, 10, (">=", 2.5))["holds"]
    assert judged("a", 10, 10, ("<=", 1.0))["holds"]
    assert not judged("a", 11, 10, ("<=", 1.0))["holds"]


def test_an_unknown_name_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert runner.main(["speed"]) == 2
    assert "tools_call_vs_sdk" in capsys.readouterr().err


def test_a_run_ends_with_one_line_of_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    module = ModuleType("a_benchmark")
    module.run = lambda: judged("small", 3, 1, (">=", 2))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "a_benchmark", module)
    monkeypatch.setitem(runner.BENCHMARKS, "small", "a_benchmark")
    assert runner.main(["small"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert orjson.loads(last) == {"name": "small", "ours": 3, "peer": 1, "ratio": 3, "goal": 2, "holds": True}


def test_the_load_reads_the_length_of_an_answer_however_it_is_spelt() -> None:
    assert content_length(b"HTTP/1.1 200 OK\r\nContent-LENGTH: 42\r\nServer: x") == 42
