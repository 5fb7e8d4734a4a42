from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sanya.surfaces.clients import CLIENTS, UserEnvironment

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run

WITH_FILES = sorted(
    name for name, client in CLIENTS.items() if client.file is not None and client.file_format == "json"
)
"""Clients with a file in JSON; those in other forms are in `test_client_files.py`."""


def file_of(name: str, user: Path) -> Path:
    locate = CLIENTS[name].file
    assert locate is not None
    return locate(UserEnvironment(sys.platform, {"APPDATA": str(user / "AppData" / "Roaming")}, user))


@pytest.mark.parametrize("name", WITH_FILES)
def test_what_is_printed_starts_this_installation_on_this_home(name: str, home: Path, sanya: Run) -> None:
    ran = sanya("connect", name)
    assert ran.code == 0
    entry = ran.json[CLIENTS[name].section]["sanya"]
    assert Path(entry["command"]).is_absolute()
    assert Path(entry["command"]).exists()
    assert entry["args"] == ["mcp", "--home", str(home), "--tool-names", "portable"]
    assert not home.exists(), "printing a configuration makes no home"


@pytest.mark.parametrize("name", WITH_FILES)
def test_a_missing_file_is_made(name: str, own_user: Path, sanya: Run) -> None:
    assert sanya("connect", name, "--write").code == 0
    config = json.loads(file_of(name, own_user).read_text(encoding="utf-8"))
    assert list(config) == [CLIENTS[name].section]
    assert list(config[CLIENTS[name].section]) == ["sanya"]


@pytest.mark.parametrize("name", WITH_FILES)
def test_everything_else_in_the_file_stays_in_its_order_with_a_backup(name: str, own_user: Path, sanya: Run) -> None:
    section = CLIENTS[name].section
    before = {
        "theme": "สว่าง",
        section: {"other": {"command": "x"}, "sanya": {"command": "old"}},
        "n": 12345678901234567890,
    }
    path = file_of(name, own_user)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(before, indent=4, ensure_ascii=False), encoding="utf-8")
    path.chmod(0o640)
    assert sanya("connect", name, "--write").code == 0
    text = path.read_text(encoding="utf-8")
    after = json.loads(text)
    assert list(after) == ["theme", section, "n"]
    assert (after["theme"], after["n"]) == (before["theme"], before["n"])
    assert after[section]["other"] == {"command": "x"}
    assert after[section]["sanya"]["args"][0] == "mcp"
    assert '\n    "theme": "สว่าง"' in text, "indentation and letters stay as they were"
    assert path.stat().st_mode & 0o777 == 0o640
    assert json.loads(path.with_name(f"{path.name}.backup-1").read_text(encoding="utf-8")) == before


def test_writing_twice_changes_nothing_the_second_time(own_user: Path, sanya: Run) -> None:
    sanya("connect", "cursor", "--write")
    path = file_of("cursor", own_user)
    first = path.read_bytes()
    ran = sanya("connect", "cursor", "--write")
    assert "already has this entry" in ran.out
    assert path.read_bytes() == first
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_an_earlier_backup_is_never_lost(own_user: Path, sanya: Run) -> None:
    path = file_of("cursor", own_user)
    path.parent.mkdir()
    path.write_text('{"first": 1}', encoding="utf-8")
    sanya("connect", "cursor", "--write")
    sanya("connect", "cursor", "--write", "--http")
    assert (path.parent / "mcp.json.backup-1").read_text(encoding="utf-8") == '{"first": 1}'
    assert (path.parent / "mcp.json.backup-2").exists()


@pytest.mark.parametrize("name", WITH_FILES)
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"a": 1,,}', "column"),
        (b'{\n  // mine\n  "a" 1\n}', "line 3, column 7"),
        (b"[1, 2]", "JSON object"),
        (b'{"mcpServers": [], "servers": "x", "context_servers": 1}', "not a JSON object"),
        (b'{"a": 1, "a": 2}', "twice"),
        (b'{"a": "\xff"}', "not UTF-8"),
    ],
)
def test_a_file_that_a_rewrite_would_spoil_is_left_alone(
    name: str, content: bytes, says: str, own_user: Path, sanya: Run
) -> None:
    path = file_of(name, own_user)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    ran = sanya("connect", name, "--write")
    assert ran.code == 1
    assert says in ran.err
    assert "by hand" in ran.err
    assert path.read_bytes() == content
    assert "sanya" in ran.json[CLIENTS[name].section], "the entry to paste is printed"


@pytest.mark.parametrize("content", [b"", b"  \n", b"\xef\xbb\xbf{}"])
def test_an_empty_file_is_filled(content: bytes, own_user: Path, sanya: Run) -> None:
    path = file_of("cursor", own_user)
    path.parent.mkdir()
    path.write_bytes(content)
    assert sanya("connect", "cursor", "--write").code == 0
    assert "sanya" in json.loads(path.read_text(encoding="utf-8"))["mcpServers"]


def test_a_linked_file_stays_linked(own_user: Path, tmp_path: Path, sanya: Run) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}", encoding="utf-8")
    path = file_of("cursor", own_user)
    path.parent.mkdir()
    path.symlink_to(real)
    assert sanya("connect", "cursor", "--write").code == 0
    assert path.is_symlink()
    assert "sanya" in json.loads(real.read_text(encoding="utf-8"))["mcpServers"]


def test_an_address_comes_from_the_settings_or_the_command_line(sanya: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANYA_HOST", "::1")
    monkeypatch.setenv("SANYA_PORT", "9001")
    assert sanya("connect", "cursor", "--http").json["mcpServers"]["sanya"] == {"url": "http://[::1]:9001/mcp/portable"}
    entry = sanya("connect", "vscode", "--http", "https://s.example/mcp", "--key", "k").json["servers"]["sanya"]
    assert entry == {"type": "http", "url": "https://s.example/mcp", "headers": {"Authorization": "Bearer k"}}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["claude-desktop", "--http"], "leave out --http"),
        (["cursor", "--key", "k"], "--key needs --http"),
        (["chatgpt", "--write"], "no configuration file"),
        (["emacs"], "claude-desktop"),
    ],
)
def test_what_a_client_cannot_do_is_wrong_usage_and_says_so(words: list[str], says: str, sanya: Run) -> None:
    ran = sanya("connect", *words)
    assert ran.code == 2
    assert says in ran.err


def test_chatgpt_gets_steps_with_the_address(sanya: Run) -> None:
    assert "https://s.example/mcp" in sanya("connect", "chatgpt", "--http", "https://s.example/mcp").out
    assert "https://YOUR-ADDRESS/mcp/portable" in sanya("connect", "chatgpt").out


@pytest.mark.parametrize(
    ("platform", "environ", "name", "where"),
    [
        ("darwin", {}, "claude-desktop", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("darwin", {}, "vscode", "Library/Application Support/Code/User/mcp.json"),
        ("win32", {}, "claude-desktop", "AppData/Roaming/Claude/claude_desktop_config.json"),
        ("win32", {"APPDATA": "/u/roam"}, "vscode", "/u/roam/Code/User/mcp.json"),
        ("linux", {}, "vscode", ".config/Code/User/mcp.json"),
        ("linux", {"XDG_CONFIG_HOME": "/u/conf"}, "claude-desktop", "/u/conf/Claude/claude_desktop_config.json"),
        ("linux", {}, "claude-code", ".claude.json"),
        ("linux", {"CLAUDE_CONFIG_DIR": "/u/claude"}, "claude-code", "/u/claude/.claude.json"),
        ("linux", {}, "cursor", ".cursor/mcp.json"),
        ("linux", {}, "windsurf", ".codeium/windsurf/mcp_config.json"),
        ("darwin", {}, "zed", ".config/zed/settings.json"),
        ("win32", {}, "zed", "AppData/Roaming/Zed/settings.json"),
        ("linux", {}, "goose", ".config/goose/config.yaml"),
        ("win32", {}, "goose", "AppData/Roaming/Block/goose/config/config.yaml"),
        ("linux", {}, "codex", ".codex/config.toml"),
        ("linux", {"CODEX_HOME": "/u/codex"}, "codex", "/u/codex/config.toml"),
        ("linux", {}, "gemini", ".gemini/settings.json"),
    ],
)
def test_each_platform_has_its_place(platform: str, environ: dict[str, str], name: str, where: str) -> None:
    locate = CLIENTS[name].file
    assert locate is not None
    assert locate(UserEnvironment(platform, environ, Path("/home/me"))) == Path("/home/me") / where
