"""Words that people use for nodes of the graph, beside the graph's own names: a file of the suite, and the owner's.

Both files have one table, `words`, that maps the id of a node to a list of words. The owner's file adds to the suite's
and replaces nothing. A word may stand at several ids, and then means all of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path

from sanya.suite.text import has_thai
from sanya.suites.herbs.graph.model import HerbGraph, HerbName

FILE_NAME = "people_words.toml"
LAY = "lay"
PeopleWords = Mapping[str, tuple[str, ...]]


class BadWordList(Exception):
    """A file of words cannot be read; the message says where and why."""


def load_people_words(owner_file: Path | None = None) -> PeopleWords:
    """Return the words of the suite and, where the owner's file exists, its words after them, by node id."""
    words = _read_words((files("sanya.suites.herbs.questions") / FILE_NAME).read_text(encoding="utf-8"), FILE_NAME)
    if owner_file is not None and owner_file.is_file():
        for node_id, added in _read_words(owner_file.read_text(encoding="utf-8"), str(owner_file)).items():
            words[node_id] = tuple(dict.fromkeys((*words.get(node_id, ()), *added)))
    return words


def list_lay_names(graph: HerbGraph, words: PeopleWords) -> Iterator[HerbName]:
    """Yield the words as names of the graph's nodes. Words of ids that the graph does not have are left out: an owner
    may have removed the node."""
    for node_id, node_words in words.items():
        if node := graph.nodes.get(node_id):
            for word in node_words:
                yield HerbName(node_id, node.type, word, "th" if has_thai(word) else "en", LAY)


def _read_words(text: str, where: str) -> dict[str, tuple[str, ...]]:
    try:
        table = tomllib.loads(text).get("words", {})
    except tomllib.TOMLDecodeError as error:
        raise BadWordList(f"{where} is not a TOML file: {error}. Mend the line, or remove the file.") from error
    if not isinstance(table, dict):
        raise BadWordList(f"{where}: `words` must be a table of node ids, each with a list of words")
    for node_id, words in table.items():
        if not isinstance(words, list) or not all(isinstance(word, str) and word.strip() for word in words):
            raise BadWordList(f"{where}: {node_id!r} must have a list of words in quotes")
    return {node_id: tuple(words) for node_id, words in table.items()}
