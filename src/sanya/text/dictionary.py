"""The dictionary for Thai segmentation: PyThaiNLP's word list, read from its package, and our own domain words."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path


class DictionaryMissing(RuntimeError):
    """Raised when PyThaiNLP's word list cannot be found."""


@cache
def find_general_words() -> Path:
    """Return the path of the general word list. The package is not imported: that takes a tenth of a second."""
    package = find_spec("pythainlp")
    folders = package.submodule_search_locations if package else None
    for folder in folders or ():
        path = Path(folder) / "corpus" / "words_th.txt"
        if path.is_file():
            return path
    raise DictionaryMissing("the Thai word list is missing; install it with `pip install pythainlp`")


def read_general_words() -> list[str]:
    """Return the words of the general list in its order."""
    return [word for line in find_general_words().read_text(encoding="utf-8").split("\n") if (word := line.strip())]


@cache
def load_general_words() -> frozenset[str]:
    return frozenset(read_general_words())


@cache
def load_domain_words() -> frozenset[str]:
    """Load the names of herbs, formulae, constituents and drugs."""
    lines = Path(__file__).with_name("domain_words.txt").read_text(encoding="utf-8").split("\n")
    return frozenset(line for line in lines if line and not line.startswith("#"))


@cache
def load_known_words() -> frozenset[str]:
    return load_general_words() | load_domain_words()
