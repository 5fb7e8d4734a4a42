"""The verbs that the reading knows, by the word they are compared as, and what kind of statement each makes."""

from __future__ import annotations

from typing import Literal

from sanya.suites.memory.word_lists import phrases, word_set
from sanya.text.english import stem

Kind = Literal["once", "state", "presence", "move", "copula", "other"]

_OTHERS = phrases(
    """buy:bought buys purchased purchases|sell:sold sells|meet:met meets|call:called calls|send:sent sends
    receive:received receives|make:made makes|give:gave gives given|take:takes taken|get:got gets
    see:saw sees seen|find:finds|write:wrote written writes|read:reads|eat:ate eats|drink:drank drinks
    join:joined joins|leave:left leaves|cause:caused causes|trigger:triggered triggers
    increase:increased increases rose rises grew grows|decrease:decreased decreases fell falls dropped drops
    change:changed changes|add:added adds|remove:removed removes|delay:delayed delays|fail:fails
    help:helped helps|agree:agreed agrees agree|attack:attacked attacks|hit:hits|damage:damaged damages
    destroy:destroyed destroys|steal:stole stolen steals|hire:hired hires|fire:fired fires
    investigate:investigated|arrest:arrested arrests|convict:convicted|accept:accepted accepts
    finance:financed finances|transfer:transferred transfers|deliver:delivered delivers|affect:affected affects
    contact:contacted contacts|play:played plays|study:studied studies|teach:taught teaches|ship:shipped ships
    deploy:deployed deploys|break:broke broken breaks|fix:fixed fixes|install:installed installs
    enter:entered enters|pass:passes|board:boarded boards|crash:crashed crashes|survive:survived survives
    respond:responded|complete:completes|attempt:attempted|receive:receives|drive:drives driven
    recover:recovered|treat:treated treats|prevent:prevented prevents|contain:contain|exist:exists exist existed
    happen:happens|witness:witnessed|bring:brought brings|order:ordered orders|test:tested tests|say:said says"""
)
# once: has one value for ever (birth, founding, this flight's departure). state: one value at a time, may change.
# presence: being somewhere. move: going somewhere. other: many values are fine (buying, meeting, saying).
_ENGLISH: dict[Kind, dict[str, str]] = {
    "once": {
        "born": "born",
        "die": "die dies died passed deceased",
        "found": "founded established incorporated",
        "depart": "depart departs departed departing",
        "arrive": "arrive arrives arrived",
        "land": "landed lands",
        "begin": "begin begins began begun start starts started commence commenced",
        "end": "end ends ended finish finishes finished conclude concluded",
        "sign": "sign signs signed",
        "open": "opens opened",
        "close": "closes closed",
        "happen": "happen happened occur occurred occurs took held",
        "launch": "launch launched launches",
        "publish": "publish published publishes",
        "build": "build built builds constructed completed",
        "win": "win wins won",
        "lose": "lose loses lost",
        "approve": "approve approved approves",
        "reject": "reject rejected rejects",
        "cancel": "cancel cancelled canceled",
        "pay": "pay paid pays",
        "cost": "cost costs",
        "weigh": "weigh weighs weighed",
        "measure": "measures measured",
        "total": "totalled totaled totals amounted",
        "graduate": "graduate graduated",
        "marry": "married marries",
        "retire": "retired retires",
        "resign": "resign resigned resigns",
        "kill": "killed kills",
        "invent": "invented",
        "discover": "discovered",
        "acquire": "acquire acquired acquires",
        "last": "lasted lasts",
        "score": "scored scores",
    },
    "state": {
        "have": "have has had contains contained includes included",
        "live": "live lives lived reside resides resided",
        "work": "work works worked employed",
        "own": "own owns owned",
        "lead": "leads headed heads chairs chaired",
        "run": "runs",
        "need": "need needs needed requires required",
        "use": "uses used using",
        "support": "supports supported",
        "allow": "allows allowed permits",
        "like": "like likes liked loves loved",
        "know": "knows knew",
        "belong": "belongs belonged",
        "employ": "employs",
        "produce": "produces produced",
        "speak": "speaks spoke",
        "hold": "holds",
        "manage": "manages managed",
    },
    "presence": {"stay": "stay stayed stays remained waited slept sitting attended attends attend"},
    "move": {
        "go": "go goes went gone travel travels traveled travelled visit visits visited fly flies flew flown "
        "drove sailed moved walked came come returned",
    },
    "copula": {"be": "is are was were be been being 's remains remained remain equals became become"},
    "other": {one.split(":")[0]: one.replace(":", " ") for one in _OTHERS},
}
_THAI: dict[Kind, dict[str, str]] = {
    "once": {
        "born": "เกิด",
        "die": "เสียชีวิต ตาย ถึงแก่กรรม",
        "found": "ก่อตั้ง จัดตั้ง",
        "depart": "ออกเดินทาง ออกจาก",
        "arrive": "มาถึง เดินทางถึง ถึง",
        "begin": "เริ่ม เริ่มต้น",
        "end": "สิ้นสุด จบ เสร็จสิ้น",
        "sign": "ลงนาม เซ็น",
        "open": "เปิด เปิดตัว",
        "close": "ปิด",
        "happen": "เกิดขึ้น จัดขึ้น จัด",
        "publish": "ตีพิมพ์ เผยแพร่",
        "build": "สร้าง",
        "win": "ชนะ",
        "lose": "แพ้",
        "approve": "อนุมัติ",
        "reject": "ปฏิเสธ",
        "cancel": "ยกเลิก",
        "pay": "จ่าย ชำระ",
        "cost": "ราคา มีราคา",
        "weigh": "หนัก น้ำหนัก",
        "marry": "แต่งงาน",
        "resign": "ลาออก",
        "retire": "เกษียณ",
        "age": "อายุ มีอายุ",
        "total": "รวม",
    },
    "state": {
        "have": "มี",
        "live": "อาศัย อาศัยอยู่ พัก",
        "work": "ทำงาน",
        "own": "เป็นเจ้าของ",
        "need": "ต้องการ",
        "use": "ใช้",
        "like": "ชอบ",
        "located": "ตั้งอยู่",
    },
    "presence": {"stay": "อยู่ พักอยู่"},
    "move": {"go": "ไป เดินทาง เดินทางไป เยือน บิน มา กลับ"},
    "copula": {"be": "เป็น คือ"},
    "other": {
        "buy": "ซื้อ",
        "sell": "ขาย",
        "meet": "พบ พบกับ เจอ",
        "call": "โทร โทรศัพท์",
        "send": "ส่ง",
        "receive": "รับ ได้รับ",
        "give": "ให้",
        "eat": "กิน รับประทาน",
        "write": "เขียน",
        "join": "เข้าร่วม",
        "increase": "เพิ่มขึ้น เพิ่ม",
        "decrease": "ลดลง ลด",
        "say": "พูด",
        "help": "ช่วย",
        "hire": "จ้าง",
        "arrest": "จับกุม จับ",
        "deliver": "ส่งมอบ",
        "delay": "ล่าช้า",
        "accept": "ยอมรับ",
        "study": "เรียน ศึกษา",
        "teach": "สอน",
        "damage": "เสียหาย",
        "find": "ค้นพบ",
        "transfer": "โอน",
        "treat": "รักษา",
        "survive": "รอดชีวิต",
        "attend": "ประชุม",
        "enter": "เข้า",
        "leave": "ออก",
    },
}

VERBS: dict[str, str] = {}
KINDS: dict[str, Kind] = {}
for _kind, _lemmas in _ENGLISH.items():
    for _lemma, _forms in _lemmas.items():
        for _form in (*_forms.split(), _lemma) if _kind == "copula" else _forms.split():
            VERBS.setdefault(_form, _lemma)
        KINDS.setdefault(_lemma, _kind)
THAI_VERBS: dict[str, str] = {}
for _kind, _lemmas in _THAI.items():
    for _lemma, _forms in _lemmas.items():
        for _form in _forms.split():
            THAI_VERBS.setdefault(_form, _lemma)
        KINDS.setdefault(_lemma, _kind)

AUXILIARIES = word_set(
    """do does did has have had will would can could should may might must shall is are was were be been"""
)
# The plain form counts as a verb only behind one of these: "did not travel", "to travel", "will start".
_STEMS = {stem(form): lemma for form, lemma in VERBS.items() if lemma != "be"}
_STEMS |= {stem(lemma): lemma for lemma in KINDS}
_NO_PAST = word_set(
    """need indeed hundred united bed red seed feed speed breed shed wed sacred hatred kindred naked limited"""
)


def verb_of(form: str) -> str | None:
    """The verb that an inflected English word is; None if it is none, or may well be a noun."""
    if form in VERBS:
        return VERBS[form]
    if form.endswith("ed") and len(form) > 4 and form not in _NO_PAST:
        return stem(form)
    return None


def plain_verb_of(form: str) -> str:
    """The verb that a word is where only a verb can stand."""
    return VERBS.get(form) or _STEMS.get(stem(form)) or stem(form)


def kind_of(verb: str) -> Kind:
    return KINDS.get(verb, "other")
