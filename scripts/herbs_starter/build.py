"""From the folder of fact tables to the content of the starter file."""

from __future__ import annotations

from pathlib import Path

from scripts.herbs_starter.cautions import add_warnings
from scripts.herbs_starter.herbs import add_constituents, add_formulations, add_herbs, add_papers
from scripts.herbs_starter.indications import add_indications
from scripts.herbs_starter.lines import Lines
from scripts.herbs_starter.tables import read_tables


def build(folder: Path) -> bytes:
    tables = read_tables(folder)
    lines = Lines()
    for row in tables.sources:
        lines.source(row)
    for add in (add_herbs, add_constituents, add_formulations, add_indications, add_papers, add_warnings):
        add(lines, tables)
    return lines.content()
