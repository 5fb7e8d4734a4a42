"""Grounding: an item of a model is kept only if the text of the memory bears it out.

Each item is a quotation that the text must contain letter by letter, in whole words. A date must be the one that our
own parser finds in the quoted words. Whatever is doubted, planned, denied or asked is no event. Everything else is
dropped.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date

from sanya.suite.text import Span, has_thai, split_sentences
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

_VOWELS_BEFORE = "เแโใไ"
_VOWELS_AFTER = "ะาำๅๆ"
# The keys of claims and events in the graph contain these characters, so a name must not.
_NOT_IN_NAMES = re.compile(r"[\n:|@]")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class GroundedEvent:
    """A quoted event. `when` is the time that our parser finds in the quotation, if it names one."""

    quote: str
    when: TimeRange | None = None


@dataclass(frozen=True, slots=True)
class GroundedRelation:
    kind: LinkKind
    first: GroundedEvent
    second: GroundedEvent


@dataclass(frozen=True, slots=True)
class GroundedItems:
    """Items that the text bears out and the rules have not found. `known` counts those that the rules had found."""

    participants: tuple[EntityReference, ...] = ()
    events: tuple[GroundedEvent, ...] = ()
    relations: tuple[GroundedRelation, ...] = ()
    known: int = 0

    def __len__(self) -> int:
        return len(self.participants) + len(self.events) + len(self.relations)


@dataclass(frozen=True, slots=True)
class Grounding:
    """The text of a memory, the day on which it was said, and its parsed form."""

    text: str
    stated_on: date | None
    parsed: ParsedText

    def ground_items(self, items: ModelItems) -> GroundedItems:
        participants = [name for name in map(self._ground_participant, items.participants) if name is not None]
        events = [event for event in map(self._ground_event, items.events) if event is not None]
        relations = [relation for relation in map(self._ground_relation, items.relations) if relation is not None]
        new_events = [event for event in events if not self._is_known_event(event)]
        new_relations = [relation for relation in relations if not self._is_known_relation(relation)]
        return GroundedItems(
            tuple({participant.name: participant for participant in participants}.values()),
            tuple(dict.fromkeys(new_events)),
            tuple(dict.fromkeys(new_relations)),
            len(events) - len(new_events) + len(relations) - len(new_relations),
        )

    def _find_quote(self, quote: str) -> Span | None:
        """Return the first place where the text contains the quotation in whole words."""
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
        reference = EntityReference(name, item.entity_kind, item.role)
        if (
            span is None
            or name != name.strip()
            or _NOT_IN_NAMES.search(name)
            or reference.is_unnamed
            or not reference.key
        ):
            return None
        # A common noun is no name. A name has a capital or a digit first, or is written in Thai, which has no capitals.
        if not _LETTER.search(name) or not (has_thai(name) or name[0].isupper() or name[0].isdigit()):
            return None
        sources = [attribution.span for attribution in self.parsed.attributions]
        if is_pronoun(name) or any(source.start <= span.start and span.end <= source.end for source in sources):
            return None
        return reference

    def _ground_event(self, item: ExtractedEvent) -> GroundedEvent | None:
        span = self._find_quote(item.quote)
        if span is None or not self._is_asserted(span):
            return None
        when = self._find_single_time(item.quote)
        if when is None or when.to_iso() != item.date or self._is_unsure_around(span):
            return None
        return GroundedEvent(item.quote, when)

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
        """Return the only day, month or year in the quotation. With several, nothing says which one is meant."""
        times = {time.when for time in find_times(quote, self.stated_on) if time.kind in ("at", "period")}
        dated = [when for when in times if when.is_point and when.start and when.start.year is not None]
        return dated[0] if len(dated) == 1 == len(times) else None

    def _is_asserted(self, span: Span) -> bool:
        """Tell whether no claim around the span is doubted, planned or asked."""
        return all(claim.modality == "asserted" for claim in self.parsed.claims if _is_overlapping(claim.span, span))

    def _is_unsure_around(self, span: Span) -> bool:
        overlapping = [sentence for sentence in split_sentences(self.text) if _is_overlapping(sentence, span)]
        texts = [sentence.slice(self.text) for sentence in overlapping]
        return any(is_unsure(text, [time.span for time in find_times(text, self.stated_on)]) for text in texts)

    def _is_adjacent(self, first: Span, second: Span) -> bool:
        """Tell whether both are in one sentence or in two consecutive ones: a cause stands near its effect."""
        numbers = [
            number
            for number, sentence in enumerate(split_sentences(self.text))
            if _is_overlapping(sentence, first) or _is_overlapping(sentence, second)
        ]
        return bool(numbers) and max(numbers) - min(numbers) <= 1

    def _is_known_event(self, event: GroundedEvent) -> bool:
        span = self._find_quote(event.quote)
        known: list[tuple[Span, TimeRange | None]] = [(claim.span, claim.when) for claim in self.parsed.claims]
        known += [(note.span, note.when) for note in self.parsed.dated_notes]
        return span is not None and any(
            when is not None
            and event.when is not None
            and when.to_iso() == event.when.to_iso()
            and _is_overlapping(known_span, span)
            for known_span, when in known
        )

    def _is_known_relation(self, relation: GroundedRelation) -> bool:
        first, second = self._find_quote(relation.first.quote), self._find_quote(relation.second.quote)
        return any(
            link.kind == relation.kind
            and first is not None
            and second is not None
            and _is_overlapping(link.first, first)
            and _is_overlapping(link.second, second)
            for link in self.parsed.links
        )


def _is_inside_word(before: str, after: str) -> bool:
    """Tell whether two characters belong to one word. Thai never splits a consonant from its vowels."""
    if has_thai(before) or has_thai(after):
        return before in _VOWELS_BEFORE or after in _VOWELS_AFTER or unicodedata.category(after) == "Mn"
    return before.isalnum() and after.isalnum()


def _is_overlapping(span: Span, other: Span) -> bool:
    return span.start < other.end and other.start < span.end
