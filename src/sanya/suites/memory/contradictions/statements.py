"""Statements: the values that a sentence gives and the words that say of what, ready to be laid side by side.

"Mr Obi's blood pressure is down to 130/85" has the value 130/85, the words `obi blood pressure`, and announces a
change. Values have kinds: an amount with its unit, a clock time, a date, a weekday, a code, a name, a state. Words that
only arrange ("is", "booked", "has been", นัด) or announce are dropped, so two ways to say the same keep the same
words. A long text is a document and not a statement; of it, only the facts are compared.

Everything here is a pure function. The word lists are data (`statements.txt`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from sanya.suite.text import ENGLISH_STOP_WORDS, Span, has_thai, split_sentences
from sanya.suites.memory.contradictions.addressing import remove_address
from sanya.suites.memory.contradictions.fact_terms import strip_negation
from sanya.suites.memory.contradictions.locations import ThingLocation, read_location
from sanya.suites.memory.contradictions.phrasings import normalise_phrases
from sanya.suites.memory.contradictions.progress import StatedProgress, read_progress
from sanya.suites.memory.contradictions.statement_terms import list_plain_terms, normalise_term
from sanya.suites.memory.contradictions.statuses import find_status_phrases
from sanya.suites.memory.contradictions.typed_values import TypedValue, find_values, make_word_value
from sanya.suites.memory.parsing.claims import mask_spans
from sanya.suites.memory.parsing.mentions import EntityMention, find_mentions
from sanya.suites.memory.parsing.predicates import find_predicate
from sanya.suites.memory.parsing.tokens import WordToken, tokenize
from sanya.suites.memory.parsing.verbs import VERBS
from sanya.suites.memory.parsing.written_numbers import rewrite_numbers
from sanya.suites.memory.word_lists import build_alternation, open_word_file

_WORDS = open_word_file(__file__)
_MAX_CHARS = 600
_MAX_SENTENCE_CHARS = 240
_MAX_STATEMENTS = 8
_MAX_TERMS = 14


def _compile_phrases(section: str) -> re.Pattern[str]:
    return re.compile(build_alternation(_WORDS.read_phrases(section)), re.IGNORECASE)


def _compile_lines(section: str) -> re.Pattern[str]:
    return re.compile("|".join(_WORDS.read_lines(section)), re.IGNORECASE)


_CHANGES, _ENDINGS, _NEGATIONS = map(_compile_phrases, ("changes", "endings", "negations"))
# "I won't quit" and ไม่ได้ยกเลิก end nothing.
_GOING_ON = re.compile(
    r"(?:(?:n['’]t|\bnot|\bnever)\s(?:be\s|been\s)?|ไม่(?:ได้|ถูก)?)"
    rf"(?:{build_alternation(_WORDS.read_phrases('endings'))})",
    re.IGNORECASE,
)
_NOT_DENIED, _NOT_CHANGED = _compile_phrases("not_denied"), _compile_phrases("not_changed")
_UNSURE, _PLANS, _ALSO, _INDEFINITE = map(_compile_lines, ("unsure", "plans", "also", "indefinite"))
_PAST_TIMES, _UNIVERSAL = _compile_lines("past_times"), _compile_lines("universal")
_DENIED, _THAI_DENIED = (
    tuple(re.compile(line, re.IGNORECASE) for line in _WORDS.read_lines("denied") if has_thai(line) is thai)
    for thai in (False, True)
)
# The patterns are slow, and every English one needs one of these words.
_DENIAL_WORD = _compile_phrases("denial_words")
_ADJUNCTS = _compile_lines("adjuncts")
_EVENT_VERBS = _WORDS.read_set("event_verbs")
_PERIODS = {name: _compile_lines(f"{name}_period") for name in ("next", "last")}
_AGAIN = re.compile(r"\bagain\b|อีกครั้ง|อีกรอบ|อีกหน", re.IGNORECASE)
_HABITUAL_CHANGES = _compile_lines("habitual_changes")
_ONE_OF_MANY = _compile_lines("one_of_many")
_DAILY, _SCHEDULED = map(_compile_lines, ("daily", "scheduled"))
_REPLACED_THINGS = [re.compile(line, re.IGNORECASE) for line in _WORDS.read_lines("replaced_things")]
_EXCLUSIVE = _compile_lines("only")
_CHANGE_VERB = _compile_phrases("change_verbs")
_CORRECTIONS = _compile_lines("corrections")
_STANDING = _compile_lines("standing")


def _load_states() -> dict[str, tuple[str, str]]:
    """Return the kind and the value of each word that is a state by itself."""
    states = {
        word: (f"state:word{number}", word)
        for number, line in enumerate(_WORDS.read_lines("exclusive"))
        for word in line.split()
    }
    for key, words in _WORDS.read_table("states").items():
        kind, value = key.split()
        states |= dict.fromkeys(words, (f"state:{kind}", value))
    return states


_STATES = _load_states()
_STATE_PATTERNS = [
    (re.compile(pattern, re.IGNORECASE), TypedValue(f"state:{key.split()[0]}", key.split()[1]))
    for key, pattern in (line.split(": ", 1) for line in _WORDS.read_lines("state_patterns"))
]
# What is left of "not 8443" when the value that it denies is taken out.
_EMPTY_NOT = re.compile(r"\bnot\b\s*(?:(?:on|at|in|to|the)\b\s*)*(?=[\s).]*$)|ไม่ใช่\s*(?=[\s).]*$)", re.IGNORECASE)
_SPEAKER = re.compile(r"(?P<name>[A-Z][\w'-]{1,20}(?: [A-Z][\w'-]{1,20})?): (?=[A-Z\"'])")
# A row of a log or of minutes is true of its day alone.
_DATED_ENTRY = re.compile(r"\s*\[?\d{4}-\d{2}-\d{2}|[^\n]* \| [^\n]* \| ")
# แล้ว behind a number stands apart and ends no sentence.
_DETACHED = re.compile(r"(?<=[\d\u0E00-\u0E7F]) +(?=แล้ว(?:$|[\s.]))")
_ONCE = _WORDS.read_set("once")
_SELF = _compile_lines("self")
_CLAUSE_END = re.compile(r"[;\n]+|:\s|,\s(?:and\s|but\s|so\s)?|\s(?:but|while|and)\s|\s(?=แต่)")
_THAI_CLAUSE_END = re.compile(r"(?<=[\u0E00-\u0E7F])\s+(?=[\u0E00-\u0E7F]{4})")


SELF = "~"
"""Begins the term of who speaks (I, we, our, เรา); the name follows if the text gives it."""


@dataclass(frozen=True, slots=True)
class MemoryStatement:
    terms: frozenset[str]
    """Words that say of what the statement speaks: stems, and names without their mark."""
    values: tuple[TypedValue, ...] = ()
    speakers: frozenset[str] = frozenset()
    """Those of the terms that name who speaks."""
    thai_terms: tuple[str, ...] = ()
    solid_names: tuple[str, ...] = ()
    """Names and codes without blanks, as they may stand in the text of another statement."""
    text: str = ""
    """Lower case without blanks, to find Thai words that were cut in another way."""
    negated: bool = False
    is_plan: bool = False
    announces: bool = False
    """True if it says that something changed or is corrected."""
    corrects: bool = False
    """True if it says that something said before was wrong."""
    ends: bool = False
    """True if it says that something holds no longer."""
    adds: bool = False
    """True if it says that this is so as well."""
    is_event: bool = False
    """True if it tells what happened once, which says nothing against its happening again."""
    is_past: bool = False
    moves: bool = False
    """True for "moved to", "moved in with" and ย้ายไปอยู่, where the mover is the subject."""
    period: str = ""
    """"next" or "last" for next quarter and เดือนที่แล้ว."""
    is_universal: bool = False
    """True for "allergic to nothing" and ไม่แพ้อะไรเลย, which deny every case."""
    is_indefinite: bool = False
    """True if there may be others of the kind: "has a meeting", มีนัด."""
    is_one_of_many: bool = False
    """True for "one server": another may have another value."""
    denied: frozenset[str] = frozenset()
    """Words that it says to hold no longer or never to have held: "not 8443", "instead of Mondays"."""
    verbs: frozenset[str] = frozenset()
    subject: frozenset[str] = frozenset()
    """Words before the verb."""
    agent: frozenset[str] = frozenset()
    """Words before the verb of a change: who moves, cuts or extends something."""
    speaker: str = ""
    sequence: tuple[str, ...] = ()
    """All words in their order, without amounts, times and other values in digits."""
    location: ThingLocation | None = None
    progress: StatedProgress | None = None
    is_daily: bool = False
    """True if it holds on all days."""
    replaced_thing: frozenset[str] = frozenset()
    """Words of what was changed to something else: "we changed our bank to Norde", เปลี่ยนอินเทอร์เน็ตเป็น."""
    is_exclusive: bool = False
    """True for "cards only", รับแต่เงินสด."""
    preposition: str = ""
    """The first preposition behind the verb: what is "in" something is not compared with what is "on" it."""


@lru_cache(maxsize=2048)
def read_statements(text: str, stated_on: date | None = None) -> tuple[MemoryStatement, ...]:
    """Return the statements of a text: each sentence as a whole, and its clauses where it has several."""
    found: dict[MemoryStatement, None] = {}
    if len(text) > _MAX_CHARS or _DATED_ENTRY.match(text):
        return ()
    announced = ""
    label = _SPEAKER.match(text)
    speaker = label["name"].lower() if label else ""
    body = _DETACHED.sub("", text[label.end() :] if label else text)
    for span in split_sentences(body):
        sentence = span.slice(body).strip()
        sentence = remove_address(sentence) if label else sentence
        if not sentence or len(sentence) > _MAX_SENTENCE_CHARS:
            continue
        for part in _list_parts(sentence):
            statement = _read_statement(part, stated_on, announced, speaker)
            if statement is not None:
                found[statement] = None
        announced = announced or ("correction" if _CORRECTIONS.search(sentence) else "")
    return tuple(found)[:_MAX_STATEMENTS]


def _list_parts(sentence: str) -> list[str]:
    pattern = _THAI_CLAUSE_END if has_thai(sentence) else _CLAUSE_END
    clauses = [clause.strip() for clause in pattern.split(sentence) if clause and len(clause.strip()) > 3]
    return [sentence, *clauses] if len(clauses) > 1 else [sentence]


def _read_statement(sentence: str, stated_on: date | None, announced: str, speaker: str) -> MemoryStatement | None:
    if sentence.rstrip().endswith(("?", "ไหม", "หรือเปล่า", "หรือยัง")) or _UNSURE.search(sentence):
        return None
    numbered = rewrite_numbers(sentence)
    text = normalise_phrases(numbered).rstrip(" .!")
    spans = _find_denied_spans(text)
    denied = frozenset(term for span in spans for term in list_plain_terms(span.slice(text)))
    plain = _HABITUAL_CHANGES.sub(" ", _NOT_CHANGED.sub(" ", numbered))
    changes, ends = bool(_CHANGES.search(plain)), bool(_ENDINGS.search(_GOING_ON.sub(" ", plain)))
    values, masked = find_values(_remove_spans(text, spans), stated_on)
    stated = masked
    stated_words = tokenize(stated)
    states, masked = _find_states(masked)
    masked = _ADJUNCTS.sub(" ", masked)
    words = stated_words if masked == stated else tokenize(masked)
    mentions = find_mentions(masked)
    names, terms, subject, preposition = _sort_words(words, mentions)
    speakers = {f"{SELF}{speaker}"} if _SELF.search(sentence) else set()
    terms |= dict.fromkeys(speakers)
    if not terms and not names:
        return None
    is_event = _is_event(stated, stated_words)
    replaced = next((match for pattern in _REPLACED_THINGS if (match := pattern.match(sentence))), None)
    body = _EMPTY_NOT.sub(" ", _NOT_DENIED.sub(" ", masked))
    negated = bool(_NEGATIONS.search(body)) or any(strip_negation(word.form) != word.form for word in words)
    kept = frozenset(list(terms)[:_MAX_TERMS])
    kept_values = tuple(dict.fromkeys([*values, *states, *names]))[:_MAX_TERMS]
    return MemoryStatement(
        terms=kept,
        values=kept_values,
        speakers=kept & speakers,
        thai_terms=tuple(term for term in kept if has_thai(term)),
        solid_names=tuple(value.text.replace(" ", "") for value in kept_values if value.kind in ("name", "code")),
        text=re.sub(r"\s+", "", text.lower()),
        negated=negated,
        is_plan=bool(_PLANS.search(masked)) and not _SCHEDULED.search(sentence),
        announces=changes or bool(announced) or bool(denied),
        corrects=announced == "correction" or bool(_CORRECTIONS.search(text)),
        ends=ends,
        adds=bool(_ALSO.search(sentence)) or (is_event and _AGAIN.search(sentence) is not None),
        is_event=is_event and not changes,
        is_past=bool(_PAST_TIMES.search(sentence)),
        moves=bool(_MOVES.search(sentence)),
        period=_read_period(sentence),
        is_universal=negated and bool(_UNIVERSAL.search(sentence)),
        is_indefinite=bool(_INDEFINITE.search(sentence)),
        is_one_of_many=_ONE_OF_MANY.match(sentence) is not None,
        denied=denied,
        verbs=frozenset(_list_verbs(words)),
        subject=frozenset(subject),
        agent=_find_agent(masked, words, mentions) & kept if changes or states else frozenset(),
        sequence=tuple(word.form for word in stated_words),
        speaker=speaker,
        location=read_location(sentence),
        progress=read_progress(sentence),
        is_daily=_DAILY.search(sentence) is not None,
        replaced_thing=frozenset(list_plain_terms(replaced["thing"])) if replaced else frozenset(),
        is_exclusive=_EXCLUSIVE.search(sentence) is not None,
        preposition=preposition,
    )


def _find_agent(text: str, words: list[WordToken], mentions: list[EntityMention]) -> frozenset[str]:
    change = _CHANGE_VERB.search(text)
    if change is None:
        return frozenset()
    terms = {normalise_term(word, mentions) for word in words if word.span.end <= change.start()}
    return frozenset(term for term in terms if term)


def _read_period(sentence: str) -> str:
    return next((name for name, pattern in _PERIODS.items() if pattern.search(sentence)), "")


def _sort_words(
    words: list[WordToken],
    mentions: list[EntityMention],
) -> tuple[list[TypedValue], dict[str, None], set[str], str]:
    """Return the names and codes, the other words, those of them before the verb, and the preposition behind it."""
    predicate = find_predicate(words)
    verb = predicate.verb if predicate else len(words)
    names: list[TypedValue] = []
    terms: dict[str, None] = {}
    subject: set[str] = set()
    preposition = ""
    for position, word in enumerate(words):
        if position > verb and not preposition and word.form in _PREPOSITIONS:
            preposition = word.form
        state = _STATES.get(word.form) or _STATES.get(word.form.removeprefix(_COLOUR))
        if state is not None:
            names.append(TypedValue(*state))
            if position < verb:
                subject.add(state[1])
            continue
        term = normalise_term(word, mentions)
        if word.text in _MONTHS_OR_NAMES and position and words[position - 1].form in _BEFORE_MONTHS:
            term = f"month:{word.form}"  # "in May", where May alone may be a name
        if (term is None or not term.startswith(_MARKS)) and _is_name(words, position, verb):
            term = f"@{word.form}"
        if term is None:
            continue
        if term.startswith(_MARKS):
            names.append(make_word_value(term))
        else:
            terms[term] = None
        if position < verb:
            subject.add(term.lstrip("@#"))
    return names, terms, subject, preposition


_MOVES = _compile_lines("moves")
_COLOUR = "สี"
_MARKS = ("@", "#", "day:", "month:")
_PREPOSITIONS = _WORDS.read_set("prepositions")
_MONTHS_OR_NAMES = frozenset(("May", "March", "April", "June", "August"))
_BEFORE_MONTHS = _WORDS.read_set("before_months")


def _is_name(words: list[WordToken], position: int, verb: int) -> bool:
    """Tell whether a word with a capital is a name that the list of names does not know: "written in Go"."""
    word = words[position]
    if not word.is_capitalised or len(word.text) < 2 or word.form in ("i'm", "i've", "i'll"):
        return False
    return position > 0 or (
        verb == 1 < len(words) and word.form not in ENGLISH_STOP_WORDS and not has_thai(words[1].text)
    )


def _list_verbs(words: list[WordToken]) -> list[str]:
    return [VERBS.get(word.form, word.stem) for word in words]


def _find_states(text: str) -> tuple[list[TypedValue], str]:
    """Return the states that the text names, and the text without them."""
    found = [(pattern, value) for pattern, value in _STATE_PATTERNS if pattern.search(text)]
    for pattern, _ in found:
        text = pattern.sub(lambda match: match.groupdict().get("kept") or " ", text)
    phrases = find_status_phrases(text)
    states = [value for _, value in found] + [TypedValue(f"state:{phrase.kind}", phrase.value) for phrase in phrases]
    return states, mask_spans(text, [phrase.span for phrase in phrases])


def _find_denied_spans(text: str) -> list[Span]:
    patterns = _THAI_DENIED if has_thai(text) else ()
    if _DENIAL_WORD.search(text):
        patterns = (*_DENIED, *patterns)
    return [Span(*match.span("old")) for pattern in patterns for match in pattern.finditer(text)]


def _remove_spans(text: str, spans: Iterable[Span]) -> str:
    distinct = set(spans)
    longest = [span for span in distinct if not any(_is_within(span, other) for other in distinct)]
    return mask_spans(text, sorted(longest))


def _is_within(span: Span, other: Span) -> bool:
    return span != other and other.start <= span.start and span.end <= other.end


def _is_event(text: str, words: list[WordToken]) -> bool:
    """Tell whether the verb tells what happened: in the simple past, or in Thai one of the verbs of what happens."""
    if _STANDING.search(text):
        return False
    if has_thai(text):
        return any(word.text in _EVENT_VERBS and (at or word.text != "ประชุม") for at, word in enumerate(words))
    predicate = find_predicate(words)
    if predicate is None:
        return any(word.form in _EVENT_VERBS for word in words[1:])
    if predicate.lemma in (*_ONCE, "be", "have"):
        return False
    form = words[predicate.verb].form
    if predicate.passive:
        return predicate.past
    return form.endswith("ed") or form in _EVENT_VERBS
