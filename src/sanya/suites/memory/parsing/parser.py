"""What a text says: its claims, whom and what it names, when, from whom, and what it says of cause and order.

A pure function of the text and the day on which it was said. Bounded: of a long text the beginning is read closely."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from sanya.suites.memory.parsing.attribution import Attribution, attribution_of
from sanya.suites.memory.parsing.claims import Claim, Setting, read_clause, rest_of
from sanya.suites.memory.parsing.cues import CONDITIONS, HEDGES, NEGATIONS, PLANS, QUESTIONS
from sanya.suites.memory.parsing.event_links import Link, links_of
from sanya.suites.memory.parsing.log_lines import Row, Spoken, read_row, read_spoken
from sanya.suites.memory.parsing.mentions import Mention, find_mentions
from sanya.suites.memory.parsing.times import FoundTime, When, find_times
from sanya.suites.memory.parsing.tokens import words_of
from sanya.suites.memory.word_lists import word_set
from sanya.text.sentences import sentence_spans
from sanya.text.spans import Span

MOST_CHARACTERS = 16_384
MOST_SENTENCES = 120
_LONGEST_SENTENCE = 800
_JOINTS = re.compile(r";\s|,?\s(?:but|while|whereas|although)\s|\sแต่|\sส่วน|\sขณะที่")


class Occasion(NamedTuple):
    """A sentence that says when, but nothing that could be compared: "Board meeting, 3 February"."""

    span: Span
    when: When


@dataclass(frozen=True, slots=True)
class Reading:
    claims: tuple[Claim, ...] = ()
    mentions: tuple[Mention, ...] = ()
    times: tuple[FoundTime, ...] = ()
    links: tuple[Link, ...] = ()
    attributions: tuple[Attribution, ...] = ()
    spoken: Spoken | None = None
    row: Row | None = None
    is_question: bool = False
    order: tuple[tuple[str, str], ...] = ()
    """Keys of what is said to come before what."""
    occasions: tuple[Occasion, ...] = ()


def read(text: str, said: date | None = None) -> Reading:
    """Places are those of the text. `said` is the day on which it was said, if the text does not name another."""
    text = text[:MOST_CHARACTERS]
    row = read_row(text)
    if row is not None:
        return Reading(mentions=tuple(find_mentions(text)), times=tuple(find_times(text, said)), row=row)
    spoken = read_spoken(text)
    start = spoken.body.start if spoken else 0
    setting = Setting(spoken.speaker if spoken else None, (spoken.said if spoken else None) or said)
    parts = [
        _read_sentence(text, Span(span.start + start, span.end + start), setting)
        for span in sentence_spans(text[start:])[:MOST_SENTENCES]
    ]
    return Reading(
        claims=tuple(one for part in parts for one in part.claims),
        mentions=tuple(find_mentions(text)),
        times=tuple(one for part in parts for one in part.times),
        links=tuple(one for part in parts for one in part.links),
        attributions=tuple(one for part in parts for one in part.attributions),
        spoken=spoken,
        is_question=text.rstrip().endswith("?"),
        order=tuple(one for part in parts for one in part.order),
        occasions=tuple(one for part in parts for one in part.occasions),
    )


def _read_sentence(text: str, span: Span, setting: Setting) -> Reading:
    sentence = span.of(text)
    if len(sentence) > _LONGEST_SENTENCE or not sentence.strip():
        return Reading()
    attribution = attribution_of(sentence)
    said_in = _without(text, span, attribution)
    links = [] if sentence.rstrip().endswith("?") else links_of(said_in[span.start : span.end])
    placed = [Link(one.kind, _moved(one.first, span.start), _moved(one.second, span.start), one.cue) for one in links]
    claims = [
        _attributed(claim, attribution)
        for part in _clauses(said_in, span, placed)
        if (claim := read_clause(said_in, part, setting))
    ]
    times = [FoundTime(_moved(one.span, span.start), one.when, one.kind) for one in find_times(sentence, setting.said)]
    given = (attribution._replace(span=_moved(attribution.span, span.start)),) if attribution else ()
    asserted = not any(claim.modality != "asserted" or claim.negated for claim in claims)
    order = tuple(
        (event_key(one.first.of(text)), event_key(one.second.of(text)))
        for one in placed
        if one.kind == "precedes" and asserted
    )
    occasions = () if claims or placed else _occasions(sentence, span, times)
    return Reading(tuple(claims), (), tuple(times), tuple(placed), given, order=order, occasions=occasions)


_UNSURE = HEDGES | PLANS | NEGATIONS | CONDITIONS | QUESTIONS


def is_unsure(sentence: str, times: Iterable[Span]) -> bool:
    """Whether it is doubted, planned, denied or asked. `times` are where the sentence says when."""
    said = sentence
    for start, end in times:
        # May is a month here, not a doubt.
        said = said[:start] + " " * (end - start) + said[end:]
    return sentence.rstrip().endswith("?") or any(word.form in _UNSURE for word in words_of(said))


def _occasions(sentence: str, span: Span, times: list[FoundTime]) -> tuple[Occasion, ...]:
    """Nothing that is unsure; and a year must be known."""
    if is_unsure(sentence, (_moved(one.span, -span.start) for one in times)):
        return ()
    dated = [one.when for one in times if one.kind in ("at", "period") and one.when.start and one.when.start.year]
    return tuple(Occasion(span, when) for when in dict.fromkeys(dated))


_HAPPENING = word_set("happen occur took take place begin began start")


def event_key(text: str) -> str:
    """The form in which events are compared: their words without order, and without saying that they happened."""
    blanked = text
    for time in find_times(text):
        blanked = blanked[: time.span.start] + " " * (time.span.end - time.span.start) + blanked[time.span.end :]
    mentions = find_mentions(blanked)
    return " ".join(sorted(rest_of(words_of(blanked), mentions) - _HAPPENING)).replace("@", "")


def _without(text: str, span: Span, attribution: Attribution | None) -> str:
    """The text with the words that name the source blanked, if what is left says something."""
    if attribution is None:
        return text
    start, end = attribution.span.start + span.start, attribution.span.end + span.start
    return text[:start] + " " * (end - start) + text[end:]


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _clauses(text: str, span: Span, links: list[Link]) -> list[Span]:
    """The parts of a sentence that may each be a claim: its main statement, and what it gives as cause or order."""
    parts = [part for link in links for part in (link.first, link.second)]
    if not parts or any(_is_verb(link.cue) for link in links):
        parts.insert(0, span)
    return [piece for part in dict.fromkeys(parts) for piece in _at_joints(text, part)]


def _is_verb(cue: str) -> bool:
    """Whether the cue is itself the verb, so that the whole sentence is a claim too: A caused B."""
    return cue in (
        "caused",
        "causes",
        "triggered",
        "triggers",
        "led to",
        "leads to",
        "resulted in",
        "results in",
        "provoked",
        "ทำให้",
        "ส่งผลให้",
        "ก่อให้เกิด",
        "นำไปสู่",
    )


def _at_joints(text: str, span: Span) -> list[Span]:
    cuts = list(_JOINTS.finditer(text, span.start, span.end))
    edges = [span.start, *(edge for match in cuts for edge in match.span()), span.end]
    return [Span(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if end > start]


def _attributed(claim: Claim, attribution: Attribution | None) -> Claim:
    if attribution is None:
        return claim
    if attribution.how == "denies":
        claim = replace(claim, negated=not claim.negated)
    elif attribution.how == "doubts":
        claim = replace(claim, modality="hedged")
    return replace(claim, source=attribution.source)
