"""Whom and what a text names: people with their titles, organisations, places, flights, documents and other things."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from sanya.suites.memory.parsing.cues import HEDGES, NEGATIONS, PLANS
from sanya.suites.memory.parsing.given_names import GIVEN_NAMES, THAI_GIVEN_NAMES, names_behind_titles
from sanya.suites.memory.parsing.places import THAI_PLACE_HEADS, place_of
from sanya.suites.memory.parsing.tokens import Word, words_of
from sanya.suites.memory.parsing.verbs import THAI_VERBS
from sanya.suites.memory.word_lists import word_list, word_set
from sanya.text.characters import THAI, has_thai
from sanya.text.dates import ENGLISH_MONTHS
from sanya.text.spans import Span

Kind = Literal["person", "organisation", "place", "artifact", "thing"]

TITLES = word_list(
    """Dr Mr Mrs Ms Miss Prof Professor Sir Dame Lord Lady Capt Captain Gen General Col Colonel Lt Sgt Rev
    President Minister Senator Judge Officer Doctor"""
)
THAI_TITLES = word_list(
    """นายแพทย์ แพทย์หญิง นางสาว น.ส. นาย นาง ศ.ดร. รศ.ดร. ผศ.ดร. ดร. ศ. รศ. ผศ. คุณ ด.ช. ด.ญ. เด็กชาย เด็กหญิง พล.อ. พล.ต.อ.
    พล.ต.ต. พล.ต.ท. พ.ต.อ. พ.ต.ท. พ.ต.ต. ร.ต.อ. ร.ต.ท. นพ. พญ. หมอ อาจารย์ อ. ทพ. ม.ล. ม.ร.ว."""
)


class Mention(NamedTuple):
    span: Span
    kind: Kind
    name: str
    """As written, without the title."""
    title: str | None = None


_ORGANISATION_END = word_set(
    """Ltd Limited Inc Incorporated Corp Corporation Company Co LLC PLC GmbH University College Institute Ministry
    Department Bank Group Agency Commission Committee Association Foundation Hospital Airlines Airways Bureau
    Council Court Party Police Authority School Team Union Press Society Office"""
)
_PLACE_WORD = word_set(
    """City County Province District Island Islands River Lake Street Road Avenue Airport Beach Park Valley Bay"""
)
_PLACE_HEAD = word_set("St Saint Mount Lake Port Fort San Santa Los Las")
_NOT_NAMES = word_set(
    """The A An This That These Those It He She They We I You His Her Their Our My Your In On At By For From To Of
    And Or But If When While After Before Because According Based Since Until As So Then Also However Therefore
    Meanwhile There Here What Who Where Why How Which All No Not Every Each Some Many Most Any Both Either
    Neither Nobody Yes Let Monday Tuesday Wednesday Thursday Friday Saturday Sunday Irrelevant Background Note
    Unnamed Due Following Only Today Yesterday Tomorrow Last Next Another Other One Two Three Four Five During
    With Without About Read Hey Wow Thanks Good Great I'm I've It's That's Let's I'd I'll Hi Hello Yeah Yep Yes
    Awesome Even Just Remember OK Ok Okay Oh Sure Sounds Glad Nice Cool Absolutely Definitely Congrats
    Congratulations Sorry Please Really Well Tues Mon Wed Thurs Fri Sat Sun Ah Haha Lol Totally Exactly Honestly
    Bye Dear Happy Super Such Very Much More Less Never Always Maybe Perhaps Can Could Would Should Will Do Did
    Does Have Has Had Is Are Was Were Be Been Looking Looks Take Keep Got Get Go Going Not"""
) | frozenset(ENGLISH_MONTHS)
_CAPITAL = r"[A-Z][^\W\d_]*(?:['’-][A-Z]?[^\W\d_]+)*"
_CAPITALISED = re.compile(
    rf"(?:(?:St|Mt|Ft)\.\s|(?<![\w.])(?:Ministry|Department|University|Bank|Institute) of (?:the )?)?"
    rf"(?<![\w.]){_CAPITAL}"
    rf"(?:\s[A-Z]\.(?=\s[A-Z])|\s(?:(?:de|da|van|von|bin|al|du|la)\s){{0,2}}{_CAPITAL}){{0,6}}"
)
_TITLE = re.compile(rf"\b(?:{'|'.join(TITLES)})\.?\s$")
_CODE = re.compile(
    r"(?<![\w-])(?:[A-Z]{1,5}-?\d{2,8}[A-Z]?|[A-Z]{2,6}(?:-\d{2,6}){1,3}|(?:INV|PO|DOC|REF|ID|No)[.#:-]?\s?\d[\w-]{1,20})(?![\w-])"
)
_ACRONYM = re.compile(r"(?<![\w.-])[A-Z]{2,6}(?![\w-])")
_THAI_RUN = re.compile(f"[{THAI}]+")
_THAI_ORGANISATION = re.compile(
    rf"บริษัท\s?[{THAI}A-Za-z0-9]+(?:\s[{THAI}A-Za-z0-9]+){{0,3}}?\s?จำกัด(?:\s?\(มหาชน\))?|ห้างหุ้นส่วนจำกัด\s?[{THAI}]+"
)
_THAI_ORGANISATION_HEAD = word_list("""บริษัท กระทรวง มหาวิทยาลัย โรงพยาบาล ธนาคาร กรม สำนักงาน โรงเรียน สมาคม มูลนิธิ พรรค""")
_STOP = (
    NEGATIONS
    | HEDGES
    | PLANS
    | {
        "เพราะ",
        "และ",
        "หรือ",
        "กับ",
        "ที่",
        "ซึ่ง",
        "ได้",
        "ถูก",
        "ใน",
        "จาก",
        "โดย",
        "ว่า",
        "เมื่อ",
        "ยัง",
        "เคย",
        "ของ",
        "ต่อ",
        "ประกาศ",
        "รายงาน",
        "ยืนยัน",
        "ระบุ",
        "กล่าว",
        "แถลง",
        "ปฏิเสธ",
        "เปิดเผย",
        "บอก",
        "อ้าง",
        "แจ้ง",
        "ให้การ",
        "บันทึก",
    }
)


# Words that go on with a sentence: behind a name, not in one. Verbs that claims are read from are known beside them.
_GOES_ON = word_set(
    """ดูแล ปลูก วิจัย ตรวจ ตรวจสอบ ทำ ทำนาย ทำให้ ขึ้น เตือน แนะนำ สั่ง สั่งซื้อ สั่งให้ ชี้ เสนอ จัดการ จัดทำ ดำเนินการ รับผิดชอบ บริหาร
    ผลิต พัฒนาระบบ ออกแบบ ทดลอง ทดสอบ ผสม ปรุง ต้ม เก็บ เก็บเกี่ยว ขอ ขอให้ ถาม ตอบ คุย โทรหา ส่งเสริม สนับสนุน ร่วม ร่วมกับ นำ พา
    ย้าย เดิน วิ่ง ขับ นั่ง นอน ตื่น หลับ อ่าน ฟัง ดู มอง เห็น รู้ รู้จัก จำ ลืม คิด รัก เกลียด กลัว กังวล ป่วย หาย แพ้ยา ผ่าตัด ฉีด จ่ายยา แพ้ ดื่ม สูบ
    เลิก หยุด อนุญาต ห้าม ประเมิน สรุป วิเคราะห์ ติดตาม เยี่ยม ต้อนรับ เชิญ นัด เลื่อน มอบ มอบหมาย แต่งตั้ง เลือก เลือกตั้ง สมัคร ลงทุน กู้ ยืม
    คืน เช่า ด้วย แล้ว ก็ จึง คน เพื่อ ตาม หลัง ก่อน ระหว่าง เกี่ยวกับ อีก ทุก แต่ ถึง เพิ่ง กำลัง ต้อง ควร สามารถ"""
)


def find_mentions(text: str) -> list[Mention]:
    """In the order of the text, none inside another."""
    found: list[Mention] = []
    for finder in (_codes, _thai_titled, _thai_organisations, _thai_places, _thai_given, _capitalised, _acronyms):
        for one in sorted(finder(text), key=_longest_first):
            if one.name and not _covered(one.span, found):
                found.append(one)
    return sorted(found)


def _longest_first(mention: Mention) -> tuple[int, int]:
    return (mention.span.start - mention.span.end, mention.span.start)


def _covered(span: Span, taken: list[Mention]) -> bool:
    return any(span.start < other.span.end and other.span.start < span.end for other in taken)


def _codes(text: str) -> list[Mention]:
    return [Mention(Span(*match.span()), "artifact", match[0]) for match in _CODE.finditer(text)]


def _acronyms(text: str) -> list[Mention]:
    return [
        Mention(Span(*match.span()), "thing", match[0])
        for match in _ACRONYM.finditer(text)
        if match[0] not in ("BE", "AD", "CE", "OK")
    ]


def _capitalised(text: str) -> list[Mention]:
    found = []
    for match in _CAPITALISED.finditer(text):
        span = _trimmed(text, match)
        if span is not None:
            mention = _classified(text, span)
            # One capital letter at the beginning is no name's alone.
            if mention.kind != "thing" or " " in mention.name or _inside(text, span.start):
                found.append(mention)
    return found


def _inside(text: str, place: int) -> bool:
    before = text[:place].rstrip()
    return bool(before) and before[-1] not in '.!?:;\n|[("“'


def _trimmed(text: str, match: re.Match[str]) -> Span | None:
    """The run without words that are capitalised only because a sentence begins, and without titles."""
    start, end = match.span()
    while True:
        word = re.match(r"[^\s]+\s?", text[start:end])
        if word is None:
            return None
        plain = word[0].strip().rstrip(".")
        if plain in _NOT_NAMES or plain in TITLES:
            start += word.end()
        else:
            break
    last = text[start:end].rsplit(" ", 1)[-1]
    if last in _NOT_NAMES:
        end -= len(last) + 1
    if text[start:end].endswith(("'s", "’s")):
        end -= 2
    return Span(start, end) if end - start > 1 else None


def _classified(text: str, span: Span) -> Mention:
    name = span.of(text)
    titled = _TITLE.search(text, max(0, span.start - 14), span.start)
    if titled:
        return Mention(Span(titled.start(), span.end), "person", name, titled[0].strip())
    words = name.replace(".", "").split()
    if words[-1] in _ORGANISATION_END or words[0] in ("Ministry", "Department", "University", "Bank"):
        return Mention(span, "organisation", name)
    if place_of(name) or words[0] in _PLACE_HEAD or words[-1] in _PLACE_WORD:
        return Mention(span, "place", name)
    if words[0].lower() in GIVEN_NAMES and len(words) <= 4:
        return Mention(span, "person", name)
    return Mention(span, "thing", name)


def _thai_titled(text: str) -> list[Mention]:
    found: list[Mention] = []
    if not has_thai(text):
        return found
    ends = {word.span.end for word in words_of(text)}
    for title in THAI_TITLES:
        place = text.find(title)
        while place >= 0:
            before = text[place - 1 : place]
            if "." not in title and place + len(title) not in ends:
                # The beginning of another word: quality (คุณภาพ) and employers (นายจ้าง) are nobody's names.
                place = text.find(title, place + len(title))
                continue
            name_end = _thai_name_end(text, place + len(title))
            span = Span(place, name_end)
            if not has_thai(before) and name_end > place + len(title) and not _covered(span, found):
                name = text[place + len(title) : name_end].strip()
                found.append(Mention(span, "person", name, title))
            place = text.find(title, place + len(title))
    return found


def _thai_name_end(text: str, start: int) -> int:
    """Where a Thai name behind a title ends: a given name and, behind a blank, a family name, up to the first verb."""
    end = start
    for part in (0, 1):
        begin = end + len(text[end : end + 2]) - len(text[end : end + 2].lstrip(" "))
        run = _THAI_RUN.match(text, begin)
        if run is None or (part and begin == end):
            return end
        taken = _name_part(run[0]) if part else _given_part(run[0])
        if not taken:
            return end
        end = begin + taken
        if taken < len(run[0]):
            return end
    return end


def _given_part(run: str) -> int:
    """How much of a run of Thai behind a title is a given name: one that is known and ends with a word."""
    known = names_behind_titles()
    words = words_of(run)
    ends = [word.span.end for word, behind in zip(words, [*words[1:], None], strict=True) if _stands_alone(behind)]
    return next((end for end in reversed(ends) if run[:end] in known), 0) or _name_part(run)


def _stands_alone(word: Word | None) -> bool:
    """Not a letter that the segmenter could not place: that belongs to the word before it."""
    return word is None or len(word.text) > 1


def _name_part(run: str) -> int:
    """How much of a run of Thai is a name: up to the first word that can only go on with the sentence."""
    length = 0
    for word in words_of(run):
        if (
            word.text in _STOP
            or (word.text in THAI_VERBS and len(word.text) > 2)
            or (length and (word.text in THAI_VERBS or word.text in _GOES_ON))
        ):
            break
        length = word.span.end
    return length


def _thai_organisations(text: str) -> list[Mention]:
    if not has_thai(text):
        return []
    found = [Mention(Span(*match.span()), "organisation", match[0]) for match in _THAI_ORGANISATION.finditer(text)]
    for run in _THAI_RUN.finditer(text):
        head = next((head for head in _THAI_ORGANISATION_HEAD if run[0].startswith(head)), None)
        if head:
            length = max(_name_part(run[0]), len(head))
            found.append(Mention(Span(run.start(), run.start() + length), "organisation", run[0][:length]))
    return found


def _thai_places(text: str) -> list[Mention]:
    if not has_thai(text):
        return []
    found = []
    for word in words_of(text):
        if word.is_thai and place_of(word.text) and word.text not in ("เลย", "น่าน", "ตาก", "แพร่", "นาน"):
            found.append(Mention(word.span, "place", word.text))
    return found + _headed_places(text)


def _headed_places(text: str) -> list[Mention]:
    found = []
    for match in re.finditer(rf"(?:{'|'.join(THAI_PLACE_HEADS)})([{THAI}]+)", text):
        length = _name_part(match[1])
        if length:
            found.append(Mention(Span(match.start(), match.start(1) + length), "place", match[1][:length]))
    return found


def _thai_given(text: str) -> list[Mention]:
    """A given name that begins a run of Thai needs no title."""
    if not has_thai(text):
        return []
    found = []
    for run in _THAI_RUN.finditer(text):
        name = next((name for name in THAI_GIVEN_NAMES if len(name) > 3 and run[0].startswith(name)), None)
        if name:
            end = run.start() + len(name)
            family = _thai_family_end(text, end) if end == run.end() else end
            found.append(Mention(Span(run.start(), family), "person", text[run.start() : family]))
    return found


def _thai_family_end(text: str, end: int) -> int:
    run = _THAI_RUN.match(text, end + 1) if text[end : end + 1] == " " else None
    taken = _name_part(run[0]) if run else 0
    return end + 1 + taken if run and taken == len(run[0]) else end
