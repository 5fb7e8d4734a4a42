"""Holds what a model says against the memory's own text: what is not there in so many words is dropped."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date

from sanya.suites.memory.extraction.model_output import ExtractedEvent, ExtractedParticipant, ExtractedRelation, Items
from sanya.suites.memory.graph.entity_resolution import Named
from sanya.suites.memory.parsing.claims import is_pronoun
from sanya.suites.memory.parsing.event_links import LinkKind
from sanya.suites.memory.parsing.parser import MOST_CHARACTERS, Reading, is_unsure
from sanya.suites.memory.parsing.times import When, find_times
from sanya.text.characters import has_thai
from sanya.text.sentences import sentence_spans
from sanya.text.spans import Span

_VOWELS_BEFORE = "เแโใไ"
_VOWELS_BEHIND = "ะาำๅๆ"
# The graph keeps claims and events under names with these signs.
_NO_NAME = re.compile(r"[\n:|@]")
_WORDLIKE = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Happening:
    """`when` is our own reading of the quoted words; nothing where they say no time."""

    quote: str
    when: When | None = None


@dataclass(frozen=True, slots=True)
class Leading:
    kind: LinkKind
    first: Happening
    second: Happening


@dataclass(frozen=True, slots=True)
class Grounded:
    """What the text bears out and the rules have not found; `known` is how many they had."""

    participants: tuple[Named, ...] = ()
    events: tuple[Happening, ...] = ()
    relations: tuple[Leading, ...] = ()
    known: int = 0

    def __len__(self) -> int:
        return len(self.participants) + len(self.events) + len(self.relations)


@dataclass(frozen=True, slots=True)
class Ground:
    """A memory's text, the day on which it was said, and what the rules read in it."""

    text: str
    said: date | None
    reading: Reading

    def hold(self, items: Items) -> Grounded:
        named = [one for one in map(self._participant, items.participants) if one is not None]
        events = [one for one in map(self._event, items.events) if one is not None]
        relations = [one for one in map(self._relation, items.relations) if one is not None]
        new_events = [one for one in events if not self._knows_event(one)]
        new_relations = [one for one in relations if not self._knows_relation(one)]
        return Grounded(
            tuple({one.name: one for one in named}.values()),
            tuple(dict.fromkeys(new_events)),
            tuple(dict.fromkeys(new_relations)),
            len(events) - len(new_events) + len(relations) - len(new_relations),
        )

    def _find(self, quote: str) -> Span | None:
        """Where the text has these very words, whole ones."""
        start = self.text.find(quote, 0, MOST_CHARACTERS)
        while start >= 0:
            span = Span(start, start + len(quote))
            if self._is_whole(span):
                return span
            start = self.text.find(quote, start + 1, MOST_CHARACTERS)
        return None

    def _is_whole(self, span: Span) -> bool:
        return not any(
            0 < at < len(self.text) and _are_joined(self.text[at - 1], self.text[at]) for at in (span.start, span.end)
        )

    def _participant(self, item: ExtractedParticipant) -> Named | None:
        name = item.quote
        span = self._find(name)
        named = Named(name, item.entity_kind, item.role)
        if span is None or name != name.strip() or _NO_NAME.search(name) or named.is_unnamed or not named.key:
            return None
        # A common noun is nobody: a name is written large, or in a script that knows no capitals.
        if not _WORDLIKE.search(name) or not (has_thai(name) or name[0].isupper() or name[0].isdigit()):
            return None
        if is_pronoun(name) or any(
            one.span.start <= span.start and span.end <= one.span.end for one in self.reading.attributions
        ):
            return None
        return named

    def _event(self, item: ExtractedEvent) -> Happening | None:
        span = self._find(item.quote)
        if span is None or not self._is_meant(span):
            return None
        found = self._when(item.quote)
        if found is None or found.iso() != item.date or self._is_unsure_around(span):
            return None
        return Happening(item.quote, found)

    def _relation(self, item: ExtractedRelation) -> Leading | None:
        first, second = self._find(item.first), self._find(item.second)
        if first is None or second is None or _overlap(first, second):
            return None
        if not self._is_meant(first) or not self._is_meant(second) or not self._is_one_passage(first, second):
            return None
        ends = Happening(item.first, self._when(item.first)), Happening(item.second, self._when(item.second))
        return Leading(item.kind, *ends)

    def _when(self, quote: str) -> When | None:
        """The one day, month or year that the words name; with several it is not said which is meant."""
        found = {one.when for one in find_times(quote, self.said) if one.kind in ("at", "period")}
        dated = [one for one in found if one.is_moment and one.start and one.start.year is not None]
        return dated[0] if len(dated) == 1 == len(found) else None

    def _is_meant(self, span: Span) -> bool:
        """Neither doubted nor asked nor planned, as far as the claims around it tell."""
        return all(one.modality == "asserted" for one in self.reading.claims if _overlap(one.span, span))

    def _is_unsure_around(self, span: Span) -> bool:
        around = [one for one in sentence_spans(self.text) if _overlap(one, span)]
        sentences = [one.of(self.text) for one in around]
        return any(is_unsure(one, [time.span for time in find_times(one, self.said)]) for one in sentences)

    def _is_one_passage(self, first: Span, second: Span) -> bool:
        """In one sentence or in two that follow each other: a cause is not said pages before its effect."""
        numbers = [
            number
            for number, one in enumerate(sentence_spans(self.text))
            if _overlap(one, first) or _overlap(one, second)
        ]
        return bool(numbers) and max(numbers) - min(numbers) <= 1

    def _knows_event(self, event: Happening) -> bool:
        span = self._find(event.quote)
        told: list[tuple[Span, When | None]] = [(one.span, one.when) for one in self.reading.claims]
        told += [(one.span, one.when) for one in self.reading.occasions]
        return span is not None and any(
            when is not None and event.when is not None and when.iso() == event.when.iso() and _overlap(its, span)
            for its, when in told
        )

    def _knows_relation(self, relation: Leading) -> bool:
        first, second = self._find(relation.first.quote), self._find(relation.second.quote)
        return any(
            one.kind == relation.kind
            and first is not None
            and second is not None
            and _overlap(one.first, first)
            and _overlap(one.second, second)
            for one in self.reading.links
        )


def _are_joined(before: str, after: str) -> bool:
    """Thai runs its words together, but never parts a consonant from its vowels; other scripts part words."""
    if has_thai(before) or has_thai(after):
        return before in _VOWELS_BEFORE or after in _VOWELS_BEHIND or unicodedata.category(after) == "Mn"
    return before.isalnum() and after.isalnum()


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
