"""Statements of a sentence: which subject is said to treat, contain or endanger what, how certainly, or not at all.

A statement needs a subject, a cue and an object of a type that the cue calls for, in the order that the cue sets, with
nothing between them that could change the meaning. For each cue of a sentence the reader

1. finds the subjects, before or after the cue, together with those coordinated with them ("turmeric and ginger");
2. finds the objects on the other side, as far as a list goes on;
3. decides the stance from denials in the same clause, and whether the statement is hedged.

Where a step does not find what it needs, there is no statement: a missed statement costs less than a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sanya.suite.text import Span
from sanya.suites.herbs.graph.model import SUBJECT_TYPES, NodeType
from sanya.suites.herbs.ingest.extraction.cues import (
    ClaimKind,
    Cue,
    find_denials,
    is_conditional,
    is_denied_after,
    is_forbidden,
    is_hedged,
    is_question,
)
from sanya.suites.herbs.ingest.extraction.entity_linker import PageMention
from sanya.suites.herbs.pattern_tables import read_pattern_table

StatementStance = Literal["said", "denied", "doubted", "asked"]
"""`denied`: the sentence says the opposite. `doubted`: a denial stands near, which is enough to leave it out."""

_OBJECT_TYPES: dict[ClaimKind, tuple[NodeType, ...]] = {
    "treats": ("indication",),
    "contains": ("constituent", "herb"),
    "contraindicated": ("condition", "drug"),
    "precaution": ("condition", "drug"),
    "interacts": ("drug",),
    "safe": ("condition", "drug"),
}
_RESTRICTING_CLAIMS: tuple[ClaimKind, ...] = ("contraindicated", "precaution", "safe")
# Confidence of a plain statement, and the factors for one that is hedged, whose subject is carried over from earlier in
# the sentence, or whose subject is the heading.
_BASE_CONFIDENCE = 0.9
_HEDGED_FACTOR, _CARRIED_FACTOR, _TOPIC_FACTOR = 0.6, 0.85, 0.8

_WORDS = read_pattern_table("sanya.suites.herbs.ingest.extraction", "statements.toml")
_CLAUSE_BREAK = re.compile(r"ส่วน(?!ประกอบ|ผสม|ที่)|ในขณะที่|ขณะที่|แต่|[;]|\b(?:but|while|whereas|although|however)\b|\n\n")
_FILLER = re.compile(rf"(?:{_WORDS['filler']['thai']}|\b(?:{_WORDS['filler']['english']})\b)*")
_LIST_JOINT = re.compile(rf"(?:{_WORDS['list']['thai']}|\b(?:{_WORDS['list']['english']})\b)*")
_ITEM_SEPARATOR = re.compile(r"[\s,/()•·&]+")
_MAX_ITEM_LENGTH = 25
_COORDINATION = re.compile(r"\s*(?:,|และ|หรือ|กับ|/|\b(?:and|or)\b|, and)\s*(?:the |สาร|สารสกัด|ต้น)?")
_COMPARISON = re.compile(
    rf"(?:{_WORDS['comparison']['thai']}|\b(?:{_WORDS['comparison']['english']}))\s?\S{{0,12}}\s?$"
)
_OF_SUBJECT = re.compile(r"^[^.;]{0,40}(?:\b(?:of|from|in)\s(?:the\s)?|จาก|ใน|ของ)$")
_RELATIVE_PRONOUN = re.compile(r"\s?,?\s?(?:ซึ่ง|ที่|which\b|that\b)")
_ACTION_VERB = re.compile(_WORDS["action"]["thai"])
_TAKEN_TOGETHER = re.compile(rf"{_WORDS['together']['thai']}|\b(?:{_WORDS['together']['english']})\b")
_ANOTHER_CLAUSE = re.compile(r"และ|แต่|,|\band\b")
# Longest distances, in characters, between the parts of a statement.
_MAX_TO_DENIAL = 25
_MAX_TO_SUBJECT, _MAX_TO_OBJECT, _MAX_TO_FOLLOWING_SUBJECT = 80, 60, 30
_MAX_BETWEEN_ITEMS = 90
# No sentence written to be read names more.
_MAX_SUBJECTS, _MAX_OBJECTS = 12, 60


@dataclass(frozen=True, slots=True)
class ExtractedStatement:
    claim: ClaimKind
    subject: str
    subject_type: NodeType
    object: str
    object_type: NodeType
    span: Span
    stance: StatementStance
    hedged: bool
    confidence: float
    as_condition: tuple[str, ...] = ()
    """The conditions that have the same name as the use."""


@dataclass(frozen=True, slots=True)
class PageSentence:
    """A sentence of a page with the names and cues in it."""

    form: str
    """The search form of the whole page."""
    span: Span
    mentions: Sequence[PageMention]
    cues: Sequence[Cue]
    topic: PageMention | None = None
    """The subject of a sentence that names none: the heading above it, or the subject of the sentence before."""

    @property
    def continues_topic(self) -> bool:
        """True where it begins with a cue at once, and leaves its subject to the sentence before."""
        return bool(self.cues) and _FILLER.fullmatch(self.form, self.span.start, self.cues[0].start) is not None


def extract_statements(sentence: PageSentence) -> list[ExtractedStatement]:
    """Return each statement of the sentence once, in the order of the text."""
    statements: dict[tuple[str, str, str], ExtractedStatement] = {}
    for cue in (*sentence.cues, *_find_action_cues(sentence)):
        for statement in _CueReader(sentence, cue).read_statements():
            key = (statement.claim, statement.subject, statement.object)
            if key not in statements or (statements[key].stance == "said" and statement.stance != "said"):
                statements[key] = statement
    return list(statements.values())


def _find_action_cues(sentence: PageSentence) -> Iterator[Cue]:
    """Yield a cue for each Thai name of a use that is a verb itself: to expel wind, to tone the blood."""
    for mention in sentence.mentions:
        if mention.has_type("indication") and _ACTION_VERB.match(sentence.form, mention.start):
            yield Cue(mention.start, mention.start, "treats", "forward")


@dataclass(frozen=True, slots=True)
class _Side:
    """The mentions on one side of a cue, and the factor of confidence for how they were found."""

    mentions: list[PageMention]
    factor: float = 1.0


class _CueReader:
    """Reads the statements of one cue in its sentence."""

    def __init__(self, sentence: PageSentence, cue: Cue) -> None:
        self._sentence, self._cue, self._form = sentence, cue, sentence.form
        self._before = [mention for mention in sentence.mentions if mention.end <= cue.start]
        self._after = [
            mention
            for mention in sentence.mentions
            if mention.start >= cue.end or mention.start <= cue.start < mention.end
        ]

    def read_statements(self) -> Iterator[ExtractedStatement]:
        for subjects, objects in self._pair_sides():
            for subject in subjects.mentions[-_MAX_SUBJECTS:]:
                if (subject_id := subject.get_single_node(*SUBJECT_TYPES)) is None:
                    continue
                for target in objects.mentions[:_MAX_OBJECTS]:
                    yield from self._build_statement(subject_id, subject, target, subjects.factor)

    def _pair_sides(self) -> Iterator[tuple[_Side, _Side]]:
        match self._cue.order:
            case "forward":
                if subjects := self._find_subjects_before():
                    yield subjects, self._find_objects_from(self._cue.end, self._list_object_types(subjects))
            case "backward":
                if subjects := self._find_subjects_after():
                    yield subjects, self._find_objects_until(self._cue.start, self._list_object_types(subjects))
            case "either":
                yield from self._pair_either()

    def _pair_either(self) -> Iterator[tuple[_Side, _Side]]:
        if subjects := self._find_subjects_after():
            types = self._list_object_types(subjects)
            following = self._find_objects_from(subjects.mentions[-1].end, types)
            yield subjects, following if following.mentions else self._find_objects_until(self._cue.start, types)
        elif subjects := self._find_subjects_before():
            types = self._list_object_types(subjects)
            yield subjects, self._find_objects_around(subjects, types)

    def _list_object_types(self, subjects: _Side) -> tuple[NodeType, ...]:
        """Return the types of the cue's objects. A formulation contains herbs, a herb contains constituents."""
        if self._cue.claim != "contains":
            return _OBJECT_TYPES[self._cue.claim]
        return ("herb",) if any(mention.has_type("formulation") for mention in subjects.mentions) else ("constituent",)

    def _find_subjects_before(self) -> _Side | None:
        last = next((mention for mention in reversed(self._before) if mention.may_be_subject), None)
        if last is None:
            topic = self._sentence.topic
            return _Side([topic], _TOPIC_FACTOR) if topic is not None else None
        start, end = last.end, self._cue.start
        if end - start > _MAX_TO_SUBJECT + self._measure_names(start, end) or self._is_compared(last):
            return None
        if self._is_about_constituent(last):
            return None
        clause_start = max((match.end() for match in _CLAUSE_BREAK.finditer(self._form, start, end)), default=start)
        earlier_cues = [cue.end for cue in self._sentence.cues if start <= cue.start and cue.end <= end]
        if clause_start == start and not earlier_cues:
            return _Side(self._list_coordinated(last))
        names = [mention.end for mention in self._before if mention.start >= start]
        if _FILLER.fullmatch(self._form, max([clause_start, *earlier_cues, *names]), end) is None:
            return None
        return _Side(self._list_coordinated(last), _CARRIED_FACTOR)

    def _is_about_constituent(self, subject: PageMention) -> bool:
        """Return whether a constituent acts, not the subject: "curcumin from turmeric relieves", "turmeric has a
        constituent which relieves"."""
        if self._cue.claim == "contains":
            return False
        constituents = [mention for mention in self._before if mention.has_type("constituent")]
        belongs_to_subject = any(
            mention.end <= subject.start and _OF_SUBJECT.search(self._form[mention.end : subject.start])
            for mention in constituents
        )
        if belongs_to_subject or not constituents or constituents[-1].start < subject.end:
            return belongs_to_subject
        return _RELATIVE_PRONOUN.match(self._form, constituents[-1].end) is not None

    def _measure_names(self, start: int, end: int) -> int:
        """Return the length of the names between two offsets, which do not count as distance."""
        return sum(
            mention.end - mention.start for mention in self._before if start <= mention.start and mention.end <= end
        )

    def _find_subjects_after(self) -> _Side | None:
        first = next(
            (mention for mention in self._after if mention.may_be_subject or self._may_be_object(mention)), None
        )
        if first is None or not first.may_be_subject or first.start - self._cue.end > _MAX_TO_FOLLOWING_SUBJECT:
            return None
        if _CLAUSE_BREAK.search(self._form, self._cue.end, first.start):
            return None
        subjects = [first]
        for mention in self._sentence.mentions:
            is_next = mention.start >= first.end and mention.has_type(*SUBJECT_TYPES)
            if is_next and self._is_coordinated(subjects[-1], mention):
                subjects.append(mention)
        return _Side(subjects)

    def _list_coordinated(self, last: PageMention) -> list[PageMention]:
        """Return the subject with those that "and", "or" or a comma join to it."""
        subjects = [last]
        for mention in reversed(self._before):
            is_earlier = mention.end <= subjects[0].start and mention.has_type(*SUBJECT_TYPES)
            if is_earlier and self._is_coordinated(mention, subjects[0]):
                subjects.insert(0, mention)
        return subjects

    def _is_coordinated(self, mention: PageMention, following: PageMention) -> bool:
        return _COORDINATION.fullmatch(self._form, mention.end, following.start) is not None

    def _may_be_object(self, mention: PageMention) -> bool:
        return mention.has_type(*_OBJECT_TYPES[self._cue.claim])

    def _is_compared(self, mention: PageMention) -> bool:
        """Return whether the sentence only compares with the mention: "unlike turmeric, …"."""
        start = max(self._sentence.span.start, mention.start - 30)
        return _COMPARISON.search(self._form[start : mention.start]) is not None

    def _find_objects_from(self, start: int, types: tuple[NodeType, ...]) -> _Side:
        objects: list[PageMention] = []
        offset = start
        for mention in self._after:
            if mention.end <= start or (mention.start < start and mention.start != self._cue.start):
                continue
            if not self._is_connected(offset, mention.start, is_first=not objects):
                break
            if mention.has_type(*types):
                objects.append(mention)
                offset = mention.end
            elif objects or mention.may_be_subject:
                break
        return _Side(objects)

    def _is_connected(self, start: int, end: int, *, is_first: bool) -> bool:
        """Return whether the text between the cue and an object, or between two objects, keeps them together."""
        if end <= start:
            return True
        if _CLAUSE_BREAK.search(self._form, start, end):
            return False
        if is_first:
            return end - start <= _MAX_TO_OBJECT and not self._is_purpose(start, end)
        if _LIST_JOINT.fullmatch(self._form, start, end):
            return True
        is_near = end - start <= _MAX_BETWEEN_ITEMS
        return self._cue.claim == "contains" and is_near and self._is_ingredient_list(start, end)

    def _is_purpose(self, start: int, end: int) -> bool:
        """Return whether the object is a purpose: what must not be used to treat a fever is not forbidden in fever."""
        has_use = any(cue.claim == "treats" and start <= cue.start and cue.end <= end for cue in self._sentence.cues)
        return self._cue.claim in _RESTRICTING_CLAIMS and has_use

    def _is_ingredient_list(self, start: int, end: int) -> bool:
        """Return whether the text holds only short unknown items, which do not end a list of ingredients."""
        between = self._form[start:end]
        has_cue = any(start <= cue.start < end for cue in self._sentence.cues)
        is_short = all(len(item) <= _MAX_ITEM_LENGTH for item in _ITEM_SEPARATOR.split(between))
        return not has_cue and between[:1] in " ,(" and is_short

    def _find_objects_until(self, end: int, types: tuple[NodeType, ...]) -> _Side:
        objects: list[PageMention] = []
        offset = end
        for mention in reversed([mention for mention in self._before if mention.end <= end]):
            between = self._form[mention.end : offset]
            if not mention.has_type(*types) or _CLAUSE_BREAK.search(between):
                break
            if (len(between) > _MAX_TO_OBJECT) if not objects else (_LIST_JOINT.fullmatch(between) is None):
                break
            objects.insert(0, mention)
            offset = mention.start
        return _Side(objects)

    def _find_objects_around(self, subjects: _Side, types: tuple[NodeType, ...]) -> _Side:
        """Look for objects after the cue, then between subject and cue ("a herb with a drug must not be used"), then
        before the subject ("in pregnancy, a herb is to be avoided")."""
        following = self._find_objects_from(self._cue.end, types)
        if following.mentions or subjects.mentions[0] is self._sentence.topic:
            return following
        first, last = subjects.mentions[0].start, subjects.mentions[-1].end
        between = self._find_objects_until(self._cue.start, types)
        if between.mentions and 0 <= between.mentions[0].start - last <= _MAX_TO_FOLLOWING_SUBJECT:
            return between
        before = self._find_objects_until(first, types)
        is_near = bool(before.mentions) and first - before.mentions[-1].end <= _MAX_TO_FOLLOWING_SUBJECT
        return before if is_near and self._cue.claim in _RESTRICTING_CLAIMS else _Side([])

    def _build_statement(
        self, subject_id: str, subject: PageMention, target: PageMention, factor: float
    ) -> Iterator[ExtractedStatement]:
        """Yield at most one statement: a mention that may be a condition or a drug is the first that the cue allows."""
        claim = self._cue.claim
        subject_type: NodeType = "herb" if subject_id in subject.nodes_by_type.get("herb", ()) else "formulation"
        for object_type in _OBJECT_TYPES[claim]:
            if (object_id := target.get_single_node(object_type)) is None or object_id == subject_id:
                continue
            if claim == "contains" and (object_type == "herb") != (subject_type == "formulation"):
                continue
            if object_type == "drug" and claim != "interacts" and not self._is_taken_together():
                continue
            span = self._cover(subject, target)
            stance, hedged = self._decide_stance(subject, target), self._is_hedged(span)
            confidence = _BASE_CONFIDENCE * factor * min(subject.confidence, target.confidence)
            confidence *= _HEDGED_FACTOR if hedged else 1.0
            yield ExtractedStatement(
                *(claim, subject_id, subject_type, object_id, object_type, span, stance, hedged),
                *(round(confidence, 3), target.nodes_by_type.get("condition", ())),
            )
            return

    def _cover(self, subject: PageMention, target: PageMention) -> Span:
        """Return the span from the first to the last part of the statement; a topic stands elsewhere on the page."""
        parts = [target] if subject is self._sentence.topic else [subject, target]
        starts, ends = [part.start for part in parts], [part.end for part in parts]
        return Span(min(*starts, self._cue.start), max(*ends, self._cue.end))

    def _is_hedged(self, span: Span) -> bool:
        """Return whether the clause weakens the statement. A condition weakens a use, but not a warning: "if there is
        fever, do not use"."""
        start, is_warning = self._find_clause_start(), self._cue.claim not in ("treats", "contains")
        if is_hedged(self._form, start, span.end):
            return True
        return not is_warning and is_conditional(self._form, start, span.end)

    def _is_taken_together(self) -> bool:
        """Return whether the sentence is about taking both. An allergy to a drug is no interaction with it."""
        return _TAKEN_TOGETHER.search(self._form, *self._sentence.span) is not None

    def _find_clause_start(self) -> int:
        """Return where the clause of the cue begins."""
        breaks = _CLAUSE_BREAK.finditer(self._form, self._sentence.span.start, self._cue.start)
        return max((match.end() for match in breaks), default=self._sentence.span.start)

    def _decide_stance(self, subject: PageMention, target: PageMention) -> StatementStance:
        start = self._find_clause_start()
        if is_question(self._form, *self._sentence.span):
            return "asked"
        last = max(target.end, self._cue.end, subject.end if subject is not self._sentence.topic else 0)
        if is_denied_after(self._form, last):
            return "denied"
        if self._cue.claim in ("treats", "contains") and is_forbidden(self._form, start, target.start):
            return "doubted"
        stance: StatementStance = "said"
        for denial in find_denials(self._form, start, last):
            is_in_name = any(mention.start <= denial.start() < mention.end for mention in self._sentence.mentions)
            if is_in_name or self._cue.start <= denial.start() < self._cue.end:
                continue
            if self._is_denial_near(denial, subject, target):
                return "denied"
            stance = "doubted"
        return stance

    def _is_denial_near(self, denial: re.Match[str], subject: PageMention, target: PageMention) -> bool:
        """Return whether the denial concerns the cue, the object after it, or all that follows."""
        if denial.start() >= self._cue.end:
            return denial.end() <= target.start
        to_cue = self._form[denial.end() : self._cue.start]
        if len(to_cue) <= _MAX_TO_DENIAL and _ANOTHER_CLAUSE.search(to_cue) is None:
            return True
        return denial.end() <= subject.start <= denial.end() + _MAX_TO_DENIAL
