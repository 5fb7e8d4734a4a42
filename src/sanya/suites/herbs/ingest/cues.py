"""The words by which a statement is recognised, in Thai and in English, and those that take it back or weaken it.

They are looked for in the search form of a page, all at once: a page has few of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from sanya.text.characters import THAI

Claim = Literal["treats", "contains", "contraindicated", "precaution", "interacts", "safe"]
Order = Literal["forward", "backward", "either"]
"""Whether the subject stands before the cue and the object behind it, the other way round, or anyhow."""

_CUES: dict[tuple[Claim, Order], tuple[str, str]] = {
    ("treats", "forward"): (
        "(?<!เก็บ)(?<!การดูแล)รักษา|บรรเทา|แก้(?!ว|ม)|ลดอาการ|ทุเลา|ใช้สำหรับ|ข้อบ่งใช้|สรรพคุณ|บำบัด|ได้ผลดี(?:ใน|กับ)|ช่วยเรื่อง",
        r"(?:uses?|indications?)(?=\s?:)|treats?|treating|treatment (?:of|for)|"
        r"used (?:\w+ ){0,3}?(?:for|against|to (?:treat|relieve|alleviate|manage|"
        r"ease|soothe))|indicated (?:for|in)|reliev(?:e[sd]?|ing)|alleviat(?:e[sd]?|ing)|eas(?:es|ing)|soothes?|"
        r"remedy (?:for|against)|(?:effective|beneficial|useful|efficacious) (?:for|in|against)|"
        r"help(?:s|ed)? (?:with|to (?:relieve|treat|ease)|relieve|treat|ease)|"
        r"reduce[sd]?(?: the)?(?: symptoms? of| severity of)?",
    ),
    ("treats", "backward"): (
        "(?:รักษา|บรรเทา)(?:ได้)?(?:ด้วย|โดย)",
        r"(?:treated|relieved|alleviated|managed) (?:with|by|using)",
    ),
    ("contains", "forward"): (
        "ประกอบ(?:ไป)?ด้วย|มีส่วนประกอบ|มีส่วนผสม|มีตัวยา|ตัวยาสำคัญ|พบสาร|มีสาร|อุดม(?:ไป)?ด้วย|มีองค์ประกอบ",
        r"contain(?:s|ing|ed)?|rich in|consist(?:s|ing)? of|composed of|compris(?:es?|ing)|made (?:of|from)",
    ),
    ("contains", "either"): (
        "สารสำคัญ|สารออกฤทธิ์|ส่วนประกอบ|ตัวยา|องค์ประกอบทางเคมี",
        r"(?:(?:active|main|major|chemical) )?(?:constituents|compounds|components|ingredients)(?: of \w+(?: \w+)?)? "
        r"(?:are|include|is)",
    ),
    ("contains", "backward"): (
        "พบ(?:มาก|ได้|เฉพาะ)?ใน|แยกได้จาก|สกัดได้จาก|เป็นสารสำคัญ(?:ใน|ของ)|เป็นส่วนประกอบ(?:ใน|ของ)|เป็นตัวยาใน",
        r"(?:found|present|detected|occurs?) in|isolated from|"
        r"(?:constituents?|compounds?|components?|ingredients?|principles?) (?:of|in|from)",
    ),
    ("contraindicated", "either"): (
        "ห้าม(?:ใช้|รับประทาน|กิน|ดื่ม|ทา|ให้)?|ไม่ควร(?:ใช้|รับประทาน|กิน|ดื่ม|ทา|ให้|ได้รับ)|(?:ควร)?หลีกเลี่ยง(?:การ(?:ใช้|รับประทาน|กิน))?|"
        "งดใช้|งดการใช้|ไม่ปลอดภัย",
        r"contra-?indicat(?:ed|ions?)|(?:should|must|may|can) ?not (?:be )?(?:used?|taken?|given|administered|"
        r"consumed?|combined?)|(?:should )?(?:be )?avoid(?:ed|s|ing)?|not (?:be )?(?:recommended|advised)|"
        r"unsafe|not safe|(?:do not|don't|never) (?:use|take|give|combine)",
    ),
    ("precaution", "either"): (
        "(?:ควร|พึง|ต้อง)?(?:ระมัด)?ระวัง|ข้อควรระวัง|(?:ด้วย)?ความระมัดระวัง",
        r"(?:with )?caution(?:s|ed)?|cautiously|precautions?|careful(?:ly)?",
    ),
    ("interacts", "either"): (
        "ปฏิกิริยา(?:ระหว่างยา)?|อันตรกิริยา|มีผลต่อ|ส่งผลต่อ|ตีกัน(?:กับ)?|ตีกับ|"
        "(?:เสริม|เพิ่ม|ลด|ต้าน|ยับยั้ง|รบกวน)(?:การออก|ระดับการออก)?(?:ฤทธิ์|ประสิทธิภาพ|ระดับ|ความเข้มข้น|การดูดซึม|เมแทบอลิซึม|พิษ)|"
        f"(?:ความเสี่ยง|เลือดออก|น้ำตาลในเลือดต่ำ)[{THAI} ]{{0,40}}?ร่วมกับ",
        r"(?:risk|bleeding|toxicity|hypoglyc\w+)(?: \w+){0,7}? (?:together |combined |concomitantly )?with|"
        r"interact(?:s|ed|ing|ions?)?|affects?|effects? on|potentiat(?:es?|ing|ed)|"
        r"(?:increas|enhanc|decreas|reduc|lower|rais|inhibit|alter|augment)(?:es?|ed|ing|s)? (?:the )?(?:\w+ ){0,2}?"
        r"(?:effects?|levels?|concentrations?|metabolism|activity|absorption|clearance|bioavailability|action|exposure)",
    ),
    ("safe", "either"): (
        "(?<!ไม่)ปลอดภัย|ใช้ได้|สามารถใช้(?:ได้)?|รับประทานได้|ไม่มีข้อห้าม|ไม่ห้าม",
        r"(?<!not )(?<!un)safe(?:ly)?|can be (?:safely )?(?:used|taken|given|combined)|"
        r"no (?:known )?contraindications?|may be (?:used|taken)",
    ),
}
_GROUPS = tuple(_CUES)
_ANY = re.compile(
    "|".join(rf"(?P<c{at}>{thai}|\b(?:{english})\b)" for at, (thai, english) in enumerate(_CUES.values()))
)
# The longer of two cues that begin alike: backward forms go before forward ones.
_BACKWARD = re.compile(
    "|".join(
        rf"(?P<c{at}>{thai}|\b(?:{english})\b)"
        for at, ((_, order), (thai, english)) in enumerate(_CUES.items())
        if order == "backward"
    )
)

_DENIAL = re.compile(
    "ไม่(?!เกิน|น้อยกว่า|ต่ำกว่า|มากกว่า|พึงประสงค์|ว่า|เพียง|ควร|ปลอดภัย|หลับ|ย่อย|สบาย|ติดเชื้อ|ปกติ|สม่ำเสมอ|ทราบสาเหตุ|ดีขึ้น|มีข้อห้าม|ห้าม)|มิได้|ยังไม่|"
    "ปราศจาก|ไร้|เข้าใจผิด|เป็นเท็จ|ไม่เป็นความจริง|ล้มเหลว|"
    r"\b(?:not|no|never|neither|nor|without|lacks?|lacking|cannot|can't|don't|doesn't|didn't|isn't|aren't|wasn't|"
    r"weren't|hasn't|failed|fails|myth|false|untrue|unlikely|ineffective|free (?:of|from)|instead of|rather than|"
    r"unproven|disproved)\b"
)
_HEDGE = re.compile(
    "อาจ|น่าจะ|คาดว่า|มีแนวโน้ม|เชื่อว่า|เชื่อกันว่า|เป็นไปได้|ดูเหมือน|เบื้องต้น|หลอดทดลอง|สัตว์ทดลอง|ในหนู|หาก|ถ้า|"
    r"\b(?:may|might|could|suggest(?:s|ed|ing)?|possibl[ey]|potential(?:ly)?|probabl[ey]|likely|appears?|seems?|thought|"
    r"believed|preliminary|in vitro|in vivo|animal|mice|mouse|rats?|hypothesi[sz]ed|if|purported(?:ly)?|claimed|"
    r"reportedly)\b"
)
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
    end = 0
    backward = {match.start(): match for match in _BACKWARD.finditer(form)}
    for match in _ANY.finditer(form):
        if match.start() < end:
            continue
        match = backward.get(match.start(), match)
        claim, order = _GROUPS[int((match.lastgroup or "c0")[1:])]
        end = match.end()
        yield Cue(match.start(), end, claim, order)


def denials(form: str, start: int, end: int) -> Iterator[re.Match[str]]:
    return _DENIAL.finditer(form, start, end)


def is_denied_behind(form: str, place: int) -> bool:
    return _DENIED_BEHIND.match(form, place) is not None


def is_forbidden(form: str, start: int, end: int) -> bool:
    return _FORBIDDEN.search(form, start, end) is not None


def is_hedged(form: str, start: int, end: int) -> bool:
    return _HEDGE.search(form, start, end) is not None


def is_asked(form: str, start: int, end: int) -> bool:
    return _QUESTION.search(form[start:end].strip()) is not None
