"""What a sentence states about the things it names: who, what of whom, how surely, or that it is denied.

A statement needs its words in their order: a subject, a cue, an object of the kind that the cue asks for, and nothing
in between that could turn it. What does not fit is left out rather than guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sanya.suites.herbs.graph.model import NodeType
from sanya.suites.herbs.ingest.extraction.cues import (
    Claim,
    Cue,
    denials,
    is_asked,
    is_conditional,
    is_denied_behind,
    is_forbidden,
    is_hedged,
)
from sanya.suites.herbs.ingest.extraction.entity_linker import SUBJECTS, Found
from sanya.text.spans import Span

Stance = Literal["said", "denied", "doubted", "asked"]
"""`denied` is said against it in so many words; `doubted` is a denial somewhere near, enough to leave it out."""

_OBJECTS: dict[Claim, tuple[NodeType, ...]] = {
    "treats": ("indication",),
    "contains": ("constituent", "herb"),
    "contraindicated": ("condition", "drug"),
    "precaution": ("condition", "drug"),
    "interacts": ("drug",),
    "safe": ("condition", "drug"),
}
_BASE = 0.9
_HEDGED, _CARRIED, _FROM_HEADING = 0.6, 0.85, 0.8

_BREAK = re.compile(r"ส่วน(?!ประกอบ|ผสม|ที่)|ในขณะที่|ขณะที่|แต่|[;]|\b(?:but|while|whereas|although|however)\b|\n\n")
_FILLER = re.compile(
    r"(?:[\s,:()\-–]|และ|ยัง|ก็|ควร|จึง|ให้|ต้อง|จะ|มี|ใช้|ช่วย|อาจ|ได้|นอกจากนี้|อีกทั้ง|รวมทั้ง|หรือ|สามารถ|ใน|การ|เพื่อ|ไม่|ฤทธิ์|ซึ่ง|โดย|(?:สมุนไพร|พืช|ยา|ตำรับ)(?:ชนิด)?นี้|"
    r"\b(?:this (?:herb|plant|medicine)|the (?:herb|plant)|"
    r"and|or|is|are|was|were|it|also|has|have|been|be|can|may|should|could|not|to|for|as|does|do|did|which|that)\b)*"
)
_LIST = re.compile(
    r"(?:[\s,/()\[\]:•·\-–—&ๆฯ]|และ|หรือ|รวมถึง|รวมทั้ง|ตลอดจน|กับ|เช่น|ได้แก่|อาการ|ภาวะ|โรค|ยา|กลุ่ม|สาร|ผู้ป่วย|ผู้ที่|ผู้|มี|เป็น|"
    r"ใน|ช่วย|แก้|บรรเทา|รักษา|ลด|ร่วม|อื่นๆ|[0-9.]+|กรัม|ก\.|มก\.|มิลลิกรัม|ส่วน|%|ร้อยละ|"
    r"\b(?:and|or|as|well|such|including|the|a|an|drugs?|symptoms?|of|patients?|with|people|women|in|during|other|both|"
    r"mg|g|kg|ml|e|medicines?|like|for|to)\b)*"
)
_ITEM_ENDS = re.compile(r"[\s,/()•·&]+")
_LONGEST_ITEM = 25
_COORDINATED = re.compile(r"\s*(?:,|และ|หรือ|กับ|/|\b(?:and|or)\b|, and)\s*(?:the |สาร|สารสกัด|ต้น)?")
_COMPARED = re.compile(
    r"(?:เทียบกับ|ต่างจาก|แทน|แทนที่|นอกจาก|"
    r"\b(?:compared (?:with|to)|unlike|than|versus|vs\.?|instead of|besides|apart from))\s?\S{0,12}\s?$"
)
_OF = re.compile(r"^[^.;]{0,40}(?:\b(?:of|from|in)\s(?:the\s)?|จาก|ใน|ของ)$")
_WHICH = re.compile(r"\s?,?\s?(?:ซึ่ง|ที่|which\b|that\b)")
_ACTION = re.compile("ขับ|แก้|บำรุง|ลด|สมาน|ถอนพิษ|เจริญ|ช่วย|ปรับ|บรรเทา")
_TOGETHER = re.compile(
    r"ร่วม|กับ|และ|ใช้ยา|รับประทานยา|ได้รับ|กินยา|\b(?:with|tak(?:e|es|ing)|together|co-?administ\w+|concomitant\w*|combin\w+|and|on)\b"
)
_ANOTHER_CLAUSE = re.compile(r"และ|แต่|,|\band\b")
_NEAR_DENIAL = 25
_FAR_SUBJECT, _FAR_OBJECT, _LEADING = 80, 60, 30
_FAR_LIST = 90
# No sentence that somebody wrote to be read names more.
_MOST_SUBJECTS, _MOST_OBJECTS = 12, 60


@dataclass(frozen=True, slots=True)
class Statement:
    claim: Claim
    subject: str
    subject_type: NodeType
    object: str
    object_type: NodeType
    span: Span
    stance: Stance
    hedged: bool
    confidence: float
    as_condition: tuple[str, ...] = ()
    """The conditions that go by the same name as the use."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a page: where it is, what it names, and the words that state something."""

    form: str
    span: Span
    found: Sequence[Found]
    cues: Sequence[Cue]
    topic: Found | None = None
    """What it is about if it has no subject of its own: the heading above it, or what the sentence before was about."""

    @property
    def goes_on(self) -> bool:
        """Whether it says at once what it says, and leaves it to the sentence before to name of whom."""
        return bool(self.cues) and _FILLER.fullmatch(self.form, self.span.start, self.cues[0].start) is not None


def statements(sentence: Sentence) -> list[Statement]:
    """Each once, in the order of the text."""
    made: dict[tuple[str, str, str], Statement] = {}
    for cue in (*sentence.cues, *_actions(sentence)):
        for one in _Reading(sentence, cue).statements():
            key = (one.claim, one.subject, one.object)
            if key not in made or (made[key].stance == "said" and one.stance != "said"):
                made[key] = one
    return list(made.values())


def _actions(sentence: Sentence) -> Iterator[Cue]:
    """Thai names of uses that are verbs themselves: to expel wind, to tone the blood."""
    for one in sentence.found:
        if one.is_of("indication") and _ACTION.match(sentence.form, one.start):
            yield Cue(one.start, one.start, "treats", "forward")


@dataclass(frozen=True, slots=True)
class _Side:
    found: list[Found]
    factor: float = 1.0


class _Reading:
    """One cue in its sentence."""

    def __init__(self, sentence: Sentence, cue: Cue) -> None:
        self._sentence, self._cue, self._form = sentence, cue, sentence.form
        self._before = [one for one in sentence.found if one.end <= cue.start]
        self._after = [one for one in sentence.found if one.start >= cue.end or one.start <= cue.start < one.end]

    def statements(self) -> Iterator[Statement]:
        for subjects, objects in self._sides():
            for subject in subjects.found[-_MOST_SUBJECTS:]:
                if (who := subject.one(*SUBJECTS)) is None:
                    continue
                for what in objects.found[:_MOST_OBJECTS]:
                    yield from self._statement(who, subject, what, subjects.factor)

    def _sides(self) -> Iterator[tuple[_Side, _Side]]:
        match self._cue.order:
            case "forward":
                if subjects := self._subjects_before():
                    yield subjects, self._objects_from(self._cue.end, self._kinds(subjects))
            case "backward":
                if subjects := self._subjects_after():
                    yield subjects, self._objects_until(self._cue.start, self._kinds(subjects))
            case "either":
                yield from self._either()

    def _either(self) -> Iterator[tuple[_Side, _Side]]:
        if subjects := self._subjects_after():
            kinds = self._kinds(subjects)
            behind = self._objects_from(subjects.found[-1].end, kinds)
            yield subjects, behind if behind.found else self._objects_until(self._cue.start, kinds)
        elif subjects := self._subjects_before():
            kinds = self._kinds(subjects)
            yield subjects, self._objects_around(subjects, kinds)

    def _kinds(self, subjects: _Side) -> tuple[NodeType, ...]:
        """A formulation is made of herbs, a herb contains constituents."""
        if self._cue.claim != "contains":
            return _OBJECTS[self._cue.claim]
        return ("herb",) if any(one.is_of("formulation") for one in subjects.found) else ("constituent",)

    def _subjects_before(self) -> _Side | None:
        last = next((one for one in reversed(self._before) if one.may_be_subject), None)
        if last is None:
            topic = self._sentence.topic
            return _Side([topic], _FROM_HEADING) if topic is not None else None
        start, end = last.end, self._cue.start
        if end - start > _FAR_SUBJECT + self._named_between(start, end) or self._is_compared(last):
            return None
        if self._is_of_constituent(last):
            return None
        turn = max((match.end() for match in _BREAK.finditer(self._form, start, end)), default=start)
        earlier = [one.end for one in self._sentence.cues if start <= one.start and one.end <= end]
        if turn == start and not earlier:
            return _Side(self._coordinated(last))
        named = [one.end for one in self._before if one.start >= start]
        if _FILLER.fullmatch(self._form, max([turn, *earlier, *named]), end) is None:
            return None
        return _Side(self._coordinated(last), _CARRIED)

    def _is_of_constituent(self, subject: Found) -> bool:
        """Curcumin from turmeric acts; turmeric has a constituent, which acts: neither is said of turmeric."""
        if self._cue.claim == "contains":
            return False
        constituents = [one for one in self._before if one.is_of("constituent")]
        of_it = any(
            one.end <= subject.start and _OF.search(self._form[one.end : subject.start]) for one in constituents
        )
        which = constituents[-1:] and constituents[-1].start >= subject.end
        return of_it or (bool(which) and _WHICH.match(self._form, constituents[-1].end) is not None)

    def _named_between(self, start: int, end: int) -> int:
        """What is named between does not make the way longer."""
        return sum(one.end - one.start for one in self._before if start <= one.start and one.end <= end)

    def _subjects_after(self) -> _Side | None:
        first = next((one for one in self._after if one.may_be_subject or self._is_object(one)), None)
        if first is None or not first.may_be_subject or first.start - self._cue.end > _LEADING:
            return None
        if _BREAK.search(self._form, self._cue.end, first.start):
            return None
        found = [first]
        for one in self._sentence.found:
            if one.start >= first.end and one.is_of(*SUBJECTS) and self._joins(found[-1], one):
                found.append(one)
        return _Side(found)

    def _coordinated(self, last: Found) -> list[Found]:
        found = [last]
        for one in reversed(self._before):
            if one.end <= found[0].start and one.is_of(*SUBJECTS) and self._joins(one, found[0]):
                found.insert(0, one)
        return found

    def _joins(self, one: Found, other: Found) -> bool:
        return _COORDINATED.fullmatch(self._form, one.end, other.start) is not None

    def _is_object(self, one: Found) -> bool:
        return one.is_of(*_OBJECTS[self._cue.claim])

    def _is_compared(self, one: Found) -> bool:
        return _COMPARED.search(self._form[max(self._sentence.span.start, one.start - 30) : one.start]) is not None

    def _objects_from(self, start: int, kinds: tuple[NodeType, ...]) -> _Side:
        found: list[Found] = []
        place = start
        for one in self._after:
            if one.end <= start or (one.start < start and one.start != self._cue.start):
                continue
            if not self._leads(place, one.start, is_first=not found):
                break
            if one.is_of(*kinds):
                found.append(one)
                place = one.end
            elif found or one.may_be_subject:
                break
        return _Side(found)

    def _leads(self, place: int, start: int, *, is_first: bool) -> bool:
        """Whether what stands between the cue and an object, or between two of a list, keeps them together."""
        if start <= place:
            return True
        if _BREAK.search(self._form, place, start):
            return False
        if is_first:
            return start - place <= _FAR_OBJECT and not self._is_purpose(place, start)
        if _LIST.fullmatch(self._form, place, start):
            return True
        return self._cue.claim == "contains" and start - place <= _FAR_LIST and self._is_list(place, start)

    def _is_purpose(self, place: int, start: int) -> bool:
        """What must not be used to treat a fever is not forbidden in fever."""
        uses = (one for one in self._sentence.cues if one.claim == "treats" and place <= one.start and one.end <= start)
        return self._cue.claim in ("contraindicated", "precaution", "safe") and any(uses)

    def _is_list(self, place: int, start: int) -> bool:
        """Short items that nobody knows, between blanks or commas, do not end a list of ingredients."""
        between = self._form[place:start]
        cued = any(place <= one.start < start for one in self._sentence.cues)
        short = all(len(item) <= _LONGEST_ITEM for item in _ITEM_ENDS.split(between))
        return not cued and between[:1] in " ,(" and short

    def _objects_until(self, end: int, kinds: tuple[NodeType, ...]) -> _Side:
        found: list[Found] = []
        place = end
        for one in reversed([one for one in self._before if one.end <= end]):
            between = self._form[one.end : place]
            if not one.is_of(*kinds) or _BREAK.search(between):
                break
            if (len(between) > _FAR_OBJECT) if not found else (_LIST.fullmatch(between) is None):
                break
            found.insert(0, one)
            place = one.start
        return _Side(found)

    def _objects_around(self, subjects: _Side, kinds: tuple[NodeType, ...]) -> _Side:
        """Behind the cue; or between the two (a herb with a drug must not be used); or before both (in pregnancy, a
        herb is to be avoided)."""
        behind = self._objects_from(self._cue.end, kinds)
        if behind.found or subjects.found[0] is self._sentence.topic:
            return behind
        first, last = subjects.found[0].start, subjects.found[-1].end
        between = self._objects_until(self._cue.start, kinds)
        if between.found and 0 <= between.found[0].start - last <= _LEADING:
            return between
        before = self._objects_until(first, kinds)
        is_near = bool(before.found) and first - before.found[-1].end <= _LEADING
        return before if is_near and self._cue.claim in ("contraindicated", "precaution", "safe") else _Side([])

    def _statement(self, who: str, subject: Found, what: Found, factor: float) -> Iterator[Statement]:
        subject_type: NodeType = "herb" if who in subject.meant.get("herb", ()) else "formulation"
        for kind in _OBJECTS[self._cue.claim]:
            if (node := what.one(kind)) is None or node == who:
                continue
            if self._cue.claim == "contains" and (kind == "herb") != (subject_type == "formulation"):
                continue
            if kind == "drug" and self._cue.claim != "interacts" and not self._is_taken_together():
                continue
            span = Span(min(subject.start, what.start, self._cue.start), max(subject.end, what.end, self._cue.end))
            if subject is self._sentence.topic:
                span = Span(min(what.start, self._cue.start), max(what.end, self._cue.end))
            stance, hedged = self._stance(subject, what), self._is_hedged(span)
            sure = _BASE * factor * min(subject.confidence, what.confidence) * (_HEDGED if hedged else 1.0)
            yield Statement(
                *(self._cue.claim, who, subject_type, node, kind, span, stance, hedged),
                *(round(sure, 3), what.meant.get("condition", ())),
            )
            # One mention states one thing: what is both a condition and a drug is the first that the cue asks for.
            return

    def _is_hedged(self, span: Span) -> bool:
        """A warning under a condition is a warning: "if there is fever, do not use"."""
        start, warns = self._clause(), self._cue.claim not in ("treats", "contains")
        return is_hedged(self._form, start, span.end) or (not warns and is_conditional(self._form, start, span.end))

    def _is_taken_together(self) -> bool:
        """What must not be used together; an allergy to a drug is no interaction with it."""
        return _TOGETHER.search(self._form, *self._sentence.span) is not None

    def _clause(self) -> int:
        """Where the part of the sentence begins that the cue stands in."""
        turns = _BREAK.finditer(self._form, self._sentence.span.start, self._cue.start)
        return max((match.end() for match in turns), default=self._sentence.span.start)

    def _stance(self, subject: Found, what: Found) -> Stance:
        whole, start = self._sentence.span, self._clause()
        if is_asked(self._form, *whole):
            return "asked"
        last = max(what.end, self._cue.end, subject.end if subject is not self._sentence.topic else 0)
        if is_denied_behind(self._form, last):
            return "denied"
        if self._cue.claim in ("treats", "contains") and is_forbidden(self._form, start, what.start):
            return "doubted"
        stance: Stance = "said"
        for match in denials(self._form, start, last):
            inside = any(one.start <= match.start() < one.end for one in self._sentence.found)
            if inside or self._cue.start <= match.start() < self._cue.end:
                continue
            if self._is_near(match, subject, what):
                return "denied"
            stance = "doubted"
        return stance

    def _is_near(self, match: re.Match[str], subject: Found, what: Found) -> bool:
        """Whether the denial is one of the cue, of the object behind it, or of all that follows."""
        if match.start() >= self._cue.end:
            return match.end() <= what.start
        to_cue = self._form[match.end() : self._cue.start]
        if len(to_cue) <= _NEAR_DENIAL and _ANOTHER_CLAUSE.search(to_cue) is None:
            return True
        return match.end() <= subject.start <= match.end() + _NEAR_DENIAL
