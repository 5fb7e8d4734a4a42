"""The words that Thai is segmented by: PyThaiNLP's general list, read where the package keeps it, and our own names."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path


class NoDictionary(RuntimeError):
    """The general word list cannot be found."""


@cache
def general_words_path() -> Path:
    """Where the general list is. The package itself is not imported: that takes a tenth of a second."""
    package = find_spec("pythainlp")
    folders = package.submodule_search_locations if package else None
    for folder in folders or ():
        path = Path(folder) / "corpus" / "words_th.txt"
        if path.is_file():
            return path
    raise NoDictionary("the Thai word list is missing; install it with `pip install pythainlp`")


@cache
def general_words() -> frozenset[str]:
    return frozenset(filter(None, map(str.strip, general_words_path().read_text(encoding="utf-8").split("\n"))))


@cache
def domain_words() -> frozenset[str]:
    """Names of herbs, formulae, constituents and drugs."""
    lines = Path(__file__).with_name("domain_words.txt").read_text(encoding="utf-8").split("\n")
    return frozenset(line for line in lines if line and not line.startswith("#"))


@cache
def known_words() -> frozenset[str]:
    return general_words() | domain_words()
