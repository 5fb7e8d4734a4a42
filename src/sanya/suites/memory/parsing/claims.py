"""Sentences as claims: who, what, with which value, when, where, and how it is meant.

No parser and no model: a sentence that does not have the plain form is not read, which costs recall and no trust."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, NamedTuple

from sanya.suites.memory.parsing import cues
from sanya.suites.memory.parsing.amounts import Amount, FoundAmount, find_amounts
from sanya.suites.memory.parsing.mentions import Mention, find_mentions
from sanya.suites.memory.parsing.names import name_key
from sanya.suites.memory.parsing.predicates import Predicate, find_predicate
from sanya.suites.memory.parsing.times import When, find_times
from sanya.suites.memory.parsing.tokens import Word, fold_word, words_of
from sanya.suites.memory.parsing.verbs import THAI_VERBS, Kind, verb_of
from sanya.suites.memory.word_lists import word_set
from sanya.text.english import STOP_WORDS
from sanya.text.spans import Span

Modality = Literal["asserted", "hedged", "planned", "conditional", "asked"]

_LONGEST_CLAUSE = 600
_PRONOUNS = word_set("""he she it they we you this that these those who there one เขา เธอ มัน พวกเขา เรา คุณ นี่ นั่น ท่าน""")
_SPEAKER = word_set("i my we our ผม ฉัน ดิฉัน ข้าพเจ้า")
# Who these are, only what was said before tells.
_SOMEBODY = word_set("he she it they we you i me him her them us who his their its เขา เธอ มัน พวกเขา เรา ผม ฉัน")
_ADVERBS = word_set(
    """also still already just then now soon often always usually again recently currently finally only even really
    very quite too so well back first later earlier today once twice together maybe actually indeed ago
    approximately exactly about around new แล้ว อยู่ ก็ ด้วย มาก ได้ ไป มา นี้ นั้น ปัจจุบัน ขณะนี้ เลย อีก กำลัง ซึ่ง ที่ ใน ณ เมื่อ
    ของ และ การ ความ วันที่ เวลา วัน ว่า ให้ จะ ต่อ ถึง กับ เป็น คือ ถูก โดย เคย ทั้งหมด จำนวน ปี เดือน แก่ เพียง ยัง"""
)
_DROPPED = (STOP_WORDS | _ADVERBS) - cues.NEGATIONS
# Words that turn what follows: "from Paris" is not "to Paris".
_TURNING = {
    "from": "from",
    "จาก": "from",
    "by": "by",
    "without": "without",
    "against": "against",
    "โดย": "by",
    "until": "until",
}
_GENERIC = word_set(
    """flight order invoice document case ticket number train bus ship room เที่ยวบิน เลขที่ หมายเลข คดี ใบสั่งซื้อ เอกสาร
    ห้อง"""
)
_ALL = word_set("all every each everyone everybody ทุก ทั้งหมด ทุกคน")
_NONE = word_set("no none nobody ไม่มี ไม่มีใคร")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    span: Span
    subject: str
    subject_key: str
    subject_kind: str
    verb: str
    kind: Kind
    passive: bool = False
    past: bool = False
    rest: frozenset[str] = frozenset()
    """The stems of what else it says, names as `@key`, without times, amounts and empty words."""
    amounts: tuple[Amount, ...] = ()
    when: When | None = None
    value_time: When | None = None
    """The time that is itself what is claimed: the deadline is March 15."""
    place: str | None = None
    negated: bool = False
    always: bool = False
    not_yet: bool = False
    ended: bool = False
    quantifier: Literal["all", "none"] | None = None
    modality: Modality = "asserted"
    former: bool = False
    source: str | None = None
    """Whom the sentence itself names as the one who says so."""
    speaker: str | None = None
    said: date | None = None

    @property
    def names(self) -> frozenset[str]:
        return frozenset(one[1:] for one in self.rest if one.startswith("@"))

    @property
    def plain(self) -> frozenset[str]:
        return frozenset(one for one in self.rest if not one.startswith("@"))


class Setting(NamedTuple):
    """What is known around a sentence: who speaks and on which day."""

    speaker: str | None = None
    said: date | None = None


def read_clause(text: str, span: Span, setting: Setting) -> Claim | None:
    """The claim of a stretch of text that holds one statement, None if it has not the plain form."""
    clause = span.of(text)
    if not clause.strip() or len(clause) > _LONGEST_CLAUSE:
        return None
    times = find_times(clause, setting.said)
    blanked = _blank(clause, [_with_preposition(clause, time.span) for time in times])
    amounts = [one for one in find_amounts(blanked) if _counts(blanked, one)]
    blanked = _blank(blanked, [one.span for one in amounts])
    words = words_of(blanked)
    predicate = find_predicate(words)
    if predicate is None:
        return None
    mentions = find_mentions(clause)
    claim = _claim(clause, words, predicate, mentions)
    if claim is None:
        return None
    when = times[0].when if times else None
    is_value = claim.kind == "copula" and not claim.rest and not amounts and bool(times)
    is_value = is_value and times[-1].span.start >= words[predicate.verb].span.end
    return replace(
        _spoken(claim, setting),
        span=span,
        amounts=tuple(one.amount for one in amounts),
        when=None if is_value and len(times) == 1 else when,
        value_time=times[-1].when if is_value else None,
        modality=_modality(clause, words),
    )


def _blank(text: str, spans: list[Span]) -> str:
    """The text with these stretches emptied, so that every other place stays where it is."""
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


_PREPOSITIONS = (
    "on the",
    "in the year",
    "on",
    "in",
    "at",
    "during",
    "of",
    "around",
    "since",
    "by",
    "เมื่อวันที่",
    "ในวันที่",
    "วันที่",
    "เมื่อ",
    "ในปี",
    "ใน",
    "ณ",
    "เวลา",
    "ปี",
)


def _with_preposition(text: str, span: Span) -> Span:
    before = text[max(0, span.start - 12) : span.start].rstrip().lower()
    for word in _PREPOSITIONS:
        if before.endswith(word) and (not word.isascii() or not before[: -len(word)][-1:].isalpha()):
            return Span(text.lower().rindex(word, 0, span.start), span.end)
    return span


_NUMBERED = re.compile(
    r"(?:\b(?:number|no|nr|room|version|chapter|page|line|item|step|phase|gate|bus|route|platform|table|section|article"
    r"|port|episode|season|model|part|level|floor|unit|lot|box|id|code|cup|game|day|week|round|group|team|plan|option)s?\.?"
    r"|#|หมายเลข|เลขที่|ข้อ|หน้า|ห้อง|ที่|ชั้น|รุ่น|อาคาร|สาย|มาตรา)\s?$",
    re.IGNORECASE,
)
_WORD_AHEAD = re.compile(r"(?P<word>[^\W\d_]+)\s?$")
_NOUN_BEHIND = re.compile(r"\s?(?P<word>[^\W\d_]+)")
_BEFORE_AMOUNTS = word_set(
    """of at to by in on for with and or from than only just exactly about around nearly almost over under
    between is was are were be been equals remains have has had about total กว่า เป็น คือ มี ถึง จำนวน
    เพียง แค่ รวม"""
)


def _counts(text: str, found: FoundAmount) -> bool:
    """Whether a number says how much. One that only tells things apart (room 5, report 17) belongs to their name."""
    before, behind = text[: found.span.start], text[found.span.end :]
    if not before.strip() and behind[:1] in (".", ")"):
        return False
    if _NUMBERED.search(before) and not found.amount.unit:
        return False
    ahead = _WORD_AHEAD.search(before)
    if found.amount.unit or ahead is None or found.amount.bound != "exact":
        return True
    word = fold_word(ahead["word"])
    if word in _BEFORE_AMOUNTS or verb_of(word) or any(word.endswith(verb) for verb in THAI_VERBS if len(verb) > 1):
        return True
    following = _NOUN_BEHIND.match(behind)
    return (
        following is not None
        and verb_of(fold_word(following["word"])) is None
        and fold_word(following["word"]) not in STOP_WORDS
    )


def _claim(clause: str, words: list[Word], predicate: Predicate, mentions: list[Mention]) -> Claim | None:
    subject_words = [words[place] for place in predicate.subject]
    if not subject_words:
        return None
    subject_span = Span(subject_words[0].span.start, subject_words[-1].span.end)
    key, kind = _subject_key(subject_words, mentions)
    rest = rest_of([words[place] for place in predicate.rest], mentions)
    if not key:
        return None
    forms = {word.form for word in words}
    return Claim(
        span=subject_span,
        subject=subject_span.of(clause).strip(),
        subject_key=key,
        subject_kind=kind,
        verb=predicate.lemma,
        kind=predicate.kind,
        passive=predicate.passive,
        past=predicate.past,
        rest=rest,
        place=_place(clause, words[predicate.verb].span.end, mentions),
        negated=predicate.negated,
        always=bool(forms & cues.ALWAYS_NEGATED) or ("ไม่" in forms and "เคย" in forms),
        not_yet="yet" in forms or ("ยัง" in forms and predicate.negated),
        ended=any(phrase in clause.lower() for phrase in cues.NO_LONGER),
        quantifier=_quantifier(words, predicate),
        former=bool(forms & cues.FORMER) and not predicate.negated,
    )


def _subject_key(words: list[Word], mentions: list[Mention]) -> tuple[str, str]:
    start, end = words[0].span.start, words[-1].span.end
    inside = [one for one in mentions if one.span.start < end and one.span.end > start]
    stems = sorted(rest_of(words, mentions))
    codes = [one for one in inside if one.kind == "artifact"]
    plain = {one for one in stems if not one.startswith("@") and one not in _GENERIC}
    if len(codes) == 1 and not plain - {codes[0].name.lower()} and len(inside) == 1:
        return name_key(codes[0].name), "artifact"
    if len(inside) == 1 and stems == [f"@{name_key(inside[0].name)}"]:
        return name_key(inside[0].name), inside[0].kind
    forms = {word.form for word in words}
    if forms <= _PRONOUNS | _SPEAKER | STOP_WORDS:
        return ("i", "speaker") if forms & _SPEAKER else ("", "")
    if forms & _SOMEBODY:
        return "", ""
    return " ".join(one.lstrip("@") for one in stems), "phrase"


def is_pronoun(name: str) -> bool:
    """Whether it names nobody: who is meant, only what was said before tells."""
    return {word.form for word in words_of(name)} <= _PRONOUNS | _SPEAKER | _SOMEBODY | STOP_WORDS


def rest_of(words: list[Word], mentions: list[Mention]) -> frozenset[str]:
    """Everything behind "than" is one thing, with which the subject is compared."""
    for place, word in enumerate(words):
        if word.form in ("than", "กว่า"):
            compared = " ".join(sorted(one.lstrip("@") for one in rest_of(words[place + 1 :], mentions)))
            return rest_of(words[:place], mentions) | ({f"than:{compared}"} if compared else frozenset())
    found: set[str] = set()
    turning = ""
    named: Mention | None = None
    for word in words:
        mention = next(
            (one for one in mentions if one.span.start <= word.span.start and word.span.end <= one.span.end), None
        )
        if word.form in _TURNING and mention is None:
            turning = f"{_TURNING[word.form]}:"
            continue
        if mention is not None:
            if mention is not named:
                found.add(f"@{turning}{name_key(mention.name)}")
            named = mention
        elif word.form in _DROPPED or word.form in cues.NEGATIONS or word.form in cues.NEGATION_PARTS or word.is_adverb:
            continue
        else:
            found.add(f"{turning}{word.stem}")
        turning = ""
    return frozenset(one for one in found if one not in ("@", ""))


def _place(clause: str, behind: int, mentions: list[Mention]) -> str | None:
    for one in mentions:
        if one.span.start >= behind and one.kind == "place":
            before = clause[max(0, one.span.start - 8) : one.span.start].rstrip().lower()
            if not before.endswith(("from", "จาก", "of", "ของ")):
                return name_key(one.name)
    return None


def _quantifier(words: list[Word], predicate: Predicate) -> Literal["all", "none"] | None:
    first = words[0].form
    if first in _NONE or (len(words) > 1 and first == "none"):
        return "none"
    return "all" if first in _ALL and predicate.verb > 0 else None


def _modality(clause: str, words: list[Word]) -> Modality:
    forms = [word.form for word in words]
    if clause.rstrip().endswith(("?", "ไหม", "หรือไม่", "หรือเปล่า", "หรือยัง")) or (forms and forms[0] in cues.QUESTIONS):
        return "asked"
    known = set(forms)
    if known & cues.CONDITIONS:
        return "conditional"
    if known & cues.HEDGES:
        return "hedged"
    return "planned" if known & cues.PLANS else "asserted"


def _spoken(claim: Claim, setting: Setting) -> Claim:
    """Of one who speaks of himself, the speaker is the subject."""
    if claim.subject_key == "i":
        if setting.speaker is None:
            return replace(claim, modality="hedged", said=setting.said)
        claim = replace(claim, subject_key=name_key(setting.speaker), subject_kind="person", subject=setting.speaker)
    return replace(claim, speaker=setting.speaker, said=setting.said)
