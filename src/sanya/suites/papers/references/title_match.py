"""Compares a title with a pasted reference, which holds authors, journal and numbers beside it."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher

from sanya.suites.papers.pubmed.record import PaperRecord

SURE = 0.95
POSSIBLE = 0.6
# Titles such as "Editorial" or "In reply" name hundreds of papers.
_FEWEST_WORDS = 4
_WORD = re.compile(r"\w+")
_YEAR = re.compile(r"\b(1[89]|20)[0-9]{2}\b")


def compare_reference(text: str, record: PaperRecord) -> float:
    """Return how surely the text names the paper, from 0 to 1.

    The share of the title's words that stand in the text in their order decides. A first author or a year that the text
    contradicts lowers it, since later editions and replies repeat a title.
    """
    title = split_words(record.title or record.vernacular_title or "")
    words = split_words(text)
    if not title or not words:
        return 0.0
    matcher = SequenceMatcher(None, words, title, autojunk=False)
    share = sum(block.size for block in matcher.get_matching_blocks()) / len(title)
    if len(title) < _FEWEST_WORDS and words != title:
        share *= POSSIBLE
    return round(share * _weigh_year(text, record) * _weigh_author(words, record), 6)


def _weigh_year(text: str, record: PaperRecord) -> float:
    years = {int(match[0]) for match in _YEAR.finditer(text)}
    if not years or record.year is None:
        return 1.0
    # The year in print and the year online often differ by one.
    return 1.0 if any(abs(year - record.year) <= 1 for year in years) else 0.7


def _weigh_author(words: list[str], record: PaperRecord) -> float:
    """Lower the match where the text begins with other names than the paper's authors."""
    title = split_words(record.title or "")
    names = {word for author in record.authors for word in split_words(author.last or author.collective or "")}
    if not names or words[: len(title)] == title or len(words) <= len(title) + 1:
        return 1.0
    return 1.0 if names.intersection(words) else 0.8


def split_words(text: str) -> list[str]:
    """Split a text into words without accents, in one spelling: randomised and randomized are the same word."""
    plain = "".join(
        character for character in unicodedata.normalize("NFKD", text) if not unicodedata.combining(character)
    )
    return [_fold_spelling(word) for word in _WORD.findall(plain.casefold())]


def _fold_spelling(word: str) -> str:
    return word.replace("z", "s").replace("our", "or").replace("ae", "e").replace("oe", "e")
