"""Holds what a model says against the memory's own text: what is not there in so many words is dropped."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date

from sanya.suites.memory.extraction.model_output import (
    ExtractedEvent,
    ExtractedParticipant,
    ExtractedRelation,
    ModelItems,
)
from sanya.suites.memory.graph.entity_resolution import EntityReference
from sanya.suites.memory.parsing.claims import is_pronoun
from sanya.suites.memory.parsing.event_links import LinkKind
from sanya.suites.memory.parsing.parser import MAX_CHARS, ParsedText, is_unsure
from sanya.suites.memory.parsing.times import TimeRange, find_times
from sanya.text.characters import has_thai
from sanya.text.sentences import split_sentences
from sanya.text.spans import Span

_VOWELS_BEFORE = "เแโใไ"
_VOWELS_BEHIND = "ะาำๅๆ"
# The graph keeps claims and events under names with these signs.
_NO_NAME = re.compile(r"[\n:|@]")
_WORDLIKE = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class GroundedEvent:
    """`when` is our own reading of the quoted words; nothing where they say no time."""

    quote: str
    when: TimeRange | None = None


@dataclass(frozen=True, slots=True)
class GroundedRelation:
    kind: LinkKind
    first: GroundedEvent
    second: GroundedEvent


@dataclass(frozen=True, slots=True)
class GroundedItems:
    """What the text bears out and the rules have not found; `known` is how many they had."""

    participants: tuple[EntityReference, ...] = ()
    events: tuple[GroundedEvent, ...] = ()
    relations: tuple[GroundedRelation, ...] = ()
    known: int = 0

    def __len__(self) -> int:
        return len(self.participants) + len(self.events) + len(self.relations)


@dataclass(frozen=True, slots=True)
class Grounding:
    """A memory's text, the day on which it was said, and what the rules read in it."""

    text: str
    stated_on: date | None
    parsed: ParsedText

    def ground_items(self, items: ModelItems) -> GroundedItems:
        named = [one for one in map(self._ground_participant, items.participants) if one is not None]
        events = [one for one in map(self._ground_event, items.events) if one is not None]
        relations = [one for one in map(self._ground_relation, items.relations) if one is not None]
        new_events = [one for one in events if not self._is_known_event(one)]
        new_relations = [one for one in relations if not self._is_known_relation(one)]
        return GroundedItems(
            tuple({one.name: one for one in named}.values()),
            tuple(dict.fromkeys(new_events)),
            tuple(dict.fromkeys(new_relations)),
            len(events) - len(new_events) + len(relations) - len(new_relations),
        )

    def _find_quote(self, quote: str) -> Span | None:
        """Where the text has these very words, whole ones."""
        start = self.text.find(quote, 0, MAX_CHARS)
        while start >= 0:
            span = Span(start, start + len(quote))
            if self._is_whole(span):
                return span
            start = self.text.find(quote, start + 1, MAX_CHARS)
        return None

    def _is_whole(self, span: Span) -> bool:
        return not any(
            0 < at < len(self.text) and _is_inside_word(self.text[at - 1], self.text[at])
            for at in (span.start, span.end)
        )

    def _ground_participant(self, item: ExtractedParticipant) -> EntityReference | None:
        name = item.quote
        span = self._find_quote(name)
        named = EntityReference(name, item.entity_kind, item.role)
        if span is None or name != name.strip() or _NO_NAME.search(name) or named.is_unnamed or not named.key:
            return None
        # A common noun is nobody: a name is written large, or in a script that knows no capitals.
        if not _WORDLIKE.search(name) or not (has_thai(name) or name[0].isupper() or name[0].isdigit()):
            return None
        if is_pronoun(name) or any(
            one.span.start <= span.start and span.end <= one.span.end for one in self.parsed.attributions
        ):
            return None
        return named

    def _ground_event(self, item: ExtractedEvent) -> GroundedEvent | None:
        span = self._find_quote(item.quote)
        if span is None or not self._is_asserted(span):
            return None
        found = self._find_single_time(item.quote)
        if found is None or found.to_iso() != item.date or self._is_unsure_around(span):
            return None
        return GroundedEvent(item.quote, found)

    def _ground_relation(self, item: ExtractedRelation) -> GroundedRelation | None:
        first, second = self._find_quote(item.first), self._find_quote(item.second)
        if first is None or second is None or _is_overlapping(first, second):
            return None
        if not self._is_asserted(first) or not self._is_asserted(second) or not self._is_adjacent(first, second):
            return None
        ends = (
            GroundedEvent(item.first, self._find_single_time(item.first)),
            GroundedEvent(item.second, self._find_single_time(item.second)),
        )
        return GroundedRelation(item.kind, *ends)

    def _find_single_time(self, quote: str) -> TimeRange | None:
        """The one day, month or year that the words name; with several it is not said which is meant."""
        found = {one.when for one in find_times(quote, self.stated_on) if one.kind in ("at", "period")}
        dated = [one for one in found if one.is_point and one.start and one.start.year is not None]
        return dated[0] if len(dated) == 1 == len(found) else None

    def _is_asserted(self, span: Span) -> bool:
        """Neither doubted nor asked nor planned, as far as the claims around it tell."""
        return all(one.modality == "asserted" for one in self.parsed.claims if _is_overlapping(one.span, span))

    def _is_unsure_around(self, span: Span) -> bool:
        around = [one for one in split_sentences(self.text) if _is_overlapping(one, span)]
        sentences = [one.slice(self.text) for one in around]
        return any(is_unsure(one, [time.span for time in find_times(one, self.stated_on)]) for one in sentences)

    def _is_adjacent(self, first: Span, second: Span) -> bool:
        """In one sentence or in two that follow each other: a cause is not said pages before its effect."""
        numbers = [
            number
            for number, one in enumerate(split_sentences(self.text))
            if _is_overlapping(one, first) or _is_overlapping(one, second)
        ]
        return bool(numbers) and max(numbers) - min(numbers) <= 1

    def _is_known_event(self, event: GroundedEvent) -> bool:
        span = self._find_quote(event.quote)
        told: list[tuple[Span, TimeRange | None]] = [(one.span, one.when) for one in self.parsed.claims]
        told += [(one.span, one.when) for one in self.parsed.dated_notes]
        return span is not None and any(
            when is not None
            and event.when is not None
            and when.to_iso() == event.when.to_iso()
            and _is_overlapping(its, span)
            for its, when in told
        )

    def _is_known_relation(self, relation: GroundedRelation) -> bool:
        first, second = self._find_quote(relation.first.quote), self._find_quote(relation.second.quote)
        return any(
            one.kind == relation.kind
            and first is not None
            and second is not None
            and _is_overlapping(one.first, first)
            and _is_overlapping(one.second, second)
            for one in self.parsed.links
        )


def _is_inside_word(before: str, after: str) -> bool:
    """Thai runs its words together, but never parts a consonant from its vowels; other scripts part words."""
    if has_thai(before) or has_thai(after):
        return before in _VOWELS_BEFORE or after in _VOWELS_BEHIND or unicodedata.category(after) == "Mn"
    return before.isalnum() and after.isalnum()


def _is_overlapping(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
