"""Each parser reads a file of its format as a person read it (`files/*.golden.json`)."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from sanya.suites.tasks.importing.formats import FORMATS, detect_format, open_task_file
from sanya.suites.tasks.importing.rows import ImportedTask, ParsedRow

FILES = Path(__file__).parent / "files"
BANGKOK = ZoneInfo("Asia/Bangkok")
FORMAT_OF = {
    "todo.txt": "todotxt",
    "taskwarrior.json": "taskwarrior",
    "calendar.ics": "ical",
    "tasks.csv": "csv",
    "tasks-th.csv": "csv",
}


def as_json(row: ParsedRow) -> dict[str, Any]:
    """Return a row without the fields that have their default."""
    fields = asdict(row)
    if isinstance(row, ImportedTask):
        usual = asdict(ImportedTask(line=0, title=""))
        fields = {name: value for name, value in fields.items() if value != usual[name]}
    shown = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in fields.items()}
    plain: dict[str, Any] = json.loads(json.dumps({"kind": type(row).__name__, **shown}))
    return plain


@pytest.mark.parametrize("name", FORMAT_OF)
def test_a_file_is_read_as_expected(name: str) -> None:
    found = open_task_file((FILES / name).read_bytes(), BANGKOK, name=name)
    expected = json.loads((FILES / f"{name}.golden.json").read_text(encoding="utf-8"))
    assert [as_json(row) for row in found.parse_rows()] == expected


@pytest.mark.parametrize("name", FORMAT_OF)
def test_a_format_is_known_by_contents_alone(name: str) -> None:
    assert detect_format((FILES / name).read_bytes()) == FORMAT_OF[name]


@pytest.mark.parametrize("name", FORMAT_OF)
def test_utf_16_from_a_spreadsheet_reads_the_same(name: str) -> None:
    text = (FILES / name).read_bytes().decode("utf-8-sig", "replace")
    expected = list(open_task_file(text.encode("utf-8"), BANGKOK, name=name).parse_rows())
    assert list(open_task_file(text.encode("utf-16"), BANGKOK, name=name).parse_rows()) == expected


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "data", [b"", b"\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\x00", b"\xff" * 100, b'"', b"[", b"BEGIN:VTODO"]
)
def test_no_bytes_at_all_make_a_parser_fail(format: Any, data: bytes) -> None:
    for row in open_task_file(data, BANGKOK, format=format).parse_rows():
        assert row.line >= 1
