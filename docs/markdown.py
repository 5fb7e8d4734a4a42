"""Renders the Markdown that the generated pages need: tables and code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def render_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(_escape_cell(cell) for cell in line) + " |" for line in lines)


def mark_code(text: str) -> str:
    return f"`{text}`" if text else ""


def _escape_cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
