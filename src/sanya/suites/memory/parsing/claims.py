"""Claims: a clause as subject, verb and value, with its time, its place and its modality.

The parser is a set of rules, not a grammar and not a model. A clause that has not the plain form subject, verb, rest
is not parsed. That costs recall, and it never puts words into the graph that nobody said.

Two claims are compared by their keys and terms, never by their wording. `terms` holds the stem of each word that
carries meaning, names as `@key`, and a direction as a prefix (`from:pari`). Word order, tense, articles and adverbs
are gone; times and amounts stand in fields of their own, because they are compared by value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, NamedTuple

from sanya.suite.text import ENGLISH_STOP_WORDS, Span
from sanya.suites.memory.parsing import cues
from sanya.suites.memory.parsing.amounts import Amount, AmountMatch, find_amounts
from sanya.suites.memory.parsing.mentions import EntityMention, find_mentions
from sanya.suites.memory.parsing.names import make_name_key
from sanya.suites.memory.parsing.predicates import Predicate, find_predicate
from sanya.suites.memory.parsing.times import TimeRange, find_times
from sanya.suites.memory.parsing.tokens import WordToken, fold_word, tokenize
from sanya.suites.memory.parsing.verbs import THAI_VERBS, VerbKind, find_verb
from sanya.suites.memory.word_lists import invert_table, open_word_file

Modality = Literal["asserted", "hedged", "planned", "conditional", "asked"]

_MAX_CLAUSE_CHARS = 600
_WORDS = open_word_file(__file__)
_PRONOUNS = _WORDS.read_set("pronouns")
_FIRST_PERSON = _WORDS.read_set("first_person")
_CONTEXT_DEPENDENT = _WORDS.read_set("context_dependent")
_DROPPED = (ENGLISH_STOP_WORDS | _WORDS.read_set("adverbs")) - cues.NEGATIONS
_DIRECTIONS = invert_table(_WORDS.read_table("directions"))
_GENERIC_NOUNS = _WORDS.read_set("generic_nouns")
_ALL = _WORDS.read_set("all")
_NONE = _WORDS.read_set("none")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedClaim:
    span: Span
    subject: str
    subject_key: str
    subject_kind: str
    verb: str
    kind: VerbKind
    passive: bool = False
    past: bool = False
    terms: frozenset[str] = frozenset()
    """Stems of the other words, names as `@key`, without times, amounts and words without meaning."""
    amounts: tuple[Amount, ...] = ()
    when: TimeRange | None = None
    value_time: TimeRange | None = None
    """A time that is itself the value: the deadline is March 15."""
    place: str | None = None
    negated: bool = False
    always: bool = False
    not_yet: bool = False
    ended: bool = False
    quantifier: Literal["all", "none"] | None = None
    modality: Modality = "asserted"
    former: bool = False
    source: str | None = None
    """The source that the sentence itself names."""
    speaker: str | None = None
    stated_on: date | None = None

    @property
    def name_keys(self) -> frozenset[str]:
        return frozenset(term[1:] for term in self.terms if term.startswith("@"))

    @property
    def plain_terms(self) -> frozenset[str]:
        return frozenset(term for term in self.terms if not term.startswith("@"))


class SpeechContext(NamedTuple):
    """The speaker of a sentence and the day on which it was said."""

    speaker: str | None = None
    stated_on: date | None = None


def parse_clause(text: str, span: Span, context: SpeechContext) -> ParsedClaim | None:
    """Return the claim of a span that makes one statement, or None if it has not the plain form."""
    clause = span.slice(text)
    if not clause.strip() or len(clause) > _MAX_CLAUSE_CHARS:
        return None
    times = find_times(clause, context.stated_on)
    masked = mask_spans(clause, [_extend_to_preposition(clause, time.span) for time in times])
    amounts = [match for match in find_amounts(masked) if is_quantity(masked, match)]
    masked = mask_spans(masked, [match.span for match in amounts])
    words = tokenize(masked)
    predicate = find_predicate(words)
    if predicate is None:
        return None
    mentions = find_mentions(clause)
    claim = _build_claim(clause, words, predicate, mentions)
    if claim is None:
        return None
    when = times[0].when if times else None
    is_value = claim.kind == "copula" and not claim.terms and not amounts and bool(times)
    is_value = is_value and times[-1].span.start >= words[predicate.verb].span.end
    return replace(
        _resolve_speaker(claim, context),
        span=span,
        amounts=tuple(match.amount for match in amounts),
        when=None if is_value and len(times) == 1 else when,
        value_time=times[-1].when if is_value else None,
        modality=_find_modality(clause, words),
    )


def mask_spans(text: str, spans: list[Span]) -> str:
    """Replace spans by blanks, so that all other positions stay valid."""
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


_PREPOSITIONS = _WORDS.read_phrases("prepositions")


def _extend_to_preposition(text: str, span: Span) -> Span:
    before = text[max(0, span.start - 12) : span.start].rstrip().lower()
    for word in _PREPOSITIONS:
        if before.endswith(word) and (not word.isascii() or not before[: -len(word)][-1:].isalpha()):
            return Span(text.lower().rindex(word, 0, span.start), span.end)
    return span


_NUMBERED = re.compile(
    rf"(?:\b(?:{'|'.join(_WORDS.read_words('numbered_nouns'))})s?\.?"
    rf"|#|{'|'.join(_WORDS.read_words('thai_numbered_nouns'))})\s?$",
    re.IGNORECASE,
)
_WORD_BEFORE = re.compile(r"(?P<word>[^\W\d_]+)\s?$")
_NOUN_AFTER = re.compile(r"\s?(?P<word>[^\W\d_]+)")
_BEFORE_AMOUNTS = _WORDS.read_set("before_amounts")


def is_quantity(text: str, match: AmountMatch) -> bool:
    """Tell whether a number says how much. One that only numbers things (room 5, report 17) belongs to their name."""
    before, after = text[: match.span.start], text[match.span.end :]
    if not before.strip() and after[:1] in (".", ")"):
        return False
    if _NUMBERED.search(before) and not match.amount.unit:
        return False
    preceding = _WORD_BEFORE.search(before)
    if match.amount.unit or preceding is None or match.amount.bound != "exact":
        return True
    word = fold_word(preceding["word"])
    if word in _BEFORE_AMOUNTS or find_verb(word) or any(word.endswith(verb) for verb in THAI_VERBS if len(verb) > 1):
        return True
    following = _NOUN_AFTER.match(after)
    return (
        following is not None
        and find_verb(fold_word(following["word"])) is None
        and fold_word(following["word"]) not in ENGLISH_STOP_WORDS
    )


def _build_claim(
    clause: str, words: list[WordToken], predicate: Predicate, mentions: list[EntityMention]
) -> ParsedClaim | None:
    subject_words = [words[position] for position in predicate.subject]
    if not subject_words:
        return None
    subject_span = Span(subject_words[0].span.start, subject_words[-1].span.end)
    key, kind = _make_subject_key(subject_words, mentions)
    if not key:
        return None
    forms = {word.form for word in words}
    return ParsedClaim(
        span=subject_span,
        subject=subject_span.slice(clause).strip(),
        subject_key=key,
        subject_kind=kind,
        verb=predicate.lemma,
        kind=predicate.kind,
        passive=predicate.passive,
        past=predicate.past,
        terms=collect_terms([words[position] for position in predicate.complement], mentions),
        place=_find_place_key(clause, words[predicate.verb].span.end, mentions),
        negated=predicate.negated,
        always=bool(forms & cues.ALWAYS_NEGATED) or ("ไม่" in forms and "เคย" in forms),
        not_yet="yet" in forms or ("ยัง" in forms and predicate.negated),
        ended=any(phrase in clause.lower() for phrase in cues.NO_LONGER),
        quantifier=_find_quantifier(words, predicate),
        former=bool(forms & cues.FORMER) and not predicate.negated,
    )


def _make_subject_key(words: list[WordToken], mentions: list[EntityMention]) -> tuple[str, str]:
    """Return the key and the kind of a subject. The key is empty where the words alone do not say who is meant."""
    start, end = words[0].span.start, words[-1].span.end
    inside = [mention for mention in mentions if mention.span.start < end and mention.span.end > start]
    terms = sorted(collect_terms(words, mentions))
    codes = [mention for mention in inside if mention.kind == "artifact"]
    plain = {term for term in terms if not term.startswith("@") and term not in _GENERIC_NOUNS}
    if len(codes) == 1 and not plain - {codes[0].name.lower()} and len(inside) == 1:
        return make_name_key(codes[0].name), "artifact"
    if len(inside) == 1 and terms == [f"@{make_name_key(inside[0].name)}"]:
        return make_name_key(inside[0].name), inside[0].kind
    forms = {word.form for word in words}
    if forms <= _PRONOUNS | _FIRST_PERSON | ENGLISH_STOP_WORDS:
        return ("i", "speaker") if forms & _FIRST_PERSON else ("", "")
    if forms & _CONTEXT_DEPENDENT:
        return "", ""
    return " ".join(term.lstrip("@") for term in terms), "phrase"


def is_pronoun(name: str) -> bool:
    """Tell whether a name is a pronoun, so that only the context says who is meant."""
    return {word.form for word in tokenize(name)} <= _PRONOUNS | _FIRST_PERSON | _CONTEXT_DEPENDENT | ENGLISH_STOP_WORDS


def collect_terms(words: list[WordToken], mentions: list[EntityMention]) -> frozenset[str]:
    """Return the terms of some words. Everything after "than" is one term, the thing of comparison."""
    for position, word in enumerate(words):
        if word.form in ("than", "กว่า"):
            compared = " ".join(sorted(term.lstrip("@") for term in collect_terms(words[position + 1 :], mentions)))
            return collect_terms(words[:position], mentions) | ({f"than:{compared}"} if compared else frozenset())
    terms: set[str] = set()
    direction = ""
    last_mention: EntityMention | None = None
    for word in words:
        mention = _find_mention_of(word, mentions)
        if word.form in _DIRECTIONS and mention is None:
            direction = f"{_DIRECTIONS[word.form]}:"
            continue
        if mention is not None:
            if mention is not last_mention:
                terms.add(f"@{direction}{make_name_key(mention.name)}")
            last_mention = mention
        elif word.form in _DROPPED or word.form in cues.NEGATIONS or word.form in cues.NEGATION_PARTS or word.is_adverb:
            continue
        else:
            terms.add(f"{direction}{word.stem}")
        direction = ""
    return frozenset(terms - {"@", ""})


def _find_mention_of(word: WordToken, mentions: list[EntityMention]) -> EntityMention | None:
    for mention in mentions:
        if mention.span.start <= word.span.start and word.span.end <= mention.span.end:
            return mention
    return None


def _find_place_key(clause: str, verb_end: int, mentions: list[EntityMention]) -> str | None:
    """Return the key of the first place after the verb that is no place of origin."""
    for mention in mentions:
        if mention.span.start >= verb_end and mention.kind == "place":
            before = clause[max(0, mention.span.start - 8) : mention.span.start].rstrip().lower()
            if not before.endswith(("from", "จาก", "of", "ของ")):
                return make_name_key(mention.name)
    return None


def _find_quantifier(words: list[WordToken], predicate: Predicate) -> Literal["all", "none"] | None:
    first = words[0].form
    if first in _NONE or (len(words) > 1 and first == "none"):
        return "none"
    return "all" if first in _ALL and predicate.verb > 0 else None


def _find_modality(clause: str, words: list[WordToken]) -> Modality:
    forms = [word.form for word in words]
    if clause.rstrip().endswith(("?", "ไหม", "หรือไม่", "หรือเปล่า", "หรือยัง")) or (forms and forms[0] in cues.QUESTIONS):
        return "asked"
    known = set(forms)
    if known & cues.CONDITIONS:
        return "conditional"
    if known & cues.HEDGES:
        return "hedged"
    return "planned" if known & cues.PLANS else "asserted"


def _resolve_speaker(claim: ParsedClaim, context: SpeechContext) -> ParsedClaim:
    """Make the speaker the subject of a claim in the first person. Without a known speaker such a claim is hedged."""
    if claim.subject_key == "i":
        if context.speaker is None:
            return replace(claim, modality="hedged", stated_on=context.stated_on)
        claim = replace(
            claim, subject_key=make_name_key(context.speaker), subject_kind="person", subject=context.speaker
        )
    return replace(claim, speaker=context.speaker, stated_on=context.stated_on)
