"""What the documents say exists: links, words of make, commands and their options, rooms, kinds, settings."""

from __future__ import annotations

import re
import shlex
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path

import pytest

import sanya
from docs.command_pages import build_parser
from docs.generate import find_stale_pages
from sanya.kernel.contracts.diff import ADDITIVE, BREAKING
from sanya.surfaces.cli.main import COMMANDS, take_home

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
WORDS_OF_MAKE = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
# Suites of other packages bring commands of their own; `examples/` has tests that run them.
EXAMPLES = frozenset(path.name for path in (ROOT / "examples").iterdir())

each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)


def test_the_generated_pages_are_as_the_code_is() -> None:
    assert [path.name for path in find_stale_pages()] == [], "run `make docs`"


@each_document
def test_every_relative_link_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", document.read_text("utf-8"))
    relative = [link for link in links if "://" not in link]
    assert [link for link in relative if not (document.parent / link).exists()] == []


@each_document
def test_every_word_of_make_that_is_named_exists(document: Path) -> None:
    code = f"{_blocks(document)}\n{_spans(document)}"
    assert set(re.findall(r"^make ([a-z-]+)", code, re.MULTILINE)) <= WORDS_OF_MAKE


@each_document
def test_every_command_that_is_shown_can_be_run(document: Path) -> None:
    for line in _commands(_blocks(document)):
        words = _words(line)
        assert words[0] in COMMANDS, line
        if words[1:] not in ([], ["--help"]):
            build_parser(words[0]).parse_args(words[1:])  # wrong usage exits, which fails the test


@each_document
def test_every_command_and_option_that_is_mentioned_exists(document: Path) -> None:
    for line in _commands(_spans(document)):
        words = _words(line)
        if words[0] == "COMMAND" or words[0].startswith("-"):
            continue
        assert words[0] in COMMANDS, line
        flags = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert flags - {"--help"} <= _options(build_parser(words[0])), line


def test_the_map_of_the_house_fits_one_page_and_names_every_room() -> None:
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text("utf-8")
    assert len(text.splitlines()) < 150
    rooms = [path for path in (ROOT / "src" / "sanya").iterdir() if not path.name.startswith(("_", "."))]
    modules = [path.name for path in rooms if path.suffix == ".py"]
    folders = [f"{path.name}/" for path in rooms if (path / "__init__.py").exists()]
    assert [name for name in modules + folders if f"  {name}" not in text] == []


def test_every_path_that_the_map_and_the_words_name_exists() -> None:
    for name in ("ARCHITECTURE.md", "GLOSSARY.md"):
        text = (ROOT / "docs" / name).read_text("utf-8")
        named = re.findall(r"`((?:kernel|suites|surfaces|engines)/[\w*/]*(?:\.py)?)`", text)
        assert [path for path in named if not any((ROOT / "src" / "sanya").glob(path.rstrip("/")))] == []


def test_every_kind_of_difference_is_explained() -> None:
    text = (ROOT / "VERSIONING.md").read_text("utf-8")
    breaking, additive = text.split("## Additive")
    assert re.findall(r"^\| `(\w+)` \| (.+) \|$", breaking, re.MULTILINE) == list(BREAKING.items())
    assert re.findall(r"^\| `(\w+)` \| (.+) \|$", additive, re.MULTILINE) == list(ADDITIVE.items())


def test_the_changelog_knows_this_version() -> None:
    assert f"## {sanya.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_every_command_is_in_the_changelog() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert [name for name in COMMANDS if f"`{name}`" not in text] == []


def _blocks(document: Path) -> str:
    return "\n".join(re.findall(r"```\w*\n(.*?)```", document.read_text("utf-8"), re.DOTALL))


def _spans(document: Path) -> str:
    """The words set as code inside sentences, a line each."""
    prose = re.sub(r"```.*?```", "", document.read_text("utf-8"), flags=re.DOTALL)
    return "\n".join(re.findall(r"`([^`\n]+)`", prose))


def _commands(code: str) -> Iterator[str]:
    for line in map(str.strip, code.splitlines()):
        if line.startswith("sanya ") and "…" not in line and line.split()[1] not in EXAMPLES:
            yield line


def _words(line: str) -> list[str]:
    """The words after `sanya`, without the home."""
    return take_home(shlex.split(line, comments=True)[1:])[1]


def _options(parser: ArgumentParser) -> set[str]:
    found = set(parser._option_string_actions)
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            found |= {option for choice in action.choices.values() for option in _options(choice)}
    return found
