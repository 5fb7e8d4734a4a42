"""Recognition of the graph's names inside a question.

A name is found as it is written, in any Latin spelling of a Thai name, or with one misspelt letter. A name that several
nodes share is reported with all of them. Exact names come first: an inexact one replaces them only where it covers more
of the text, as "green chireta" does "green".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

from sanya.suite.runtime import LruCache
from sanya.suite.search import load_general_lexicon, stem_phrase
from sanya.suite.text import (
    ENGLISH_STOP_WORDS,
    Segmenter,
    Span,
    get_default_segmenter,
    has_thai,
    load_general_words,
    make_spelling_key,
    to_search_form,
)
from sanya.suites.herbs.graph.model import HerbGraph, HerbName, NodeType, group_by_key
from sanya.suites.herbs.questions.name_forms import (
    fold_form,
    fold_spelling,
    has_latin,
    is_latin_word,
    is_separate_name,
    list_deletions,
    list_fold_deletions,
    split_phrases,
)
from sanya.suites.herbs.questions.people_words import LAY, PeopleWords, list_lay_names, load_people_words
from sanya.suites.herbs.questions.prepared_names import (
    FILE_NAME,
    NodesByPhrase,
    PreparedData,
    PreparedNames,
    decode_names,
    encode_names,
    hash_names,
    pack_index,
    pack_phrases,
    unpack_index,
    unpack_phrases,
)
from sanya.suites.herbs.safety.thai_loanwords import LoanwordIndex, index_loanwords

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

MentionKind = Literal["name", "alias", "romanised", "slip"]
CERTAINTY: Mapping[MentionKind, float] = {"name": 1.0, "alias": 1.0, "romanised": 0.9, "slip": 0.8}

# The order of types for a name that means several: the plant comes before the medicine that is named after it.
_TYPE_ORDER: tuple[NodeType, ...] = ("herb", "formulation", "constituent", "drug", "condition", "indication")
# Names that related nodes share. They count only where no node has the name as its own.
_SHARED_KINDS = frozenset({"genus", "part", "abbreviation", "code"})
# Only the beginning of a question is read for names, so that a long text costs no more than a long question.
_MAX_CHARACTERS = 1000
_MAX_WINDOW_WORDS = 6
_MAX_WINDOW_CHARACTERS = 50
_MIN_SOUND_LENGTH = 4
_MIN_MISSPELT_LENGTH = 5
# Text made of dictionary words is less likely a misspelt name, so it has to be longer.
_MIN_MISSPELT_COMMON_LENGTH = 8

_ABBREVIATION = re.compile(r"(?<![A-Za-z0-9])[A-Z0-9]*[A-Z][A-Z0-9]+(?![A-Za-z0-9])")
# A word before the name of an illness that some names of it begin with.
_OPENING = re.compile("(?:คน)?เป็น(?:โรค)?|โรค|แก้|ลด|รักษา|มี")
_TAKING = re.compile("^(?:on|taking|using|กิน|ใช้) ?")


@dataclass(frozen=True, slots=True)
class NameMention:
    start: int
    end: int
    """Offset in the search form of the question, like `start`."""
    text: str
    kind: MentionKind
    nodes: tuple[str, ...]
    """All nodes that the name may mean, the likeliest type first, then by id."""


class Gazetteer:
    """Names of nodes, prepared for recognition. `list_phrases` returns the forms of a name that are looked for;
    `prepared` is what an earlier gazetteer of the same names packed."""

    def __init__(
        self,
        names: Sequence[HerbName],
        list_phrases: Callable[[HerbName], Iterable[str]] = split_phrases,
        prepared: PreparedNames | None = None,
    ) -> None:
        from ahocorasick_rs import AhoCorasick, MatchKind

        self._types = {name.node_id: name.node_type for name in names}
        self._all_names = names
        self._prepared = prepared
        if prepared is None:
            whole = {(name.node_type, to_search_form(name.name)) for name in self._names}
            pairs = ((phrase, name) for name in self._names for phrase in list_phrases(name))
            self.phrases = [(phrase, name) for phrase, name in pairs if not _is_name_of_another(name, phrase, whole)]
            self._exact = self._index_nodes(self.phrases)
        else:
            self.phrases = unpack_phrases(prepared, names)
            self._exact = unpack_index(prepared.exact)
        self._main_phrases = {phrase for phrase, name in self.phrases if name.kind == "main"}
        self._finder_phrases = sorted(self._exact)
        self._finder = AhoCorasick(self._finder_phrases, matchkind=MatchKind.LeftmostLongest)

    @staticmethod
    def build_for_questions(
        graph: HerbGraph, words: PeopleWords | None = None, kept: PreparedData | None = None
    ) -> Gazetteer:
        """Return a gazetteer of the graph's names and of `words`, which people use; those of the suite where none are
        given. All its indexes are there, so that the first question does not wait for them: built, or read from what
        was `kept`."""
        lay_names = list_lay_names(graph, load_people_words() if words is None else words)
        return _build_indexed((*graph.names, *lay_names), kept)

    def pack(self) -> PreparedNames:
        """Build all indexes, and return them for the next gazetteer of the same names."""
        phrases, owners = pack_phrases(self.phrases, self._all_names)
        return PreparedNames(
            phrases,
            owners,
            exact=pack_index(self._exact),
            folds=pack_index(self.folds),
            misspellings=pack_index(self.misspellings),
            sounds=pack_index(self.sounds),
            loanwords=self.loanwords,
        )

    @cached_property
    def _names(self) -> list[HerbName]:
        """The names that are looked for."""
        drugs = {to_search_form(name.name) for name in self._all_names if name.node_type == "drug"}
        return [
            name
            for name in self._all_names
            if name.node_type in _TYPE_ORDER and not _is_abbreviated_drug(name) and not _is_taker_of_drug(name, drugs)
        ]

    @cached_property
    def folds(self) -> NodesByPhrase:
        if self._prepared is not None:
            return unpack_index(self._prepared.folds)
        return self._index_nodes((folded, name) for folded, name in self._folded_names)

    @cached_property
    def _folded_names(self) -> list[tuple[str, HerbName]]:
        return [(fold_form(phrase), name) for phrase, name in self.phrases]

    @cached_property
    def _fold_finder(self) -> tuple[list[str], AhoCorasick]:
        from ahocorasick_rs import AhoCorasick, MatchKind

        folds = sorted(self.folds)
        return folds, AhoCorasick(folds, matchkind=MatchKind.LeftmostLongest)

    def find_folded_names(self, folded_text: str) -> Iterator[tuple[str, int, int]]:
        """Yield each folded name in a text of folded words, with its start and end."""
        folds, finder = self._fold_finder
        for index, start, end in finder.find_matches_as_indexes(folded_text):
            yield folds[index], start, end

    @cached_property
    def misspellings(self) -> NodesByPhrase:
        if self._prepared is not None:
            return unpack_index(self._prepared.misspellings)
        guessed = [pair for pair in self._folded_names if pair[1].kind != LAY and not _is_thai_complaint(pair[1])]
        # Grouped by the folded name first: many names share one, and each has as many forms as letters.
        own, shared = _group_nodes(guessed)
        return self._merge(_spread_over_deletions(own), _spread_over_deletions(shared))

    @cached_property
    def sounds(self) -> NodesByPhrase:
        if self._prepared is not None:
            return unpack_index(self._prepared.sounds)
        return self._index_nodes((make_spelling_key(name.name), name) for name in self._names if _is_spoken(name))

    @cached_property
    def loanwords(self) -> LoanwordIndex:
        if self._prepared is not None:
            return self._prepared.loanwords
        return index_loanwords(self._all_names)

    @cached_property
    def _abbreviations(self) -> dict[str, str]:
        """Names of drugs in capitals (ASA, TDF), each with its node where it has but one."""
        owners: dict[str, set[str]] = {}
        for name in self._all_names:
            if name.node_type == "drug" and name.exact_only and _ABBREVIATION.fullmatch(name.name):
                owners.setdefault(name.name, set()).add(name.node_id)
        return {name: ids.pop() for name, ids in owners.items() if len(ids) == 1}

    @cached_property
    def phrases_by_node(self) -> dict[str, tuple[str, ...]]:
        """The names of each node as they are looked for, people's words included."""
        return group_by_key((name.node_id, phrase) for phrase, name in self.phrases)

    def find(self, text: str) -> list[NameMention]:
        """Return the names in a question, in the order of the text; no two overlap."""
        form = to_search_form(text)[:_MAX_CHARACTERS]
        words = find_words(form, get_default_segmenter())
        mentions = list(self.find_exact_names(form, words))
        mentions += self._find_abbreviations(text, form, mentions)
        for span in _list_windows(words):
            overlapping = [mention for mention in mentions if span.start < mention.end and mention.start < span.end]
            if all(_is_within(mention, span) for mention in overlapping) and (match := self._match_inexact(form, span)):
                mentions = [mention for mention in mentions if mention not in overlapping] + [match]
        return sorted(mentions, key=lambda mention: mention.start)

    def _find_abbreviations(self, text: str, form: str, known: list[NameMention]) -> Iterator[NameMention]:
        """Yield the drugs that the text names in capitals, where it does not shout: "clopidogrel + ASA"."""
        if text.isupper():
            return
        for written in _ABBREVIATION.finditer(text):
            start, node_id = form.find(written[0].lower()), self._abbreviations.get(written[0])
            end = start + len(written[0])
            is_free = not any(start < mention.end and mention.start < end for mention in known)
            if node_id is not None and start >= 0 and is_free and is_latin_word(form, start, end):
                yield NameMention(start, end, form[start:end], "alias", (node_id,))

    def _index_nodes(self, pairs: Iterable[tuple[str, HerbName]]) -> NodesByPhrase:
        """Map each key to the nodes it names."""
        return self._merge(*_group_nodes(pairs))

    def _merge(self, own: NodesByPhrase, shared: NodesByPhrase) -> NodesByPhrase:
        """Return both indexes as one, nodes in order. A node's own name hides the same name shared by kinship."""
        merged = {**shared, **own}
        for key, nodes in merged.items():
            if len(nodes) > 1:
                merged[key] = tuple(sorted(nodes, key=self._rank_node))
        return merged

    def _rank_node(self, node_id: str) -> tuple[int, str]:
        return _TYPE_ORDER.index(self._types[node_id]), node_id

    def find_exact_names(self, form: str, words: list[Span]) -> Iterator[NameMention]:
        """Yield the names that stand in a search form as they are written."""
        bounds = {word.start for word in words} | {word.end for word in words}
        at = 0
        while found := next(self._find_separate(form, at, bounds), None):
            phrase, start, at = found
            kind: MentionKind = "name" if phrase in self._main_phrases else "alias"
            yield NameMention(start, at, phrase, kind, self._exact[phrase])

    def _find_separate(self, form: str, at: int, bounds: set[int]) -> Iterator[tuple[str, int, int]]:
        """Yield the names from a place on that stand for themselves. One that is only part of a longer word hides none
        that begins inside it: the "for sleep" of "for sleepless nights"."""
        for phrase, start, end in self.find_occurrences(form[at:]):
            found = self._prefer_longer(form, (phrase, at + start, at + end))
            if is_separate_name(form, *found[1:], bounds):
                yield found
            else:
                yield from self._find_separate(form, at + start + 1, bounds)
                return

    def _prefer_longer(self, form: str, found: tuple[str, int, int]) -> tuple[str, int, int]:
        """Return the longer name that begins behind the first word of a found one: "เป็นนิ่ว" is a name, and yet
        "เป็นนิ่วถุงน้ำดี" speaks of gallstones, not of any stones."""
        _, start, end = found
        if opening := _OPENING.match(form, start, end):
            inner = next(self.find_occurrences(form[opening.end() : end + _MAX_WINDOW_CHARACTERS]), None)
            if inner and inner[1] == 0 and opening.end() + inner[2] > end:
                return inner[0], opening.end(), opening.end() + inner[2]
        return found

    def is_name(self, phrase: str) -> bool:
        """Return whether a phrase in search form is a name as it stands."""
        return phrase in self._exact

    def find_occurrences(self, form: str) -> Iterator[tuple[str, int, int]]:
        """Yield each phrase whose letters occur, with its start and end, even inside a longer word."""
        for index, start, end in self._finder.find_matches_as_indexes(form):
            yield self._finder_phrases[index], start, end

    def _match_inexact(self, form: str, span: Span) -> NameMention | None:
        """Return the name that a span resembles, None where it is a name as it stands or resembles none."""
        piece = form[span.start : span.end]
        if _has_loose_end(piece):
            return None
        if piece in self._exact or not (match := self._match_folded_or_sound(piece)):
            return None
        kind, nodes = match
        return NameMention(span.start, span.end, piece, kind, nodes)

    def _match_folded_or_sound(self, piece: str) -> tuple[MentionKind, tuple[str, ...]] | None:
        folded = fold_spelling(piece)
        if len(folded) >= _MIN_MISSPELT_LENGTH and folded in self.folds:
            return "slip", self.folds[folded]
        if is_common_word(piece):
            return None
        if not piece.isascii() and not has_latin(piece):
            is_common = _is_made_of_common_words(piece)
            if not is_common and (drug := self.loanwords.find_alike(piece)):
                return "slip", (drug,)
            return self._match_misspelling(piece, _MIN_MISSPELT_COMMON_LENGTH if is_common else _MIN_MISSPELT_LENGTH)
        sound = make_spelling_key(piece)
        if len(sound) >= _MIN_SOUND_LENGTH and sound in self.sounds:
            return "romanised", self.sounds[sound]
        return self._match_misspelling(piece, _MIN_MISSPELT_LENGTH)

    def _match_misspelling(self, piece: str, min_length: int) -> tuple[MentionKind, tuple[str, ...]] | None:
        if len(fold_spelling(piece)) < min_length:
            return None
        known = (form for form in list_deletions(piece) if form in self.misspellings)
        return next((("slip", self.misspellings[form]) for form in known), None)


# Most changes of a graph touch no name, and then the indexes stay: to build them takes half a second.
_known_gazetteers: LruCache[tuple[str, PreparedData | None], Gazetteer] = LruCache(2)


def _build_indexed(names: tuple[HerbName, ...], kept: PreparedData | None) -> Gazetteer:
    key = hash_names(names)
    known = _known_gazetteers.get((key, kept))
    if known is None:
        known = _read_kept(names, key, kept) or _build_and_keep(names, key, kept)
        _known_gazetteers.put((key, kept), known)
    return known


def _read_kept(names: tuple[HerbName, ...], key: str, kept: PreparedData | None) -> Gazetteer | None:
    content = kept.read(FILE_NAME, key) if kept else None
    return None if content is None else Gazetteer(names, prepared=decode_names(content))


def _build_and_keep(names: tuple[HerbName, ...], key: str, kept: PreparedData | None) -> Gazetteer:
    gazetteer = Gazetteer(names)
    packed = gazetteer.pack()
    if kept:
        kept.write(FILE_NAME, key, encode_names(packed))
    return gazetteer


def _group_nodes(pairs: Iterable[tuple[str, HerbName]]) -> tuple[NodesByPhrase, NodesByPhrase]:
    """Return the nodes that have each key as a name of their own, and those that share it by kinship."""
    own: NodesByPhrase = {}
    shared: NodesByPhrase = {}
    for key, name in pairs:
        if key:
            _add_nodes(shared if name.kind in _SHARED_KINDS else own, key, (name.node_id,))
    return own, shared


def _is_name_of_another(name: HerbName, phrase: str, whole: set[tuple[NodeType, str]]) -> bool:
    """Return whether the phrase is a part of the name of a use or condition and the whole name of another. The "fever"
    of "mild COVID-19, fever" is no COVID-19, since fever is a use of its own."""
    is_listed = name.node_type in ("indication", "condition") and phrase != to_search_form(name.name)
    return is_listed and (name.node_type, phrase) in whole


def _spread_over_deletions(nodes_by_fold: NodesByPhrase) -> NodesByPhrase:
    """Return the nodes by each form of their folded names with a letter deleted."""
    spread: NodesByPhrase = {}
    for folded, nodes in nodes_by_fold.items():
        for form in list_fold_deletions(folded):
            _add_nodes(spread, form, nodes)
    return spread


def _add_nodes(index: NodesByPhrase, key: str, nodes: tuple[str, ...]) -> None:
    known = index.setdefault(key, nodes)
    if known is not nodes and known != nodes:
        index[key] = (*known, *(node for node in nodes if node not in known))


def _is_abbreviated_drug(name: HerbName) -> bool:
    """Tell the names of drugs that are words of a text as often: INH, TA, Gale."""
    return name.exact_only and name.node_type == "drug"


def _is_taker_of_drug(name: HerbName, drugs: set[str]) -> bool:
    """Tell names of groups of people that hold the name of a drug ("on warfarin"): the drug itself is meant."""
    if name.node_type != "condition":
        return False
    form = to_search_form(name.name)
    rest = _TAKING.sub("", form, count=1)
    return rest != form and rest in drugs


def _is_thai_complaint(name: HerbName) -> bool:
    """Tell names of illnesses in Thai, of which one letter makes another: a misspelt one is never guessed."""
    return name.node_type in ("condition", "indication") and has_thai(name.name)


def _is_spoken(name: HerbName) -> bool:
    return name.lang != "la" and name.node_type in ("herb", "formulation") and name.kind != "part"


def _is_within(mention: NameMention, span: Span) -> bool:
    """Return whether the span covers the mention and more."""
    return (
        span.start <= mention.start and mention.end <= span.end and mention.end - mention.start < span.end - span.start
    )


def _has_loose_end(piece: str) -> bool:
    """Return whether the text begins or ends with an English word that is part of no name: "is bua bok"."""
    words = piece.split()
    return len(words) > 1 and (words[0] in ENGLISH_STOP_WORDS or words[-1] in ENGLISH_STOP_WORDS)


def is_common_word(piece: str) -> bool:
    """Return whether the text is one Thai dictionary word, or English dictionary words alone: no attempt at a name."""
    if has_thai(piece):
        return piece in load_general_words()
    return all(len(word) < 2 or word in ENGLISH_STOP_WORDS or is_english_word(word) for word in piece.split())


def _is_made_of_common_words(piece: str) -> bool:
    return all(word in load_general_words() for word in get_default_segmenter().segment(piece))


@lru_cache(maxsize=10_000)
def is_english_word(word: str) -> bool:
    return stem_phrase(word) in load_general_lexicon().english


def find_words(form: str, segmenter: Segmenter) -> list[Span]:
    """Return the spans of the words that hold a letter."""
    words = segmenter.segment(form)
    ends = list(accumulate(map(len, words)))
    return [
        Span(end - len(word), end)
        for word, end in zip(words, ends, strict=True)
        if word[0].isalpha() or any(map(str.isalpha, word))
    ]


def _list_windows(words: list[Span]) -> Iterator[Span]:
    """Yield the spans of neighbouring words, many words before few."""
    for length in range(min(_MAX_WINDOW_WORDS, len(words)), 0, -1):
        for first, last in zip(words, words[length - 1 :], strict=False):
            if last.end - first.start <= _MAX_WINDOW_CHARACTERS:
                yield Span(first.start, last.end)
