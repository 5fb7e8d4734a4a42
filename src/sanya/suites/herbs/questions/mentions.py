"""Finds the names of the graph inside a question: as written, in any Latin spelling of a Thai name, or with a slip of
the hand. A name that several things share is told with all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

from sanya.retrieval.lexicon import general_lexicon, stem_phrase
from sanya.suites.herbs.graph.model import Graph, Name, NodeType
from sanya.suites.herbs.questions.name_forms import folded, phrases, slip_variants
from sanya.text.characters import has_thai
from sanya.text.dictionary import general_words
from sanya.text.english import STOP_WORDS
from sanya.text.normalisation import search_form
from sanya.text.segmentation import Segmenter, default_segmenter
from sanya.text.spans import Span
from sanya.text.spelling import spelling_key

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

How = Literal["name", "alias", "romanised", "slip"]
CERTAINTY: Mapping[How, float] = {"name": 1.0, "alias": 1.0, "romanised": 0.9, "slip": 0.8}

# What a name means when it means several things: the plant before the medicine that is named after it.
_ORDER: tuple[NodeType, ...] = ("herb", "formulation", "constituent", "drug", "condition", "indication")
# Names by kinship: they count where nobody bears the name as their own.
_WEAK = frozenset({"genus", "part", "abbreviation", "code"})
_READ_CHARACTERS = 1000
_MOST_WORDS = 6
_SURE_LENGTH = 5
_LEAST_SOUND = 4
_LEAST_SLIP = 5
_LEAST_PLAIN_SLIP = 8
_LONGEST_WINDOW = 50

Meant = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Mention:
    start: int
    end: int
    """Where in the question's search form."""
    text: str
    how: How
    nodes: tuple[str, ...]
    """All that the name may mean, the likeliest kind first, then by id."""


class Gazetteer:
    """The names of one revision of the graph, ready to be looked for. `phrases_of` says how a name may stand in the
    texts that are read."""

    def __init__(self, graph: Graph, phrases_of: Callable[[Name], Iterable[str]] = phrases) -> None:
        from ahocorasick_rs import AhoCorasick, MatchKind

        self._types = {node.id: node.type for node in graph.nodes.values()}
        self._named = [name for name in graph.names if name.node_type in _ORDER]
        self.written = [(phrase, name) for name in self._named for phrase in phrases_of(name)]
        self._exact = self._meant(self.written)
        self._main = {phrase for phrase, name in self.written if name.kind == "main"}
        self._sought = sorted(self._exact)
        self._finder = AhoCorasick(self._sought, matchkind=MatchKind.LeftmostLongest)

    @classmethod
    def for_questions(cls, graph: Graph) -> Gazetteer:
        """One that has everything at hand, so that the first question need not wait for it."""
        gazetteer = cls(graph)
        _ = gazetteer.folds, gazetteer.slips, gazetteer.sounds  # reading them makes them
        return gazetteer

    @cached_property
    def folds(self) -> Meant:
        return self._meant((folded(phrase), name) for phrase, name in self.written)

    @cached_property
    def _fold_finder(self) -> tuple[list[str], AhoCorasick]:
        from ahocorasick_rs import AhoCorasick, MatchKind

        sought = sorted(self.folds)
        return sought, AhoCorasick(sought, matchkind=MatchKind.LeftmostLongest)

    def spelt_like(self, folds: str) -> Iterator[tuple[str, int, int]]:
        """The folded names in a row of folded words, each with where it stands."""
        sought, finder = self._fold_finder
        for index, start, end in finder.find_matches_as_indexes(folds):
            yield sought[index], start, end

    @cached_property
    def slips(self) -> Meant:
        return self._meant((variant, name) for phrase, name in self.written for variant in slip_variants(phrase))

    @cached_property
    def sounds(self) -> Meant:
        return self._meant((spelling_key(name.name), name) for name in self._named if _is_spoken(name))

    def find(self, text: str) -> list[Mention]:
        """In the order of the text; no two overlap."""
        form = search_form(text)[:_READ_CHARACTERS]
        words = words_of(form, default_segmenter())
        found = list(self.whole(form, words))
        for span in _windows(words):
            crossed = [one for one in found if span.start < one.end and one.start < span.end]
            if all(_is_within(one, span) for one in crossed) and (mention := self._inexact(form, span)):
                found = [one for one in found if one not in crossed] + [mention]
        return sorted(found, key=lambda mention: mention.start)

    def _meant(self, pairs: Iterable[tuple[str, Name]]) -> Meant:
        own: dict[str, set[str]] = {}
        by_kinship: dict[str, set[str]] = {}
        for key, name in pairs:
            if key:
                (by_kinship if name.kind in _WEAK else own).setdefault(key, set()).add(name.node_id)
        return {key: tuple(sorted(some, key=self._likeliest)) for key, some in {**by_kinship, **own}.items()}

    def _likeliest(self, node_id: str) -> tuple[int, str]:
        return _ORDER.index(self._types[node_id]), node_id

    def whole(self, form: str, words: list[Span]) -> Iterator[Mention]:
        """The names that stand in a search form as they are written."""
        bounds = {word.start for word in words} | {word.end for word in words}
        for name, start, end in self.occurring(form):
            if _stands_alone(form, start, end, bounds):
                yield Mention(start, end, name, "name" if name in self._main else "alias", self._exact[name])

    def occurring(self, form: str) -> Iterator[tuple[str, int, int]]:
        """The names whose letters occur, each with where, be it inside another word."""
        for index, start, end in self._finder.find_matches_as_indexes(form):
            yield self._sought[index], start, end

    def _inexact(self, form: str, span: Span) -> Mention | None:
        """What a stretch may mean that is no name as it stands."""
        piece = form[span.start : span.end]
        if piece in self._exact or not (nodes := self._folded_or_sounding(piece)):
            return None
        return Mention(span.start, span.end, piece, nodes[0], nodes[1])

    def _folded_or_sounding(self, piece: str) -> tuple[How, tuple[str, ...]] | None:
        whole = folded(piece)
        if len(whole) >= _LEAST_SLIP and whole in self.folds:
            return "slip", self.folds[whole]
        if is_plain(piece):
            return None
        if not piece.isascii() and not has_latin(piece):
            return self._slipped(piece, _LEAST_PLAIN_SLIP if _is_all_plain(piece) else _LEAST_SLIP)
        sound = spelling_key(piece)
        if len(sound) >= _LEAST_SOUND and sound in self.sounds:
            return "romanised", self.sounds[sound]
        return self._slipped(piece, _LEAST_SLIP)

    def _slipped(self, piece: str, least: int) -> tuple[How, tuple[str, ...]] | None:
        if len(folded(piece)) < least:
            return None
        return next((("slip", self.slips[one]) for one in slip_variants(piece) if one in self.slips), None)


def _is_spoken(name: Name) -> bool:
    return name.lang != "la" and name.node_type in ("herb", "formulation") and name.kind != "part"


def _stands_alone(form: str, start: int, end: int, bounds: set[int]) -> bool:
    """Latin names are whole words, with an s at most; short Thai ones too, since they are a part of many others."""
    if has_thai(form[start:end]):
        return end - start >= _SURE_LENGTH or (start in bounds and end in bounds)
    return is_latin_word(form, start, end)


def is_latin_word(form: str, start: int, end: int) -> bool:
    behind = form[end + 1 : end + 2] if form[end : end + 1] == "s" else form[end : end + 1]
    return not _is_latin(form[start - 1 : start]) and not _is_latin(behind)


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


def has_latin(text: str) -> bool:
    return any(map(_is_latin, text))


def _is_within(mention: Mention, span: Span) -> bool:
    return (
        span.start <= mention.start and mention.end <= span.end and mention.end - mention.start < span.end - span.start
    )


def is_plain(piece: str) -> bool:
    """Made of English words that everybody knows, or one such Thai word: not a name that somebody tried to write."""
    if has_thai(piece):
        return piece in general_words()
    return all(len(word) < 2 or word in STOP_WORDS or is_english(word) for word in piece.split())


def _is_all_plain(piece: str) -> bool:
    return all(word in general_words() for word in default_segmenter().segment(piece))


@lru_cache(maxsize=10_000)
def is_english(word: str) -> bool:
    return stem_phrase(word) in general_lexicon().english


def words_of(form: str, segmenter: Segmenter) -> list[Span]:
    """Every word with a letter in it."""
    words = segmenter.segment(form)
    ends = list(accumulate(map(len, words)))
    return [
        Span(end - len(word), end)
        for word, end in zip(words, ends, strict=True)
        if word[0].isalpha() or any(map(str.isalpha, word))
    ]


def _windows(words: list[Span]) -> Iterator[Span]:
    """Stretches of neighbouring words, many before few."""
    for length in range(min(_MOST_WORDS, len(words)), 0, -1):
        for first, last in zip(words, words[length - 1 :], strict=False):
            if last.end - first.start <= _LONGEST_WINDOW:
                yield Span(first.start, last.end)
