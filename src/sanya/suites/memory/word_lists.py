"""Word lists in data files, and regular expressions made of them.

A data file stands beside the module that uses it and has its name. `[section]` begins a section, `# ` a comment, and an
indented line continues the line above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_SECTION = re.compile(r"\[([a-z_]+)\]")


class WordFile:
    def __init__(self, path: Path) -> None:
        self._sections: dict[str, list[str]] = {}
        for line in path.read_text("utf-8").splitlines():
            if heading := _SECTION.fullmatch(line):
                lines = self._sections.setdefault(heading[1], [])
            elif line.strip() and not line.startswith("# "):
                lines.append(line)

    def read_lines(self, section: str) -> list[str]:
        return self._sections[section]

    def read_words(self, section: str) -> tuple[str, ...]:
        return tuple(word for line in self._sections[section] for word in line.split())

    def read_set(self, section: str) -> frozenset[str]:
        return frozenset(self.read_words(section))

    def read_phrases(self, section: str) -> tuple[str, ...]:
        """Return phrases that are separated by bars or line ends."""
        return tuple(phrase for line in self._sections[section] for phrase in _split_phrases(line))

    def read_table(self, section: str) -> dict[str, tuple[str, ...]]:
        """Return the words after each `key:`."""
        return {key: tuple(word for line in lines for word in line.split()) for key, lines in self._read_rows(section)}

    def read_phrase_table(self, section: str) -> dict[str, tuple[str, ...]]:
        """Return the phrases after each `key:`."""
        rows = self._read_rows(section)
        return {key: tuple(phrase for line in lines for phrase in _split_phrases(line)) for key, lines in rows}

    def _read_rows(self, section: str) -> list[tuple[str, list[str]]]:
        rows: list[tuple[str, list[str]]] = []
        for line in self._sections[section]:
            if line.startswith(" "):
                rows[-1][1].append(line)
            else:
                key, _, values = line.partition(":")
                rows.append((key, [values]))
        return rows


def open_word_file(module_path: str) -> WordFile:
    """Open the data file of a module, given its `__file__`."""
    return WordFile(Path(module_path).with_suffix(".txt"))


def invert_table(table: dict[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the key of each word. A word in two rows belongs to the first."""
    keys: dict[str, str] = {}
    for key, words in table.items():
        for word in words:
            keys.setdefault(word, key)
    return keys


def build_word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def build_alternation(phrases: Iterable[str]) -> str:
    """Return a regular expression for any of the phrases, the longest first. Thai has no word boundaries.

    Phrases with one beginning share it, so that a position is given up at its first letter and not once for each of
    hundreds of phrases: `(?:un(?:do(?:ne)?|paid))`.
    """
    distinct = sorted(set(phrases))
    english = _merge_beginnings([phrase for phrase in distinct if phrase.isascii()])
    thai = _merge_beginnings([phrase for phrase in distinct if not phrase.isascii()])
    return "|".join([*([thai] if thai else []), *([rf"\b{english}\b"] if english else [])])


def _merge_beginnings(phrases: list[str]) -> str:
    """Return a pattern without a group around one alternative. The longest alternative is tried first."""
    by_letter: dict[str, list[str]] = {}
    for phrase in phrases:
        if phrase:
            by_letter.setdefault(phrase[0], []).append(phrase[1:])
    branches = [re.escape(letter) + _merge_beginnings(rest) for letter, rest in by_letter.items()]
    if not branches:
        return ""
    is_optional = "" in phrases
    pattern = branches[0] if len(branches) == 1 and not is_optional else f"(?:{'|'.join(branches)})"
    return f"{pattern}?" if is_optional else pattern


def _split_phrases(line: str) -> list[str]:
    return [phrase.strip() for phrase in line.split("|") if phrase.strip()]
