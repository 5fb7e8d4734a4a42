"""No control character of somebody else's text reaches a terminal: neither ESC nor the C1 controls that mean the same
(U+009B begins a sequence, U+009D a title), nor the bidirectional controls, which show text in another order."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sanya.surfaces.cli.output.terminal import BAD, GOOD, paint, write_json, write_line, write_note
from tests.surfaces.cli.output.test_output import Terminal, show

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run

__all__ = ["show"]

UNSAFE = [
    *map(chr, (*range(9), *range(0x0B, 0x20), *range(0x7F, 0xA0))),
    *"\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
]
HOSTILE = "น้ำ\x9b31mred\x9d0;title\x9c\u202eevil\u2066x\u2069\x1b[2J\x7f ok"
FOUND = re.compile("[" + "".join(map(re.escape, UNSAFE)) + "]")


def find_unsafe(text: str) -> list[str]:
    return FOUND.findall(re.sub("\x1b\\[(?:31|32|33|0)m", "", text))


@pytest.mark.parametrize("write", [write_line, write_note, write_json])
def test_no_unsafe_character_is_written(write: Callable[[str], None], show: Callable[[], Terminal]) -> None:
    for character in UNSAFE:
        terminal = show()
        write(f"a{character}b")
        assert find_unsafe(terminal.getvalue()) == [], hex(ord(character))
        assert f"\\u{ord(character):04x}" in terminal.getvalue() or character in "\b\f\r", "it is shown, not dropped"


def test_json_keeps_its_value(show: Callable[[], Terminal]) -> None:
    terminal = show()
    value = {"".join(UNSAFE): HOSTILE}
    write_json(value)
    assert json.loads(terminal.getvalue()) == value


def test_lines_keep_their_breaks_tabs_thai_and_our_own_colours(show: Callable[[], Terminal]) -> None:
    terminal = show()
    write_line(f"{paint('ดี', GOOD)}\ta\r\nb\u200bค {paint('ไม่ดี', BAD)}")
    assert terminal.getvalue() == "\x1b[32mดี\x1b[0m\ta\r\nb\u200bค \x1b[31mไม่ดี\x1b[0m\n"


@pytest.mark.usefixtures("begun_home")
def test_no_command_writes_it(home: Path, tmp_path: Path, sanya: Run) -> None:
    (tmp_path / "tasks.csv").write_text(f'title,notes\n"{HOSTILE}","{HOSTILE}"\n', encoding="utf-8")
    assert sanya("tasks", "import", str(tmp_path / "tasks.csv")).code == 0
    sent = sanya("call", "send_memory", json.dumps({"content": f"Somchai lives in {HOSTILE}."}))
    assert sent.code == 0, sent.out
    with closing(sqlite3.connect(home / "sanya.db")) as connection, connection:
        connection.execute("UPDATE keys SET name = ?", (HOSTILE,))
    memory_id = sent.json["memory_id"]
    exported = [json.loads(line) for line in sanya("memory", "export").out.splitlines()]
    assert any(HOSTILE in row["row"]["content"] for row in exported if row.get("table") == "memories")
    commands: list[tuple[str, ...]] = [
        ("call", "get_tasks", "{}"),
        ("call", "search_tasks", json.dumps({"query": HOSTILE})),
        ("call", "get_tasks", json.dumps({HOSTILE: 1})),
        ("call", HOSTILE, "{}"),
        ("memory", "search", HOSTILE),
        ("memory", "show", memory_id),
        ("memory", "show", HOSTILE),
        ("memory", "export"),
        ("audit", "list", "--tool", HOSTILE),
        ("audit", "list"),
        ("audit", "list", "--json"),
        ("audit", "show", HOSTILE),
        ("replay", HOSTILE),
        ("keys", "revoke", HOSTILE),
        ("settings", "set", HOSTILE, HOSTILE),
        ("herbs", "check", HOSTILE),
        ("tasks", "import", f"/{HOSTILE}"),
        (HOSTILE,),
        ("memory", HOSTILE),
        ("audit", "list", "--limit", HOSTILE),
        ("settings", "set", "time_zone", HOSTILE),
        ("tasks", "import", str(tmp_path / "tasks.csv")),
    ]
    for words in commands:
        ran = sanya(*words)
        assert find_unsafe(ran.out + ran.err) == [], (words, ran)


@pytest.mark.usefixtures("begun_home")
def test_lines_of_calls_are_safe_too(sanya_process: Run) -> None:
    request = json.dumps({"tool": "search_tasks", "arguments": {"query": HOSTILE}}).encode() + b"\n"
    ran = sanya_process("call", "--lines", stdin=request * 2)
    assert len(ran.out.splitlines()) == 2
    assert find_unsafe(ran.out + ran.err) == []
