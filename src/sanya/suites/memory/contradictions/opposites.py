"""Words that exclude each other, verbs that undo each other, roles that one alone can have: what makes values clash."""

from __future__ import annotations

from sanya.suites.memory.word_lists import phrases, word_list, word_set
from sanya.text.english import stem

_GROUPS = phrases(
    """open closed shut|alive dead|true false|guilty innocent|married single divorced widowed|male female|on off
    online offline|approved rejected denied|confirmed unconfirmed|successful unsuccessful|safe unsafe dangerous
    empty full|present absent|legal illegal|positive negative|available unavailable|active inactive
    complete incomplete|valid invalid|hot cold
    red blue green yellow black white orange purple brown pink grey gray|vegetarian carnivore
    left-handed right-handed|pregnant childless|enabled disabled|locked unlocked|healthy sick ill|sunny rainy
    clear cloudy|possible impossible|profitable unprofitable loss-making|deaf hearing|free occupied
    public private secret|working broken|เปิด ปิด|จริง เท็จ|เป็น ตาย|โสด สมรส หย่า|ชาย หญิง|แดง เขียว น้ำเงิน เหลือง ดำ ขาว
    สำเร็จ ล้มเหลว|ว่าง เต็ม|บวก ลบ|ปลอดภัย อันตราย|ร้อน เย็น หนาว"""
)
_VERBS = phrases("approve reject|win lose|accept reject|increase decrease|survive die|open close|pass fail")
_ROLES = word_list(
    """ceo cfo cto president chairman chairwoman chair director king queen capital prime minister governor mayor
    captain manager head leader owner author winner mother father wife husband principal dean treasurer
    secretary landlord editor coach ประธาน ผู้อำนวยการ เมืองหลวง นายกรัฐมนตรี หัวหน้า เจ้าของ ผู้แต่ง แม่ พ่อ มารดา บิดา ภรรยา
    สามี ผู้ว่าราชการจังหวัด ผู้จัดการ อธิการบดี ประธานาธิบดี ซีอีโอ ประธานบริษัท กรรมการผู้จัดการ"""
)
# Roles whose holder does not change.
_LASTING = "mother father author winner มารดา บิดา แม่ พ่อ ผู้แต่ง"

EXCLUSIVE: dict[str, frozenset[int]] = {}
for _number, _group in enumerate(_GROUPS):
    for _word in _group.split():
        EXCLUSIVE[stem(_word)] = EXCLUSIVE.get(stem(_word), frozenset()) | {_number}
OPPOSITE_VERBS = frozenset(frozenset(pair.split()) for pair in _VERBS)
ROLES = frozenset(stem(word) for word in _ROLES)
LASTING_ROLES = frozenset(stem(word) for word in _LASTING.split())

# Happens once to one subject, so that two days of it clash; what comes again (flights, meetings) does not.
ONLY_ONCE = word_set(
    """born die found build invent discover publish launch graduate retire happen begin end sign approve open close
    acquire"""
)
_COMES_AGAIN = word_list(
    """meeting meetings flight flights shift class lesson train bus call service match game session show market
    markets shop store school office ประชุม การประชุม เที่ยวบิน คาบ รถไฟ รถ เรียน ตลาด ร้าน สำนักงาน"""
)
COMES_AGAIN = frozenset(map(stem, _COMES_AGAIN))
# What only the living do themselves.
DONE_ALIVE = word_set(
    """go meet attend stay sign buy sell marry call join speak work live resign visit graduate win drive teach
    study vote"""
)
# How many or how much of it there is, is one number at one time.
MEASURED = word_set("have cost weigh measure total be pay last score employ produce increase decrease age kill")
_MEASURES = word_list(
    "long wide tall high deep old heavy thick away large big far total worth wind ยาว กว้าง สูง ลึก หนัก ไกล"
)
MEASURES = frozenset(map(stem, _MEASURES))
# Verbs that can clash are compared with each other: one name for each family of them.
VERB_FAMILY = {
    verb: family.split()[0]
    for family in (
        "approve reject accept",
        "win lose",
        "increase decrease",
        "survive die",
        "open close",
        "pass fail",
        "begin end",
    )
    for verb in family.split()
}


def exclude_each_other(one: str, other: str) -> bool:
    return one != other and bool(EXCLUSIVE.get(one, frozenset()) & EXCLUSIVE.get(other, frozenset()))
