"""Entity linking: which nodes of the graph a page names, and where.

Precision comes first. A name has to stand as a word of its own, a name that several nodes share stays ambiguous, and a
misspelling is accepted only on a page that was recognised by OCR. `EntityLinker.find_mentions` collects mentions in
three ways and keeps the longest where they overlap:

1. names as they are written;
2. other spellings of the same sound, found in the folded words of the page;
3. on OCR pages, names with one wrong letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

from sanya.suite.text import THAI, Span, get_default_segmenter, has_thai, load_known_words
from sanya.suites.herbs.graph.model import SUBJECT_TYPES, HerbGraph, HerbName, NodeType
from sanya.suites.herbs.ingest.extraction.linkable_phrases import list_linkable_phrases
from sanya.suites.herbs.ingest.extraction.misplaced_marks import MarkRestorer
from sanya.suites.herbs.ingest.extraction.page_text import PageText
from sanya.suites.herbs.pattern_tables import read_pattern_table
from sanya.suites.herbs.questions.mentions import Gazetteer, find_words, is_common_word
from sanya.suites.herbs.questions.name_forms import fold_spelling, is_latin_word, list_deletions

PageMentionKind = Literal["name", "alias", "slip", "binomial", "icd10"]
CONFIDENCE: Mapping[PageMentionKind, float] = {
    "name": 0.98,
    "alias": 0.95,
    "slip": 0.75,
    "binomial": 0.99,
    "icd10": 0.97,
}
# Confidence of a page whose recogniser gives none.
_OCR_CONFIDENCE = 0.85
_SHARED_KINDS = frozenset({"part", "abbreviation", "code"})
_TRANSCRIBED_KINDS = frozenset({"romanised", "transcription"})
_MIN_TRANSCRIBED_LENGTH = 6
_MIN_FOLDED_LENGTH = 6
_MIN_MISSPELT_LENGTH = 7
_MAX_WINDOW_WORDS = 6
_MAX_WINDOW_CHARACTERS = 40
# Text between two words that may still be one name.
_WORD_JOINTS = ("", " ", "-")
_WORD_BREAK = "\n"
_EMPTY_SPAN = Span(0, 0)

_WORDS = read_pattern_table("sanya.suites.herbs.ingest.extraction", "entity_linker.toml")
_OTHER_SPECIES = re.compile(f"(?:{_WORDS['other_species']['thai']})")
_LEADING_WORD = re.compile(f"(?:{_WORDS['leading']['thai']})$")
_MAX_LEADING_WORD = 12
_OTHER_COMPLAINT = re.compile(f"(?=[{THAI}])(?!{_WORDS['following']['thai']})")
# A transcribed name after another word that is no English one is the end of a longer name.
_LATIN_WORD_BEFORE = re.compile(r"(?<![a-z])([a-z]+) $")
_DRUG_WORD_BEFORE = re.compile(rf"ยา[{THAI}]{{0,12}}\s?$")
_CODE_CONTEXT = re.compile(r"(?:icd|รหัส|code)[^.\n]{0,25}$|\(\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PageMention:
    """A name on a page. `nodes_by_type` holds what it may mean; the statement around it decides the type, and two nodes
    of one type are ambiguous."""

    start: int
    end: int
    kind: PageMentionKind
    nodes_by_type: Mapping[NodeType, tuple[str, ...]]
    confidence: float

    def get_single_node(self, *types: NodeType) -> str | None:
        """Return the node where exactly one has one of these types."""
        nodes = [node for type in types for node in self.nodes_by_type.get(type, ())]
        return nodes[0] if len(nodes) == 1 else None

    def has_type(self, *types: NodeType) -> bool:
        return not self.nodes_by_type.keys().isdisjoint(types)

    @property
    def may_be_subject(self) -> bool:
        """True for a herb or formulation, even an unknown one: it keeps names further off from being the subject."""
        return self.has_type(*SUBJECT_TYPES) or (self.kind == "binomial" and not self.nodes_by_type)


NameLink = tuple[PageMentionKind, Mapping[NodeType, tuple[str, ...]]]
"""The kind of a mention, and the nodes that it means by type."""


class EntityLinker:
    """The names of one revision of the graph, and of what a document adds, prepared for recognition in pages."""

    def __init__(self, graph: HerbGraph) -> None:
        self.graph = graph
        self._gazetteers = [Gazetteer(graph.names, list_linkable_phrases)]
        self._names = _group_by_phrase(self._gazetteers[0].phrases)
        self._thai_phrases = frozenset(filter(has_thai, self._names))
        self._links: dict[str, NameLink | None] = {}
        self._segmenter = get_default_segmenter().extend(self._thai_phrases)

    @cached_property
    def marks(self) -> MarkRestorer:
        return MarkRestorer(name.name for name in self.graph.names)

    def extend(self, graph: HerbGraph) -> EntityLinker:
        """Return a linker that also knows the nodes and names of a small graph; this one stays as it is."""
        extended = EntityLinker.__new__(EntityLinker)
        extended.graph = replace(self.graph, nodes={**self.graph.nodes, **graph.nodes})
        gazetteer = Gazetteer(graph.names, list_linkable_phrases)
        extended._gazetteers = [*self._gazetteers, gazetteer]
        extended._names = {**self._names, **_group_by_phrase(gazetteer.phrases)}
        extended._thai_phrases, extended._links = self._thai_phrases, {}
        extended._segmenter = self._segmenter
        return extended

    def has_name(self, phrase: str) -> bool:
        return phrase in self._names

    def find_mentions(self, page: PageText, genera: Iterable[str] = ()) -> list[PageMention]:
        """Return the mentions in the order of the page; no two overlap. `genera` are those the document writes in full,
        by which an abbreviated Latin name is understood."""
        words = find_words(page.form, self._segmenter)
        certainty = 1.0 if page.page.origin == "text" else page.page.certainty or _OCR_CONFIDENCE
        exact = self._find_exact(page.form, words, frozenset(genera))
        mentions = _keep_longest([*exact, *self._find_respelt(page, words)])
        if certainty == 1.0:
            return mentions
        return [replace(mention, confidence=round(mention.confidence * certainty, 3)) for mention in mentions]

    def _find_exact(self, form: str, words: list[Span], genera: frozenset[str]) -> Iterator[PageMention]:
        starts, ends = {word.start: word for word in words}, {word.end for word in words}
        for gazetteer in self._gazetteers:
            for phrase, start, end in gazetteer.find_occurrences(form):
                if phrase in self._thai_phrases:
                    begins = start in starts or _LEADING_WORD.search(form[max(0, start - _MAX_LEADING_WORD) : start])
                    next_word = starts.get(end, _EMPTY_SPAN).slice(form)
                    if not begins or end not in ends or not self._is_word(next_word):
                        continue
                elif not is_latin_word(form, start, end):
                    continue
                names = self._names[phrase]
                fitting = [name for name in names if _is_fitting(form, start, end, name)]
                known = self._get_link(phrase) if len(fitting) == len(names) else None
                if (link := known or self._link_names(fitting, genera)) is not None:
                    yield PageMention(start, end, *link, CONFIDENCE[link[0]])

    def _get_link(self, phrase: str) -> NameLink | None:
        """Return what a phrase means in any document, None where it depends on the document."""
        if phrase not in self._links:
            names = self._names[phrase]
            depends = any(name.kind == "abbreviation" for name in names)
            self._links[phrase] = None if depends else self._link_names(names, frozenset())
        return self._links[phrase]

    def _link_names(self, names: Sequence[HerbName], genera: frozenset[str]) -> NameLink | None:
        nodes = self._choose_nodes(names, genera)
        return None if nodes is None else (_choose_kind(names), nodes)

    def _is_word(self, piece: str) -> bool:
        """Return whether the text after a name is a word. Letters that are none belong to a longer, unknown name."""
        return piece in load_known_words() or piece in self._names or not has_thai(piece)

    def _find_respelt(self, page: PageText, words: list[Span]) -> Iterator[PageMention]:
        """Yield names without their tone marks, or with other letters of the same sound."""
        folds = [_fold_word(word.slice(page.form)) for word in words]
        text, first_word_at, last_word_at = _join_folds(page.form, words, folds)
        for gazetteer in self._gazetteers:
            for fold, start, end in gazetteer.find_folded_names(text):
                if len(fold) >= _MIN_FOLDED_LENGTH and start in first_word_at and end in last_word_at:
                    span = Span(words[first_word_at[start]].start, words[last_word_at[end]].end)
                    yield from self._link_resembling(page.form, span, self._names_by_fold[fold])
        if page.page.origin == "ocr":
            yield from self._find_misread(page.form, words, folds)

    def _find_misread(self, form: str, words: list[Span], folds: list[str]) -> Iterator[PageMention]:
        """Yield names with one letter wrong, on a page that was recognised from its image."""
        for first in range(len(words)):
            folded = ""
            for last in range(first, min(first + _MAX_WINDOW_WORDS, len(words))):
                span = Span(words[first].start, words[last].end)
                is_broken = last > first and not _is_adjoining(form, words[last - 1], words[last])
                if is_broken or span.end - span.start > _MAX_WINDOW_CHARACTERS:
                    break
                folded += folds[last]
                if len(folded) >= _MIN_MISSPELT_LENGTH:
                    forms = (text for text in list_deletions(folded) if text in self._names_by_deletion)
                    names = next((self._names_by_deletion[text] for text in forms), ())
                    yield from self._link_resembling(form, span, names)

    def _link_resembling(self, form: str, span: Span, names: Sequence[HerbName]) -> Iterator[PageMention]:
        """Yield a mention of names that the span resembles, unless it is a name itself or a common word."""
        piece = span.slice(form)
        if piece not in self._names and not is_common_word(piece):
            fitting = [name for name in names if _is_fitting(form, *span, name)]
            if nodes := self._choose_nodes(fitting, frozenset()):
                yield PageMention(*span, "slip", nodes, CONFIDENCE["slip"])

    @cached_property
    def _names_by_fold(self) -> dict[str, list[HerbName]]:
        return _group_by_phrase(
            (fold_spelling(phrase), name) for phrase, names in self._names.items() for name in names
        )

    @cached_property
    def _names_by_deletion(self) -> dict[str, list[HerbName]]:
        return _group_by_phrase(
            (text, name) for phrase, names in self._names.items() for name in names for text in list_deletions(phrase)
        )

    def _choose_nodes(
        self, names: Sequence[HerbName], genera: frozenset[str]
    ) -> Mapping[NodeType, tuple[str, ...]] | None:
        """Return what the names mean by type: None where there are none.

        A node's own name outranks one of a part or a code, and that an abbreviation. A main name of a herb or
        formulation outranks an alias of another.
        """
        if not names:
            return None
        own = [name for name in names if name.kind not in _SHARED_KINDS]
        parts_or_codes = [name for name in names if name.kind in ("part", "code")]
        chosen = own or parts_or_codes or [name for name in names if name.kind == "abbreviation"]
        if chosen and chosen[0].kind == "abbreviation" and len({name.node_id for name in chosen}) > 1:
            chosen = [name for name in chosen if self._get_genus(name.node_id) in genera] or chosen
        main_types = {name.node_type for name in chosen if name.kind == "main"}.intersection(SUBJECT_TYPES)
        if main_types:
            chosen = [name for name in chosen if name.node_type in main_types or name.node_type not in SUBJECT_TYPES]
        return self._group_by_type(dict.fromkeys(name.node_id for name in chosen))

    def _group_by_type(self, node_ids: Iterable[str]) -> Mapping[NodeType, tuple[str, ...]]:
        groups: dict[NodeType, list[str]] = {}
        for node_id in node_ids:
            groups.setdefault(self.graph.nodes[node_id].type, []).append(node_id)
        return {type: self._drop_subcodes(nodes) for type, nodes in sorted(groups.items())}

    def _drop_subcodes(self, node_ids: list[str]) -> tuple[str, ...]:
        """Drop the subcodes: a name that a code and its subcodes share means the code."""
        if len(node_ids) == 1:
            return tuple(node_ids)
        subcodes = {
            node_id
            for node_id in node_ids
            for edge in self.graph.get_edges(node_id)
            if edge.type == "part_of" and edge.from_id == node_id and edge.to_id in node_ids
        }
        return tuple(sorted(node_id for node_id in node_ids if node_id not in subcodes))

    def _get_genus(self, node_id: str) -> str:
        return str(self.graph.nodes[node_id].data.get("latin_name") or "").partition(" ")[0]


def _group_by_phrase(phrases: Iterable[tuple[str, HerbName]]) -> dict[str, list[HerbName]]:
    groups: dict[str, list[HerbName]] = {}
    for phrase, name in phrases:
        groups.setdefault(phrase, []).append(name)
    return groups


def _is_fitting(form: str, start: int, end: int, name: HerbName) -> bool:
    """Return whether the phrase can be this name where it stands."""
    phrase = form[start:end]
    if name.kind in _TRANSCRIBED_KINDS:
        before = _LATIN_WORD_BEFORE.search(form[max(0, start - 20) : start])
        is_end_of_longer = before is not None and not is_common_word(before[1])
        return len(phrase) >= _MIN_TRANSCRIBED_LENGTH and not is_end_of_longer and not is_common_word(phrase)
    if name.kind == "code":
        return "." in phrase or _CODE_CONTEXT.search(form[max(0, start - 30) : start]) is not None
    if name.node_type == "drug" and name.kind == "alias" and has_thai(phrase) and not phrase.startswith("ยา"):
        return _DRUG_WORD_BEFORE.search(form[max(0, start - 16) : start]) is not None
    if name.node_type == "indication" and has_thai(phrase):
        return _OTHER_COMPLAINT.match(form, end) is None
    if name.node_type == "herb" and has_thai(phrase):
        return _OTHER_SPECIES.match(form, end) is None
    return True


def _choose_kind(names: Sequence[HerbName]) -> PageMentionKind:
    kinds = {name.kind for name in names}
    if kinds == {"code"}:
        return "icd10"
    if any(name.lang == "la" for name in names):
        return "binomial"
    return "name" if "main" in kinds else "alias"


@lru_cache(maxsize=50_000)
def _fold_word(word: str) -> str:
    return fold_spelling(word)


def _join_folds(form: str, words: list[Span], folds: list[str]) -> tuple[str, dict[int, int], dict[int, int]]:
    """Return the folded words as one text, broken where they do not adjoin, and the word that begins or ends at each
    offset of it."""
    parts: list[str] = []
    first_word_at: dict[int, int] = {}
    last_word_at: dict[int, int] = {}
    offset = end = 0
    for index, (word, fold) in enumerate(zip(words, folds, strict=True)):
        if form[end : word.start] not in _WORD_JOINTS:
            parts.append(_WORD_BREAK)
            offset += 1
        first_word_at[offset] = index
        parts.append(fold)
        offset += len(fold)
        last_word_at[offset] = index
        end = word.end
    return "".join(parts), first_word_at, last_word_at


def _is_adjoining(form: str, before: Span, word: Span) -> bool:
    return form[before.end : word.start] in _WORD_JOINTS


def _keep_longest(mentions: Iterable[PageMention]) -> list[PageMention]:
    """Keep the leftmost mention, then the longest; a name as written replaces one that only resembles."""
    kept: list[PageMention] = []
    for mention in sorted(mentions, key=lambda mention: (mention.start, mention.kind == "slip", -mention.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
        elif mention.kind != "slip" and kept[-1].kind == "slip":
            kept[-1] = mention
    return kept
