"""Facts with one value at a time: the rent, the port of a server, where somebody lives, whether something is open.

A claim says what a clause states; a fact says which property it sets, and to what. The key of a fact is all that two
statements about the same property share: the words of the clause without its value, in no order. "The rent of the flat
is 12,000 baht" and "the flat's rent went up to 13,500 baht" have one key. What has one value at a time is a matter of
data (`facts.txt`): properties named by nouns, and verbs that give their subject one value. Of everything else both may
hold.

Words that announce a correction or a change ("correction:", "moved to", เลื่อนเป็น, "no longer") are taken out of the
clause and remembered, because they say that the statement replaces another.

Everything here is a pure function.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache

from sanya.suite.text import has_thai, split_sentences, stem_english
from sanya.suites.memory.contradictions.changes import CORRECTIONS, ENDINGS, REPLACED, SAME_AS_IS, normalise_change
from sanya.suites.memory.contradictions.fact_terms import (
    ATTRIBUTES,
    CODE,
    MEASURED,
    NEGATIONS,
    PREDICATES,
    PROPERTIES,
    ROLES,
    SINGLE,
    TEXT_ATTRIBUTES,
    TIMED,
    WEEKDAYS,
    WORDED,
    make_term,
    strip_negation,
)
from sanya.suites.memory.contradictions.opposites import EXCLUSIVE_GROUPS, MEASURE_WORDS
from sanya.suites.memory.contradictions.replacements import find_replacement
from sanya.suites.memory.contradictions.stated_fact import StatedFact, make_fact_key
from sanya.suites.memory.contradictions.statuses import find_status
from sanya.suites.memory.contradictions.typed_values import is_number_of_thing
from sanya.suites.memory.parsing import cues
from sanya.suites.memory.parsing.amounts import Amount, AmountMatch, find_amounts
from sanya.suites.memory.parsing.claims import is_quantity, mask_spans
from sanya.suites.memory.parsing.mentions import find_mentions
from sanya.suites.memory.parsing.predicates import find_predicate
from sanya.suites.memory.parsing.times import TimeRange, find_times
from sanya.suites.memory.parsing.tokens import WordToken, tokenize
from sanya.suites.memory.word_lists import open_word_file

_WORDS = open_word_file(__file__)
_MAX_CHARS = 4000
_MAX_CLAUSE_CHARS = 300


def _compile_lines(section: str) -> re.Pattern[str]:
    return re.compile("|".join(_WORDS.read_lines(section)), re.IGNORECASE)


def _load_states() -> dict[str, str]:
    """Return the group of each state."""
    groups = {term: f"state{min(numbers)}" for term, numbers in EXCLUSIVE_GROUPS.items()}
    for number, line in enumerate(_WORDS.read_lines("states")):
        groups |= {stem_english(word): f"states{number}" for word in line.split()}
    return groups


_STATES = _load_states()
_EVENTS = frozenset(_WORDS.read_words("events"))
_IDENTITY = re.compile(r"(?:['’]s\s|\s(?:of|for|at|to)\s).*\b(?:is|are|was|were)\b", re.IGNORECASE)
_DENIED_VERBS = {word: words[0] for word, words in _WORDS.read_table("denied_verbs").items()}
_CLAUSE_END = re.compile(r";\s*|\n+|,\s+(?:and|but|so)\s+|\s(?:but|while)\s|\sแต่")
_LAST_WORD = "แล้ว"
_UNSURE = (
    cues.HEDGES
    | cues.CONDITIONS
    | cues.QUESTIONS
    | frozenset(("plans", "want", "wants", "will", "should", "จะ", "อยาก", "วางแผน"))
)


@lru_cache(maxsize=1024)
def find_facts(text: str, stated_on: date | None = None) -> tuple[StatedFact, ...]:
    """Return the facts of a text, each key once; the last statement counts."""
    facts: dict[tuple[str, bool], StatedFact] = {}
    text = text[:_MAX_CHARS]
    replaces = False
    for sentence in split_sentences(text):
        clauses = [clause for clause in _CLAUSE_END.split(sentence.slice(text)) if clause and clause.strip()]
        for clause in clauses:
            for fact in _parse_clause(clause.strip(), stated_on, replaces):
                facts[fact.key, fact.has_value] = fact
            replaces = replaces or bool(CORRECTIONS.match(clause))
    return tuple(facts.values())


def _parse_clause(clause: str, stated_on: date | None, replaces: bool) -> list[StatedFact]:
    if len(clause) > _MAX_CLAUSE_CHARS or clause.endswith("?") or _ONE_OF_MANY.match(clause):
        return []
    plain = clause.rstrip(" .!")
    corrected = CORRECTIONS.sub("", plain)
    without_old = REPLACED.sub("", corrected)
    if without_old != corrected:
        shown = without_old.replace(" will ", " ")
        without_old = shown if _may_state_value(shown, stated_on) else corrected
    changed = normalise_change(without_old)
    kept = ENDINGS.sub(" ", changed)
    is_ended = kept != changed
    is_new = replaces or kept != plain
    facts = [
        replace(fact, negated=fact.negated or (is_ended and not fact.has_value), replaces=is_new or fact.replaces)
        for fact in _read_facts(kept, stated_on)
        if not (is_ended and fact.has_value)
    ]
    if {word.form for word in tokenize(corrected)} & (_UNSURE | _PARTIAL):
        return facts
    others = [*find_status(corrected, stated_on), *find_replacement(corrected)]
    return [*facts, *(replace(fact, replaces=is_new or fact.replaces) for fact in others)]


def _may_state_value(clause: str, stated_on: date | None) -> bool:
    """Tell whether a clause still states something when the value that it denies is taken out."""
    return any(fact.has_value for fact in _read_facts(normalise_change(clause), stated_on))


@dataclass(slots=True)
class _Clause:
    """The terms of a clause before and after its verb, with the values among them."""

    verb: str | None
    """The lemma, None where no verb was found."""
    before: set[str] = field(default_factory=set)
    after: set[str] = field(default_factory=set)
    negated: bool = False
    replaces: bool = False
    is_located: bool = False
    """True if a Thai word for "at" stands in it."""
    is_identity: bool = False
    """True for "the gate of flight TG921 is C4" and X คือ Y: what a definite thing is, not what it is like."""
    is_thai: bool = False
    is_partial: bool = False
    """True if it speaks of some of many."""
    is_present: bool = False
    """True if the verb is in the simple present, which says how things are and not what happened."""
    is_event: bool = False
    """True if a Thai verb of what happened stands in it."""
    is_one_of_many: bool = False
    """True for "has an appointment": there may be others."""
    is_habit: bool = False
    """True for "plays on Mondays": other days do not exclude it."""
    is_past: bool = False
    """True for "had" and "there were"."""
    is_daily: bool = False
    """True if its time is a clock time alone, at which much may happen: "takes the bus at 7:10"."""
    is_lasting: bool = False
    """True if it says how things are, so that another value excludes this one."""
    first: str | None = None
    """The first term."""
    amounts: tuple[Amount, ...] = ()
    when: TimeRange | None = None

    @property
    def terms(self) -> set[str]:
        return self.before | self.after

    def has_verb(self, verbs: frozenset[str]) -> bool:
        """Tell whether the verb is one of these. A Thai clause may have several verbs in a row."""
        return self.verb in verbs or (self.is_thai and bool(self.terms & verbs))

    @property
    def is_copula(self) -> bool:
        return self.verb in (None, "be")

    @property
    def verb_terms(self) -> set[str]:
        return set() if self.verb in (None, "be", "have") else {str(self.verb)}


def _read_facts(text: str, stated_on: date | None) -> list[StatedFact]:
    clause = _split_clause(text, stated_on)
    if clause is None or not clause.terms:
        return []
    facts = [] if clause.negated or _OPINION.search(text) else _list_values(clause)
    words = clause.terms | clause.verb_terms
    if len(words) > 1 and not clause.is_partial:
        facts.append(StatedFact(make_fact_key("said", words, clause.amounts, clause.when), negated=clause.negated))
    return [replace(fact, replaces=clause.replaces) for fact in facts]


def _list_values(clause: _Clause) -> list[StatedFact]:
    """Return a fact for each kind of value that the clause has, with everything else in its key."""
    words = clause.terms | clause.verb_terms
    is_property = clause.verb in (None, "be", "have") and any(term in PROPERTIES for term in clause.terms)
    is_property = is_property or clause.first in PROPERTIES or clause.is_identity
    is_property = is_property or (clause.verb == "be" and not all(term.startswith("@") for term in clause.before))
    is_named = is_property or clause.has_verb(SINGLE)
    is_lasting = is_named or clause.is_present or (clause.is_thai and not clause.is_event)
    is_lasting = is_lasting and not clause.is_past
    facts = []
    is_measured = is_lasting or clause.has_verb(MEASURED) or bool(words & MEASURE_WORDS)
    is_measured = is_measured or (clause.verb == "have" and not clause.is_past)
    if len(clause.amounts) == 1 and is_measured:
        facts.append(StatedFact(make_fact_key("amount", words, (), clause.when), clause.amounts))
        if len(clause.terms) > 1 and clause.terms < words and clause.has_verb(MEASURED):
            facts.append(StatedFact(make_fact_key("amount", clause.terms, (), clause.when), clause.amounts))
    is_timed = clause.has_verb(TIMED) or (is_named if clause.is_daily else is_lasting or clause.has_verb(MEASURED))
    if clause.when is not None and not clause.is_one_of_many and is_timed:
        facts.append(StatedFact(make_fact_key("time", words - {"happen"}, clause.amounts), when=clause.when))
    clause.is_lasting = is_lasting
    return [*facts, *_list_worded_values(clause, words, is_named=is_named, is_only=not facts)]


def _list_worded_values(clause: _Clause, words: set[str], *, is_named: bool, is_only: bool) -> list[StatedFact]:
    if clause.is_located and clause.verb in SINGLE and clause.after and is_only:
        return [_make_value("value", words, set(clause.after), clause)]
    typed = {term for term in clause.after if term.startswith(("#", "day:", "month:", "@"))}
    is_worded = bool(clause.before & WORDED or clause.is_identity) and is_only
    is_about = clause.is_copula and clause.after and (clause.before & ATTRIBUTES or clause.is_identity)
    if is_about and (is_worded or typed) and words - clause.after:
        return [_make_value("value", words, set(clause.after), clause)]
    side = clause.terms if clause.terms & {"version", "เวอร์ชัน"} else clause.after
    for mark, allowed in (
        ("#", is_named or clause.is_present or clause.has_verb(MEASURED)),
        ("day:", clause.is_lasting or clause.has_verb(MEASURED | TIMED)),
        ("month:", clause.is_lasting or clause.has_verb(MEASURED | TIMED)),
        ("@", is_named and clause.verb != "have"),
    ):
        value = {term for term in side if term.startswith(mark)}
        if (
            value
            and not (mark == "day:" and (clause.is_one_of_many or clause.is_habit))
            and allowed
            and len(words) > len(value)
        ):
            return [_make_value("value", words, value, clause)]
    if not is_only:
        return []
    verb = clause.verb_terms if not clause.after else set()
    states = {term for term in clause.after | verb if term in _STATES}
    if clause.is_thai and not states:
        states = {term for term in clause.before if term in _STATES} if not clause.after else set()
    if len(states) == 1 and len(words) > 1:
        return [_make_value(_STATES[next(iter(states))], words, states, clause)]
    return []


def _make_value(kind: str, words: set[str], value: set[str], clause: _Clause) -> StatedFact:
    return StatedFact(make_fact_key(kind, words - value, clause.amounts, clause.when), terms=frozenset(value))


def _split_clause(text: str, stated_on: date | None) -> _Clause | None:
    text = _THAI_NUMBER.sub(lambda match: f" {_THAI_NUMBERS.index(match[0]) + 1} ", SAME_AS_IS.sub("is ", text))
    is_text = any(word.stem in TEXT_ATTRIBUTES for word in tokenize(text))
    times = [] if is_text else find_times(text, stated_on)
    masked = mask_spans(text, [time.span for time in times])
    amounts = [] if is_text else [match for match in find_amounts(masked) if _is_amount(masked, match)]
    masked = mask_spans(masked, [match.span for match in amounts])
    words = tokenize(masked)
    forms = {word.form for word in words}
    if not words or forms & _UNSURE or len(times) > 1:
        return None
    verb, at = _find_verb(words)
    starts = [time.span.start for time in times] + [match.span.start for match in amounts]
    starts += [word.span.start for word in words if word.form in WEEKDAYS or CODE.search(word.text)]
    position = words[at].span.start if at is not None else min(starts, default=len(text))
    clause = _Clause(
        verb,
        negated=bool(forms & NEGATIONS) or any(strip_negation(form) != form for form in forms),
        is_located="ที่" in forms,
        is_identity=verb == "be" and ("คือ" in forms or _IDENTITY.search(text) is not None),
        is_thai=has_thai(text),
        is_event=bool(forms & _EVENTS),
        is_partial=bool(forms & _PARTIAL),
        is_present=at is not None and verb not in ("be", "have") and _PRESENT.search(words[at].form) is not None,
        amounts=tuple(match.amount for match in amounts),
        when=times[0].when if times else None,
        replaces=bool(forms & _NEW),
        is_one_of_many=verb == "have" and _INDEFINITE.search(text) is not None,
        is_past="had" in forms or (words[0].form == "there" and bool(forms & {"was", "were"})),
        is_daily=not has_thai(text) and bool(times) and _is_clock(times[0].when),
        is_habit=bool(forms & _PLURAL_DAYS) and (verb in _SHARED_HABITS or bool(forms & _OFFERS)),
    )
    mentions = find_mentions(text)
    for number, word in enumerate(words):
        term = make_term(word, mentions) if number != at else None
        if term and not (word.text == "อยู่" and word is words[-1]):
            clause.first = clause.first or term
            (clause.before if word.span.start < position else clause.after).add(term)
    if clause.verb in _DENIED_VERBS:
        clause.verb, clause.negated = _DENIED_VERBS[clause.verb], not clause.negated
    return _turn_role(clause, text)


def _is_amount(text: str, match: AmountMatch) -> bool:
    if is_quantity(text, match):
        return bool(match.amount.unit) or not is_number_of_thing(text, match.span)
    before = tokenize(text[: match.span.start])
    return bool(before) and before[-1].stem in PROPERTIES


def _is_clock(when: TimeRange) -> bool:
    point = when.start or when.end
    return point is not None and point.hour is not None and point.day is None


def _find_verb(words: list[WordToken]) -> tuple[str | None, int | None]:
    """Return the key and the position of the verb. A form of "to be" comes before a noun that may be a verb."""
    predicate = find_predicate(words)
    copula = next((at for at, word in enumerate(words) if at and word.form in _COPULAS), None)
    if copula is not None and (predicate is None or predicate.verb < copula):
        return "be", copula
    if predicate is None:
        known = _DENIED_VERBS.keys() | PREDICATES.keys()
        at = next((at for at, word in enumerate(words) if word.stem in known and _may_be_verb(words, at)), None)
        return (None, None) if at is None else (_make_verb_key(words[at]), at)
    word = words[predicate.verb]
    if predicate.lemma in ("be", "have"):
        return predicate.lemma, predicate.verb
    return _make_verb_key(word, predicate.lemma), predicate.verb


def _may_be_verb(words: list[WordToken], at: int) -> bool:
    """Tell "reports to Mia" from "the report"."""
    return at > 0 and words[at - 1].form not in _DETERMINERS


def _make_verb_key(word: WordToken, lemma: str = "") -> str:
    key = _canonicalise(word.stem) or _canonicalise(stem_english(lemma)) or word.stem
    # "Is called" was taken for "is"; who calls somebody, or names somebody, gives no name.
    return word.form if key == "name" and not word.is_thai else key


def _canonicalise(term: str) -> str | None:
    if term in _DENIED_VERBS or term in _DENIED_VERBS.values() or term in _STATES:
        return term
    return PREDICATES.get(term)


def _turn_role(clause: _Clause, text: str) -> _Clause:
    """Turn "Rosa is the treasurer" into "the treasurer is Rosa", so that both have one key."""
    is_named = clause.before and (all(term.startswith("@") for term in clause.before) or _SINGLE_NAME.match(text))
    is_role = any(term in (ATTRIBUTES if _DEFINITE.search(text) else ROLES) for term in clause.after)
    if clause.is_copula and is_named and is_role and not clause.amounts and not _NO_ROLE.search(text):
        names = {term if term.startswith("@") else f"@{term}" for term in clause.before}
        clause.before, clause.after = clause.after, names
    return clause


_THAI_NUMBERS = (
    *("หนึ่ง", "สอง", "สาม", "สี่", "ห้า", "หก", "เจ็ด", "แปด", "เก้า", "สิบ"),
    *("สิบเอ็ด", "สิบสอง", "สิบสาม", "สิบสี่", "สิบห้า"),
)
_THAI_NUMBER = re.compile(
    rf"(?:{'|'.join(reversed(_THAI_NUMBERS))})(?=โมง|ทุ่ม|นาฬิกา|คน|ตัว|"
    r"ห้อง|ชั้น|ปี|วัน|เดือน|ชั่วโมง|ครั้ง|เม็ด|บาท|หลัง|คัน|ใบ)"
)
_INDEFINITE = re.compile(r"\b(?:has|have|had) an? ")
_PLURAL_DAYS = frozenset(day for day in WEEKDAYS if day.endswith("days"))
_SHARED_HABITS = frozenset(("play", "work", "teach", "train", "run", "swim", "open", "close", "visit"))
_OFFERS = frozenset(("free", "open", "closed", "available", "busy", "away", "off", "home"))
# "Those colors are so vivid", "being able to help was great": what somebody thinks of what stands before them.
_OPINION = _compile_lines("opinions")
_PRESENT = re.compile(r"^[a-z]{2,}[^s\W]s$")
_SINGLE_NAME = re.compile(r"^[A-Z][a-z]+ (?:is|was)\b")
_DEFINITE, _NO_ROLE = _compile_lines("definite"), _compile_lines("no_role")
_DETERMINERS = frozenset(("the", "a", "an", "my", "our", "his", "her", "its", "their", "your", "this", "that"))
_COPULAS = frozenset(("is", "are", "was", "were", "คือ", "เป็น"))
_PARTIAL = frozenset(("some", "many", "most", "several", "few", "บาง", "หลาย", "บางคน"))
_ONE_OF_MANY = re.compile(r"(?:one|another|some) (?!of\b)", re.IGNORECASE)
_NEW = frozenset(("now", "new", "ใหม่", "ตอนนี้", "ปัจจุบัน", "คนใหม่"))
