from __future__ import annotations

import io
import sys
from collections.abc import Callable

import pytest

from sanya.kernel.calls.call import Progress
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import format_table, measure_width, write_table
from sanya.surfaces.cli.output.terminal import paint, write_json


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Terminal]:
    """Replace both streams by a terminal on call: pytest resets the streams before each test."""

    def place() -> Terminal:
        terminal = Terminal()
        monkeypatch.setattr(sys, "stdout", terminal)
        monkeypatch.setattr(sys, "stderr", terminal)
        return terminal

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return place


def test_columns_line_up_though_letters_are_thai_or_wide() -> None:
    lines = list(format_table(("name", "n"), [("น้ำ", "1"), ("漢字", "2"), ("abc", "3")]))
    assert [measure_width(line) for line in lines] == [7, 7, 7, 7]


def test_a_row_is_one_line_and_cannot_move_the_cursor() -> None:
    (_, line) = format_table(("a",), [("two\nlines \x1b[31mred\x07",)])
    assert line == "two lines  [31mred"


def test_json_is_compact_for_programs_and_pretty_for_people(
    show: Callable[[], Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = show()
    write_json({"a": [1]})
    assert terminal.getvalue() == '{\n  "a": [\n    1\n  ]\n}\n'
    plain = io.StringIO()
    monkeypatch.setattr(sys, "stdout", plain)
    write_json({"a": [1]})
    assert plain.getvalue() == '{"a":[1]}\n'


def test_markup_in_somebodys_text_is_only_text(show: Callable[[], Terminal]) -> None:
    terminal = show()
    write_table(("title",), [("[red]stop[/red]",)])
    assert "[red]stop[/red]" in terminal.getvalue()


def test_colours_are_for_terminals_that_want_them(
    show: Callable[[], Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = show()
    assert paint("x", "red") == "\x1b[31mx\x1b[0m"
    assert paint("x", "cyan") == "\x1b[36mx\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert paint("x", "red") == "x"
    write_table(("a",), [("b",)])
    assert "\x1b[3" not in terminal.getvalue(), "no colour; bold may stay"


def test_a_bar_is_drawn_on_a_terminal_from_the_first_report_on(show: Callable[[], Terminal]) -> None:
    terminal = show()
    with progress_bar("work") as report:
        assert terminal.getvalue() == ""
        report(Progress(1, 2, "half [bold]done"))
    assert "work" in terminal.getvalue()


def test_no_bar_is_drawn_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("work") as report:
        report(Progress(1, 2))
    assert capsys.readouterr() == ("", "")
