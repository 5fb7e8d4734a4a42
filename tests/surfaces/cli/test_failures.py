from __future__ import annotations

import pytest

from sanya.kernel.faults import StoreUnavailable
from sanya.settings import BadSetting
from sanya.surfaces.cli.failures import CommandFailed, run_and_explain
from sanya.surfaces.cli.main import UsageError


def raising(error: BaseException) -> int:
    def run() -> int:
        raise error

    return run_and_explain(run)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (CommandFailed("do this"), "sanya: do this\n"),
        (BadSetting("port takes number"), "sanya: port takes number\n"),
        (StoreUnavailable("it is locked", hint="wait"), "sanya: it is locked (wait)\n"),
        (FileNotFoundError(2, "No such file or directory", "/x"), "sanya: /x: no such file or directory\n"),
        (ExceptionGroup("two", [StoreUnavailable("it is locked")]), "sanya: it is locked\n"),
    ],
)
def test_an_expected_failure_is_one_sentence(error: Exception, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert raising(error) == 1
    assert capsys.readouterr() == ("", says)


def test_a_mistake_of_ours_shows_its_trace_only_on_request(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SANYA_LOG_LEVEL", raising=False)
    assert raising(ZeroDivisionError("oops")) == 1
    said = capsys.readouterr().err
    assert "a bug in Sanya: ZeroDivisionError: oops" in said
    assert "Traceback" not in said
    monkeypatch.setenv("SANYA_LOG_LEVEL", "debug")
    assert raising(ZeroDivisionError("oops")) == 1
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("error", [UsageError("x"), BrokenPipeError(), KeyboardInterrupt()])
def test_what_the_entry_itself_handles_is_passed_on(error: BaseException) -> None:
    with pytest.raises(type(error)):
        raising(error)
