"""The words by which a statement is recognised, in Thai and in English, and those that take it back or weaken it.

They are looked for in the search form of a page, all at once: a page has few of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from sanya.text.characters import THAI

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

Claim = Literal["treats", "contains", "contraindicated", "precaution", "interacts", "safe"]
Order = Literal["forward", "backward", "either"]
"""Whether the subject stands before the cue and the object behind it, the other way round, or anyhow."""


def _each(words: str, rest: str) -> str:
    """The words, parted by commas, each with the same behind it."""
    return "|".join(f"{word}{rest}" for word in words.split(","))


_TAKEN = "(?:be )?(?:used?|taken?|given|administered|consumed?|combined?)"
_SHORN = r"(?:es?|ed|ing|s)? (?:the )?(?:\w+ ){0,2}?"
_MEASURE = (
    "(?:effects?|levels?|concentrations?|metabolism|activity|absorption|clearance|bioavailability|action|exposure)"
)
# Every alternative begins with letters, so that all can be looked for at once.
_CUES: dict[tuple[Claim, Order], tuple[str, ...]] = {
    ("treats", "forward"): (
        "(?<!เก็บ)(?<!การดูแล)รักษา|บรรเทา|แก้(?!ว|ม)|ลดอาการ|ทุเลา|ใช้สำหรับ|ข้อบ่งใช้|สรรพคุณ|บำบัด|ได้ผลดี(?:ใน|กับ)|ช่วยเรื่อง",
        r"uses?(?=\s?:)|indications?(?=\s?:)|treats?|treating|treatment (?:of|for)|indicated (?:for|in)|"
        r"used (?:\w+ ){0,3}?(?:for|against|to (?:treat|relieve|alleviate|manage|ease|soothe))|"
        r"reliev(?:e[sd]?|ing)|alleviat(?:e[sd]?|ing)|eas(?:es|ing)|soothes?|remedy (?:for|against)|"
        r"help(?:s|ed)? (?:with|to (?:relieve|treat|ease)|relieve|treat|ease)|"
        r"reduce[sd]?(?: the)?(?: symptoms? of| severity of)?",
        _each("effective,beneficial,useful,efficacious", " (?:for|in|against)"),
    ),
    ("treats", "backward"): (
        _each("รักษา,บรรเทา", "(?:ได้)?(?:ด้วย|โดย)"),
        _each("treated,relieved,alleviated,managed", " (?:with|by|using)"),
    ),
    ("contains", "forward"): (
        "ประกอบ(?:ไป)?ด้วย|มีส่วนประกอบ|มีส่วนผสม|มีตัวยา|ตัวยาสำคัญ|พบสาร|มีสาร|อุดม(?:ไป)?ด้วย|มีองค์ประกอบ",
        "contain(?:s|ing|ed)?|rich in|consist(?:s|ing)? of|composed of|compris(?:es?|ing)|made (?:of|from)",
    ),
    ("contains", "either"): (
        "สารสำคัญ|สารออกฤทธิ์|ส่วนประกอบ|ตัวยา|องค์ประกอบทางเคมี",
        _each("constituents,compounds,components,ingredients", r"(?: of \w+(?: \w+)?)? (?:are|include|is)"),
    ),
    ("contains", "backward"): (
        "พบ(?:มาก|ได้|เฉพาะ)?ใน|แยกได้จาก|สกัดได้จาก|เป็นสารสำคัญ(?:ใน|ของ)|เป็นส่วนประกอบ(?:ใน|ของ)|เป็นตัวยาใน",
        _each("found,present,detected,occurs?", " in"),
        _each("constituents?,compounds?,components?,ingredients?,principles?", " (?:of|in|from)|isolated from"),
    ),
    ("contraindicated", "either"): (
        "ห้าม(?:ใช้|รับประทาน|กิน|ดื่ม|ทา|ให้)?|ไม่ควร(?:ใช้|รับประทาน|กิน|ดื่ม|ทา|ให้|ได้รับ)|หลีกเลี่ยง(?:การ(?:ใช้|รับประทาน|กิน))?|"
        "งดใช้|งดการใช้|ไม่ปลอดภัย|ไม่แนะนำ(?:ให้)?(?:ใช้|รับประทาน|กิน)?",
        "contraindicat(?:ed|ions?)|contra-indicat(?:ed|ions?)|avoid(?:ed|s|ing)?|not (?:be )?(?:recommended|advised)|"
        "unsafe|not safe",
        _each("should not,must not,may not,can ?not", f" {_TAKEN}"),
        _each("do not,don't,never", " (?:use|take|give|combine)"),
    ),
    ("precaution", "either"): (
        "ระวัง|ระมัดระวัง|ข้อควรระวัง|ความระมัดระวัง",
        "caution(?:s|ed)?|cautiously|precautions?|careful(?:ly)?",
    ),
    ("interacts", "either"): (
        "ปฏิกิริยา(?:ระหว่างยา)?|อันตรกิริยา|มีผลต่อ|ส่งผลต่อ|ตีกัน(?:กับ)?|ตีกับ",
        _each(
            "เสริม,เพิ่ม,ลด,ต้าน,ยับยั้ง,รบกวน",
            "(?:การออก|ระดับการออก)?(?:ฤทธิ์|ประสิทธิภาพ|ระดับ|ความเข้มข้น|การดูดซึม|เมแทบอลิซึม|พิษ)",
        ),
        _each("ความเสี่ยง,เลือดออก,น้ำตาลในเลือดต่ำ", f"[{THAI} ]{{0,40}}?ร่วมกับ"),
        "interact(?:s|ed|ing|ions?)?|affects?|effects? on|potentiat(?:es?|ing|ed)",
        _each("risk,bleeding,toxicity,hypoglyc", r"\w*(?: \w+){0,7}? (?:together |combined |concomitantly )?with"),
        _each("increas,enhanc,decreas,reduc,lower,rais,inhibit,alter,augment", _SHORN + _MEASURE),
    ),
    ("safe", "either"): (
        "(?<!ไม่)ปลอดภัย|ใช้ได้|สามารถใช้(?:ได้)?|รับประทานได้|ไม่มีข้อห้าม|ไม่ห้าม",
        "(?<!not )safe(?:ly)?|can be (?:safely )?(?:used|taken|given|combined)|may be (?:used|taken)|"
        "no (?:known )?contraindications?",
    ),
}
# A Latin cue is a whole word; Thai words stand close together.
_PATTERNS = tuple(
    (re.compile(rf"(?:{'|'.join(some)})(?![a-z0-9])"), claim, order) for (claim, order), some in _CUES.items()
)
_BEGINNING = re.compile(rf"(?:\(\?<![^)]*\))*([{THAI}a-z' ]{{2,}})([?])?")

_DENIAL = re.compile(
    "ไม่(?!เกิน|น้อยกว่า|ต่ำกว่า|มากกว่า|พึงประสงค์|ว่า|เพียง|ควร|ปลอดภัย|หลับ|ย่อย|สบาย|ติดเชื้อ|ปกติ|สม่ำเสมอ|ทราบสาเหตุ|ดีขึ้น|มีข้อห้าม|ห้าม)|มิได้|ยังไม่|"
    "ปราศจาก|ไร้|เข้าใจผิด|เป็นเท็จ|ไม่เป็นความจริง|ล้มเหลว|"
    r"\b(?:not|no|never|neither|nor|without|lacks?|lacking|cannot|can't|don't|doesn't|didn't|isn't|aren't|wasn't|"
    r"weren't|hasn't|failed|fails|myth|false|untrue|unlikely|ineffective|free (?:of|from)|instead of|rather than|"
    r"unproven|disproved)\b"
)
_HEDGE = re.compile(
    "อาจ|น่าจะ|คาดว่า|มีแนวโน้ม|เชื่อว่า|เชื่อกันว่า|เป็นไปได้|ดูเหมือน|เบื้องต้น|หลอดทดลอง|สัตว์ทดลอง|ในหนู|"
    r"\b(?:may|might|could|suggest(?:s|ed|ing)?|possibl[ey]|potential(?:ly)?|probabl[ey]|likely|appears?|seems?|thought|"
    r"believed|preliminary|in vitro|in vivo|animal|mice|mouse|rats?|hypothesi[sz]ed|purported(?:ly)?|claimed|"
    r"reportedly)\b"
)
_CONDITION = re.compile(r"หาก|ถ้า|\bif\b")
# Behind what is stated: "does not hold", "is not so".
_DENIED_BEHIND = re.compile(
    r"\s?(?:นั้น|ได้)?\s?(?:ไม่ได้|ไม่จริง|ไม่เป็น|ยังไม่|ไม่มีหลักฐาน)|"
    r"\s(?:is|was|are|were|has|have|remains?)\s(?:been\s)?(?:not|never|unproven|unsupported|a myth|false)\b"
)
_FORBIDDEN = re.compile(r"ห้าม|ไม่ควร|หลีกเลี่ยง|\b(?:avoid\w*|contra-?indicat\w+)")
_QUESTION = re.compile(r"[?？]|(?:หรือไม่|ไหม|มั้ย|หรือเปล่า)\s*$")


@dataclass(frozen=True, slots=True)
class Cue:
    start: int
    end: int
    claim: Claim
    order: Order


def cues(form: str) -> Iterator[Cue]:
    """In the order of the text; of two that begin alike the longer one."""
    end = 0
    for start in sorted({start for _, start, _ in _finder().find_matches_as_indexes(form, overlapping=True)}):
        if start >= end and not (start and _is_latin(form[start - 1]) and _is_latin(form[start])):
            matches = [
                (found.end(), at) for at, (one, _, _) in enumerate(_PATTERNS) if (found := one.match(form, start))
            ]
            if matches:
                end, at = max(matches)
                yield Cue(start, end, *_PATTERNS[at][1:])


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


@cache
def _finder() -> AhoCorasick:
    """Finds where a cue may begin."""
    from ahocorasick_rs import AhoCorasick

    return AhoCorasick(sorted({start for some in _CUES.values() for one in some for start in _beginnings(one)}))


def _beginnings(pattern: str) -> Iterator[str]:
    """The letters that the alternatives of a pattern begin with; one that may be left out is none of them."""
    for one in _alternatives(pattern):
        found = _BEGINNING.match(one)
        if found is None:
            raise ValueError(f"a cue has to begin with letters: {one}")
        yield found[1][:-1] if found[2] == "?" else found[1]


def _alternatives(pattern: str) -> Iterator[str]:
    """The parts between bars that stand outside of brackets."""
    depth = start = 0
    for at, sign in enumerate(pattern):
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            yield pattern[start:at]
            start = at + 1
    yield pattern[start:]


def denials(form: str, start: int, end: int) -> Iterator[re.Match[str]]:
    return _DENIAL.finditer(form, start, end)


def is_denied_behind(form: str, place: int) -> bool:
    return _DENIED_BEHIND.match(form, place) is not None


def is_forbidden(form: str, start: int, end: int) -> bool:
    return _FORBIDDEN.search(form, start, end) is not None


def is_hedged(form: str, start: int, end: int) -> bool:
    return _HEDGE.search(form, start, end) is not None


def is_conditional(form: str, start: int, end: int) -> bool:
    return _CONDITION.search(form, start, end) is not None


def is_asked(form: str, start: int, end: int) -> bool:
    return _QUESTION.search(form[start:end].strip()) is not None
