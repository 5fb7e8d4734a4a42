"""The parser: from a text to its claims, mentions, times, attributions and links between events.

Parsing is a pure function of the text and the day on which it was said, so it can be cached and repeated. Its cost is
bounded: of a long text only the beginning is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from sanya.suite.text import Span, split_sentences
from sanya.suites.memory.parsing.attribution import Attribution, find_attribution
from sanya.suites.memory.parsing.claims import ParsedClaim, SpeechContext, collect_terms, mask_spans, parse_clause
from sanya.suites.memory.parsing.cues import CONDITIONS, HEDGES, NEGATIONS, PLANS, QUESTIONS, VERB_CUES
from sanya.suites.memory.parsing.event_links import EventLink, find_links
from sanya.suites.memory.parsing.log_lines import LogRow, SpokenLine, parse_log_row, parse_spoken_line
from sanya.suites.memory.parsing.mentions import EntityMention, find_mentions
from sanya.suites.memory.parsing.times import TimeMatch, TimeRange, find_times
from sanya.suites.memory.parsing.tokens import tokenize
from sanya.suites.memory.word_lists import build_word_set

MAX_CHARS = 16_384
MAX_SENTENCES = 120
_MAX_SENTENCE_CHARS = 800
_CONJUNCTION = re.compile(r";\s|,?\s(?:but|while|whereas|although)\s|\sแต่|\sส่วน|\sขณะที่")


class DatedNote(NamedTuple):
    """A sentence with a date and without a claim: "Board meeting, 3 February"."""

    span: Span
    when: TimeRange


@dataclass(frozen=True, slots=True)
class ParsedText:
    claims: tuple[ParsedClaim, ...] = ()
    mentions: tuple[EntityMention, ...] = ()
    times: tuple[TimeMatch, ...] = ()
    links: tuple[EventLink, ...] = ()
    attributions: tuple[Attribution, ...] = ()
    spoken: SpokenLine | None = None
    row: LogRow | None = None
    is_question: bool = False
    event_order: tuple[tuple[str, str], ...] = ()
    """Pairs of event keys, the earlier first."""
    dated_notes: tuple[DatedNote, ...] = ()


def parse_text(text: str, stated_on: date | None = None) -> ParsedText:
    """Parse a text. `stated_on` is the day on which it was said, unless the text itself begins with another."""
    text = text[:MAX_CHARS]
    row = parse_log_row(text)
    if row is not None:
        return ParsedText(mentions=tuple(find_mentions(text)), times=tuple(find_times(text, stated_on)), row=row)
    spoken = parse_spoken_line(text)
    start = spoken.body.start if spoken else 0
    context = SpeechContext(spoken.speaker if spoken else None, (spoken.stated_on if spoken else None) or stated_on)
    sentences = [
        _parse_sentence(text, _shift(span, start), context) for span in split_sentences(text[start:])[:MAX_SENTENCES]
    ]
    return ParsedText(
        claims=tuple(claim for sentence in sentences for claim in sentence.claims),
        mentions=tuple(find_mentions(text)),
        times=tuple(time for sentence in sentences for time in sentence.times),
        links=tuple(link for sentence in sentences for link in sentence.links),
        attributions=tuple(attribution for sentence in sentences for attribution in sentence.attributions),
        spoken=spoken,
        is_question=text.rstrip().endswith("?"),
        event_order=tuple(pair for sentence in sentences for pair in sentence.event_order),
        dated_notes=tuple(note for sentence in sentences for note in sentence.dated_notes),
    )


def _parse_sentence(text: str, span: Span, context: SpeechContext) -> ParsedText:
    sentence = span.slice(text)
    if len(sentence) > _MAX_SENTENCE_CHARS or not sentence.strip():
        return ParsedText()
    attribution = find_attribution(sentence)
    masked = _mask_attribution(text, span, attribution)
    links = [] if sentence.rstrip().endswith("?") else find_links(masked[span.start : span.end])
    links = [
        link._replace(first=_shift(link.first, span.start), second=_shift(link.second, span.start)) for link in links
    ]
    claims = [
        _apply_attribution(claim, attribution)
        for clause in _split_clauses(masked, span, links)
        if (claim := parse_clause(masked, clause, context))
    ]
    times = [time._replace(span=_shift(time.span, span.start)) for time in find_times(sentence, context.stated_on)]
    attributions = (attribution._replace(span=_shift(attribution.span, span.start)),) if attribution else ()
    is_asserted = not any(claim.modality != "asserted" or claim.negated for claim in claims)
    event_order = tuple(
        (make_event_key(link.first.slice(text)), make_event_key(link.second.slice(text)))
        for link in links
        if link.kind == "precedes" and is_asserted
    )
    return ParsedText(
        claims=tuple(claims),
        times=tuple(times),
        links=tuple(links),
        attributions=attributions,
        event_order=event_order,
        dated_notes=() if claims or links else _find_dated_notes(sentence, span, times),
    )


_UNSURE = HEDGES | PLANS | NEGATIONS | CONDITIONS | QUESTIONS


def is_unsure(sentence: str, times: Iterable[Span]) -> bool:
    """Tell whether a sentence is doubted, planned, denied or asked. `times` are the spans of its times."""
    # A time is masked because May is a month there, not a doubt.
    masked = mask_spans(sentence, list(times))
    return sentence.rstrip().endswith("?") or any(word.form in _UNSURE for word in tokenize(masked))


def _find_dated_notes(sentence: str, span: Span, times: list[TimeMatch]) -> tuple[DatedNote, ...]:
    """Return a note for each time with a known year, if the sentence is sure of it."""
    if is_unsure(sentence, (_shift(time.span, -span.start) for time in times)):
        return ()
    dated = [time.when for time in times if time.kind in ("at", "period") and time.when.start and time.when.start.year]
    return tuple(DatedNote(span, when) for when in dict.fromkeys(dated))


_OCCURRENCE_WORDS = build_word_set("happen occur took take place begin began start")


def make_event_key(text: str) -> str:
    """Return the form in which events are compared: their terms, sorted, without words that only say "it happened"."""
    masked = mask_spans(text, [time.span for time in find_times(text)])
    terms = collect_terms(tokenize(masked), find_mentions(masked))
    return " ".join(sorted(terms - _OCCURRENCE_WORDS)).replace("@", "")


def _mask_attribution(text: str, span: Span, attribution: Attribution | None) -> str:
    return text if attribution is None else mask_spans(text, [_shift(attribution.span, span.start)])


def _shift(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _split_clauses(text: str, span: Span, links: list[EventLink]) -> list[Span]:
    """Return the parts of a sentence that may each be a claim: the whole, or the two parts of each link.

    Where the cue of a link is the verb (A caused B), both the whole and the parts may be claims.
    """
    parts = [part for link in links for part in (link.first, link.second)]
    if not parts or any(link.cue in VERB_CUES for link in links):
        parts.insert(0, span)
    return [clause for part in dict.fromkeys(parts) for clause in _split_at_conjunctions(text, part)]


def _split_at_conjunctions(text: str, span: Span) -> list[Span]:
    cuts = list(_CONJUNCTION.finditer(text, span.start, span.end))
    edges = [span.start, *(edge for match in cuts for edge in match.span()), span.end]
    return [Span(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if end > start]


def _apply_attribution(claim: ParsedClaim, attribution: Attribution | None) -> ParsedClaim:
    if attribution is None:
        return claim
    if attribution.kind == "denies":
        claim = replace(claim, negated=not claim.negated)
    elif attribution.kind == "doubts":
        claim = replace(claim, modality="hedged")
    return replace(claim, source=attribution.source)
