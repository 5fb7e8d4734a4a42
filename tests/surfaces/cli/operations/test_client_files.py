"""Sanya's entry in files that are not plain JSON: with comments, TOML, YAML. Everything else stays as it was."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sanya.surfaces.client_files.jsonc_edit import BadJson, parse_jsonc, set_member
from sanya.surfaces.client_files.merging import NotMergeable, merge_entry
from tests.surfaces.cli.conftest import Run
from tests.surfaces.cli.operations.test_connect import file_of

ENTRY = {"command": "/opt/สัญญา/sanya", "args": ["mcp", "--home", 'C:\\my "home"']}

ZED = """// Zed settings
{
    "theme": "One Dark", // mine
    /* servers */
    "context_servers": {
        // the other one
        "other": {"command": "x", "args": [],},
        "sanya": {
            "command": "old" // to be replaced
        },
    },
}
"""
CODEX = """# my models
model = "o"

[mcp_servers.other]
command = "x"  # keep
env = { A = "[mcp_servers.sanya]" }

[mcp_servers.sanya]
command = "old"

[mcp_servers.sanya.env]
B = "2"

[profiles.fast]
model = "m"
"""
GOOSE = """# goose
GOOSE_PROVIDER: openai
extensions:
  developer:   # bundled
    enabled: true
    type: builtin
  sanya:
    type: stdio
    cmd: old
    args:
      - mcp

  # the last one
  memory:
    enabled: false
GOOSE_MODEL: "x: y"
"""


def test_comments_and_layout_of_a_json_file_stay() -> None:
    new = merge_entry("json", ZED, "context_servers", ENTRY)
    for kept in (
        "// Zed settings",
        "// mine",
        "/* servers */",
        "// the other one",
        '"other": {"command": "x", "args": [],}',
    ):
        assert kept in new
    assert "old" not in new
    assert parse_jsonc(new)["context_servers"] == {"other": {"command": "x", "args": []}, "sanya": ENTRY}
    assert merge_entry("json", new, "context_servers", ENTRY) == new, "a second time changes nothing"


@pytest.mark.parametrize(
    "text",
    [
        "{} // empty",
        "{\n}\n// end",
        '{\n\t"a": 1, // tabs\n}',
        '{ /* c */ "context_servers": {} }',
        '{ // c\n  "context_servers": {\n    // none yet\n  }\n}',
    ],
)
def test_what_misses_is_made_in_a_json_file_with_comments(text: str) -> None:
    new = merge_entry("json", text, "context_servers", ENTRY)
    assert parse_jsonc(new) == {**parse_jsonc(text), "context_servers": {"sanya": ENTRY}}
    assert merge_entry("json", new, "context_servers", ENTRY) == new


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=5), values, max_size=4), st.dictionaries(st.text(max_size=5), values, max_size=3)
)
def test_any_json_keeps_its_other_members(config: dict[str, Any], servers: dict[str, Any]) -> None:
    before = {**config, "s": servers}
    text = "// c\n" + json.dumps(before, indent=3)
    assert parse_jsonc(text) == before
    assert parse_jsonc(set_member(text, ("s", "sanya"), ENTRY)) == {**before, "s": {**servers, "sanya": ENTRY}}


@pytest.mark.parametrize(
    "text", ["{", '{"a" 1}', '{"a": 1} x', '{"a": 1, "a": 2}', "[" * 300, '{"a": /* }', "{'a': 1}", '{"a": 01}']
)
def test_text_that_is_no_json_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(BadJson, match=r"line 1, column \d+"):
        parse_jsonc(text)


def test_other_tables_of_a_toml_file_stay() -> None:
    new = merge_entry("toml", CODEX, "mcp_servers", ENTRY)
    before, after = tomllib.loads(CODEX), tomllib.loads(new)
    assert after == {**before, "mcp_servers": {"other": before["mcp_servers"]["other"], "sanya": ENTRY}}
    assert "# my models" in new and "# keep" in new and "old" not in new
    assert merge_entry("toml", new, "mcp_servers", ENTRY) == new
    assert tomllib.loads(merge_entry("toml", None, "mcp_servers", ENTRY)) == {"mcp_servers": {"sanya": ENTRY}}


@pytest.mark.parametrize(
    "text",
    ["mcp_servers = { sanya = { command = 'x' } }", 'a = """\n[mcp_servers.sanya]\n"""', "a = ", "mcp_servers = 1"],
)
def test_a_toml_file_that_lines_cannot_be_replaced_in_is_left_alone(text: str) -> None:
    with pytest.raises(NotMergeable):
        merge_entry("toml", text, "mcp_servers", ENTRY)


def test_other_entries_of_a_yaml_file_stay() -> None:
    new = merge_entry("yaml", GOOSE, "extensions", ENTRY)
    before, after = yaml.safe_load(GOOSE), yaml.safe_load(new)
    assert after == {**before, "extensions": {**before["extensions"], "sanya": ENTRY}}
    assert "# bundled" in new and "# the last one" in new and "old" not in new
    assert merge_entry("yaml", new, "extensions", ENTRY) == new


@pytest.mark.parametrize("text", ["", "a: 1", "extensions:\n", "extensions: {}  # none\nb: 2\n", "# only a comment\n"])
def test_what_misses_is_made_in_a_yaml_file(text: str) -> None:
    after = yaml.safe_load(merge_entry("yaml", text, "extensions", ENTRY))
    assert after == {**(yaml.safe_load(text) or {}), "extensions": {"sanya": ENTRY}}


@pytest.mark.parametrize(
    "text", ["extensions: [1]\n", "extensions: {a: 1}\n", "extensions:\n\ta: 1\n", "extensions: 1\nextensions: 2\n"]
)
def test_a_yaml_file_in_another_layout_is_left_alone(text: str) -> None:
    with pytest.raises(NotMergeable):
        merge_entry("yaml", text, "extensions", ENTRY)


@pytest.mark.parametrize(("name", "content"), [("zed", ZED), ("codex", CODEX), ("goose", GOOSE)])
def test_the_command_writes_these_files_with_a_backup(name: str, content: str, own_user: Path, sanya: Run) -> None:
    path = file_of(name, own_user)
    path.parent.mkdir(parents=True)
    path.write_text(content, encoding="utf-8")
    assert sanya("connect", name, "--write").code == 0
    assert "--tool-names" in path.read_text("utf-8")
    assert path.with_name(f"{path.name}.backup-1").read_text("utf-8") == content
    again = sanya("connect", name, "--write", "--http", "https://s.example/mcp", "--key", "k")
    assert again.code == 0 and "Bearer k" in path.read_text("utf-8") and "--tool-names" not in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("windsurf", {"mcpServers": {"sanya": {"serverUrl": "https://s.example/mcp"}}}),
        ("zed", {"context_servers": {"sanya": {"url": "https://s.example/mcp"}}}),
        ("gemini", {"mcpServers": {"sanya": {"httpUrl": "https://s.example/mcp"}}}),
        ("codex", {"mcp_servers": {"sanya": {"url": "https://s.example/mcp"}}}),
    ],
)
def test_an_address_is_written_in_the_words_of_the_client(name: str, expected: dict[str, Any], sanya: Run) -> None:
    out = sanya("connect", name, "--http", "https://s.example/mcp").out
    assert (tomllib.loads(out) if name == "codex" else parse_jsonc(out)) == expected
