"""Every table and every chart of the pages can be saved, because one component makes each of them."""

from __future__ import annotations

from pathlib import Path

WEB = Path(__file__).parents[2] / "web/src"
# Paper has no buttons.
TABLES = {"parts/table.tsx", "pages/herbs/printed_sheet.tsx"}
# An icon is no chart, and a sparkline repeats a chart of its page.
DRAWINGS = {"parts/exports.tsx", "parts/icon.tsx", "parts/containers.tsx"}


def find_sources(folder: Path, *marks: str) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.tsx")
        if any(mark in path.read_text("utf-8") for mark in marks)
    }


def test_tables_and_drawings_of_the_console_come_from_the_components_that_save_them() -> None:
    assert find_sources(WEB / "console", "<table") == TABLES
    assert find_sources(WEB / "console", "<svg") == DRAWINGS


def test_every_widget_saves_its_figures() -> None:
    assert find_sources(WEB / "views", "<section") == find_sources(WEB / "views", "<Saves")
