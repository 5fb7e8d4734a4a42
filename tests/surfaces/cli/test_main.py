from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from sanya import __version__
from sanya.surfaces.cli.main import COMMANDS, UsageError, main, take_home

PROGRAM = str(Path(sys.executable).parent / "sanya")


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["help"]])
def test_help_lists_every_command(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    out = capsys.readouterr().out
    for name, (help, _) in COMMANDS.items():
        assert f"  {name} " in out
        assert help in out


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from sanya.surfaces.cli.main import main; main(['--help']); "
        "heavy = {'typing', 'argparse', 'asyncio', 'pydantic', 'rich', 'json', 'orjson', 're'} & set(sys.modules); "
        "sys.exit(str(sorted(heavy)) if heavy else 0)"
    )
    # -S: what a site's own .pth files import is not ours to answer for.
    source = str(Path(import_module("sanya").__file__ or "").parent.parent)
    ended = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {source!r}); {code}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert f"usage: sanya {name}" in out
    assert COMMANDS[name][0].split(",")[0][:40] in " ".join(out.split())


def test_help_of_a_command_may_be_asked_for_either_way(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["help", "call"])
    assert "usage: sanya call" in capsys.readouterr().out


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert re.fullmatch(rf"sanya {re.escape(__version__)}( \(commit [0-9a-f]{{12}}\))?\n", capsys.readouterr().out)


def test_a_mistyped_command_gets_its_neighbour(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clal"]) == 2
    said = capsys.readouterr()
    assert "did you mean `sanya call`" in said.err
    assert said.out == ""


@pytest.mark.parametrize(
    ("words", "says"),
    [(["--port", "1"], "--port"), (["help", "nothing"], "nothing"), (["--home"], "--home needs a folder")],
)
def test_what_cannot_be_read_is_named_and_is_wrong_usage(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["--home", "h", "call", "t"],
        ["call", "--home", "h", "t"],
        ["call", "t", "--home", "h"],
        ["--home=h", "call", "t"],
        ["call", "t", "--home=h"],
    ],
)
def test_the_home_may_stand_before_or_after_the_command(words: list[str]) -> None:
    assert take_home(words) == ("h", ["call", "t"])


def test_after_two_dashes_the_words_are_the_commands_own() -> None:
    assert take_home(["call", "--", "--home", "x"]) == (None, ["call", "--", "--home", "x"])


def test_a_home_without_a_folder_is_refused() -> None:
    with pytest.raises(UsageError, match="needs a folder"):
        take_home(["call", "--home="])


def test_a_reader_that_goes_away_ends_us_without_a_word() -> None:
    program: subprocess.Popen[Any] = subprocess.Popen(
        [PROGRAM, "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    assert program.stdout is not None
    assert program.stderr is not None
    with program.stderr as errors:
        program.stdout.close()
        assert errors.read() == b""
    assert program.wait(timeout=60) in (0, 141)


def test_a_locale_without_our_letters_still_gets_them_as_utf8(home: Path) -> None:
    environ = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for words in (["--help"], ["doctor", "--home", str(home)]):
        ended = subprocess.run([PROGRAM, *words], capture_output=True, env=environ, timeout=60, check=False)
        assert (ended.returncode, ended.stderr) == (0, b"")
        assert not ended.stdout.decode("utf-8").isascii()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_a_full_disk_is_one_sentence(home: Path) -> None:
    for words in (["--help"], ["settings", "--home", str(home)]):
        with Path("/dev/full").open("wb") as full:
            ended = subprocess.run([PROGRAM, *words], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
        assert ended.returncode == 1
        assert ended.stderr.count(b"\n") == 1
        assert ended.stderr.startswith(b"sanya: ")
