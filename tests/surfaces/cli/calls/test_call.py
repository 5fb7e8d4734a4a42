from __future__ import annotations

import json
import os
import pty
import signal
import sqlite3
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.surfaces.cli.conftest import PROGRAM, TIMEOUT_S

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run


def test_the_body_comes_out_as_one_line_of_json(sanya_process: Run) -> None:
    ran = sanya_process("call", "get_tasks", '{"limit": 2}')
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("\n") == 1
    assert len(ran.json["items"]) == 2
    assert ran.json["next_cursor"]


def test_a_fault_is_the_suites_error_object_and_exit_code_1(sanya_process: Run) -> None:
    ran = sanya_process("call", "get_tasks", '{"limit": 501}')
    assert (ran.code, ran.err) == (1, "")
    assert ran.json["code"] == "INVALID_ARGUMENT"
    assert "limit must be at most 500, got 501" in ran.json["message"]
    assert set(ran.json) == {"code", "message", "retry_after_ms", "details"}


def test_arguments_come_from_stdin_or_a_file_as_well(tmp_path: Path, sanya: Run, sanya_process: Run) -> None:
    query = {"query": "รายงาน"}
    (tmp_path / "arguments.json").write_text(json.dumps(query), encoding="utf-8")
    direct = sanya("call", "search_tasks", json.dumps(query, ensure_ascii=False)).json
    assert direct["items"]
    assert sanya("call", "search_tasks", f"@{tmp_path / 'arguments.json'}").json == direct
    assert sanya_process("call", "search_tasks", "-", stdin=json.dumps(query).encode()).json == direct


def test_many_calls_are_made_in_one_process_a_line_each(sanya: Run, sanya_process: Run) -> None:
    lines = b'{"tool": "get_tasks", "arguments": {"limit": 2}}\n{"tool": "get_tasks", "arguments": {"limit": 501}}\n'
    ran = sanya_process("call", "--lines", stdin=lines + b'{"tool": "tasks://task/sample-fix-tap"}\n')
    good, bad, read = map(json.loads, ran.out.splitlines())
    assert (ran.code, ran.err) == (1, "")
    assert (good["ok"], len(good["body"]["items"]), good["stamp"]["status"]) == (True, 2, "ok")
    assert (bad["ok"], bad["error"]["code"]) == (False, "INVALID_ARGUMENT")
    assert read["body"]["id"] == "sample-fix-tap"
    assert sanya_process("call", "--lines", stdin=b"[]\n").code == 2
    assert sanya("call").code == 2
    assert sanya("call", "get_tasks", "--lines").code == 2


def test_no_arguments_are_an_empty_object(sanya: Run) -> None:
    assert sanya("call", "get_projects").json == sanya("call", "get_projects", "{}").json


def test_the_stamp_goes_to_stderr_and_its_id_is_in_the_ledger(sanya: Run) -> None:
    ran = sanya("call", "get_tasks", "{}", "--stamp")
    stamp = json.loads(ran.err)
    row = sanya("audit", "show", stamp["id"], "--json").json
    assert (row["out_hash"], row["in_hash"], row["surface"]) == (stamp["out_hash"], stamp["in_hash"], "cli")


def test_a_resource_is_read_by_its_address(sanya: Run) -> None:
    task = sanya("call", "get_tasks", '{"limit": 1}').json["items"][0]
    assert sanya("call", f"tasks://task/{task['id']}").json == task
    assert sanya("call", "tasks://task/none").json["code"] == "NOT_FOUND"


def test_an_unknown_tool_gets_its_neighbours(sanya: Run) -> None:
    ran = sanya("call", "get_task")
    assert ran.code == 1
    assert "did you mean get_tasks" in ran.json["message"]


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ('{"limit": 3,}', "column 12"),
        ("{limit: 3}", "column 2"),
        ('{"a": 1\n"b": 2}', "line 2, column 1"),
        ("", "column 1"),
        ('{"query": ก}', "column 11"),
    ],
)
def test_what_is_not_json_is_wrong_usage_and_shows_the_place(word: str, says: str, home: Path, sanya: Run) -> None:
    ran = sanya("call", "get_tasks", word)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert "A valid example" in ran.err
    shown, mark = ran.err.splitlines()[1:3]
    assert mark.strip() == "^"
    assert len(mark) <= len(shown) + 1, "the mark stands below the line"
    assert not home.exists(), "nothing is opened for a call that cannot be read"


def test_arguments_that_are_no_object_are_refused_by_the_tool(sanya: Run) -> None:
    ran = sanya("call", "get_tasks", "[1]")
    assert ran.code == 1
    assert ran.json["code"] == "INVALID_ARGUMENT"


def test_a_missing_file_is_one_sentence(sanya: Run) -> None:
    ran = sanya("call", "get_tasks", "@/nowhere/arguments.json")
    assert ran.code == 1
    assert ran.err == "sanya: /nowhere/arguments.json: no such file or directory\n"


@pytest.mark.parametrize("content", [b"not a database, not at all" * 200])
def test_a_home_that_cannot_be_opened_is_one_sentence(content: bytes, home: Path, sanya_process: Run) -> None:
    home.mkdir()
    (home / "sanya.db").write_bytes(content)
    ran = sanya_process("call", "get_tasks")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("sanya: the database ")
    assert ran.err.count("\n") == 1


def test_a_locked_database_is_one_sentence(home: Path, sanya_process: Run) -> None:
    assert sanya_process("call", "get_tasks").code == 0
    with closing(sqlite3.connect(home / "sanya.db", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        ran = sanya_process("call", "get_tasks")
    assert ran.code == 1
    assert "locked" in ran.err + ran.out
    assert "Traceback" not in ran.err


def test_a_bad_setting_is_one_sentence(sanya_process: Run) -> None:
    ran = sanya_process("call", "get_tasks", environ={"SANYA_TIME_ZONE": "Bangkok/Asia"})
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "sanya: environment: time_zone takes an IANA name such as Asia/Bangkok, got 'Bangkok/Asia'\n"


def test_ctrl_c_ends_it_without_a_trace(home: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "arguments"
    os.mkfifo(pipe)
    command = [str(PROGRAM), "call", "get_tasks", f"@{pipe}", "--home", str(home)]
    with (
        ThreadPoolExecutor() as waiter,
        subprocess.Popen(
            # Whoever runs these tests in the background has them ignore the signal, and their children with them.
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        ) as program,
    ):
        # Our end opens when the program opens its own: from then on it waits for arguments.
        end = waiter.submit(os.open, pipe, os.O_WRONLY).result(timeout=TIMEOUT_S)
        try:
            program.send_signal(signal.SIGINT)
            out, err = program.communicate(timeout=TIMEOUT_S)
        finally:
            os.close(end)
            program.kill()
    assert (program.returncode, out, err) == (130, b"", b"")


def test_a_terminal_gets_pretty_json(home: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [str(PROGRAM), "call", "get_projects", "{}", "--home", str(home)], stdout=theirs, stderr=theirs
    ) as program:
        os.close(theirs)
        shown = b""
        while chunk := _read(ours):
            shown += chunk
        assert program.wait(timeout=TIMEOUT_S) == 0
    os.close(ours)
    assert shown.startswith(b'{\r\n  "items": [')
    assert json.loads(shown)["items"]


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # how Linux says that the other end of a terminal was closed
        return b""


def test_arguments_that_have_a_name_twice_are_refused(sanya: Run) -> None:
    ran = sanya("call", "get_tasks", '{"limit": 2, "limit": 3}')
    assert ran.code == 2 and "'limit' stands twice" in ran.err
