"""The words that say how a sentence is meant: denied, doubted, asked, planned, caused, ordered, said by somebody."""

from __future__ import annotations

from sanya.suites.memory.word_lists import phrases, word_set

NEGATIONS = word_set(
    """not never no cannot can't won't didn't doesn't don't isn't wasn't aren't weren't hasn't haven't hadn't
    couldn't wouldn't shouldn't neither nor without none nobody nothing didnt doesnt dont isnt wasnt failed
    refused ไม่ มิ มิได้ หาไม่ ไม่ได้ ไม่เคย ไม่มี ไม่ใช่ มิใช่ ยังไม่ ไร้ ปราศจาก"""
)
# Words of a negation that say nothing else.
NEGATION_PARTS = word_set("did does do has have had ever yet any longer ได้ เคย ยัง เลย อีกต่อไป อีก ใช่")
ALWAYS_NEGATED = frozenset(("never", "ไม่เคย"))
NOT_YET = frozenset(("yet", "ยังไม่"))
NO_LONGER = ("no longer", "not any longer", "not anymore", "any more", "ไม่อีกต่อไป", "อีกต่อไป")

HEDGES = word_set(
    """may might could perhaps maybe possibly probably likely allegedly reportedly apparently seemingly supposedly
    rumoured rumored suspected presumably unlikely seems seem appears appear suggests suggest think thinks
    believe believes guess unclear unconfirmed should would hopes hope feels expected reckon estimate estimated
    doubt doubts อาจ อาจจะ คง คงจะ น่าจะ คาดว่า เชื่อว่า สงสัย ดูเหมือน ดูเหมือนว่า ราวกับ คาด เห็นว่า คิดว่า เข้าใจว่า ลือ
    เป็นไปได้ว่า"""
)
PLANS = word_set(
    """will plan plans planned going intend intends intended wants want scheduled target targets aims aim hoping
    propose proposes proposed let's lets shall จะ วางแผน ตั้งใจ เตรียม กำหนดจะ ต้องการ อยาก เสนอ"""
)
CONDITIONS = word_set("if unless whether suppose assuming provided ถ้า หาก หากว่า ถ้าหาก สมมติ สมมุติ เว้นแต่ แม้")
QUESTIONS = word_set("""who what when where why how which whose ไหม หรือไม่ หรือเปล่า ใคร อะไร เมื่อไร เมื่อไหร่ ทำไม อย่างไร""")
FORMER = word_set("former formerly previously once used ex-employee อดีต เคย ก่อนหน้านี้ แต่ก่อน")

# Between an effect and its cause, or a cause and its effect. Longest first when they are sought.
CAUSE_BEHIND = phrases(
    """because of|because|due to|owing to|as a result of|caused by|triggered by|resulted from|results from
    thanks to|on account of|brought about by|was caused by|were caused by|เนื่องมาจาก|เนื่องจาก|เพราะว่า|เพราะ
    เป็นผลมาจาก|เป็นผลจาก|มีสาเหตุมาจาก|สืบเนื่องจาก|ด้วยเหตุที่|เกิดจาก"""
)
EFFECT_BEHIND = phrases(
    """led to|leads to|lead to|resulted in|results in|resulting in|leading to|caused|causes|causing|triggered
    triggers|triggering|brought about|gave rise to|gives rise to|therefore|as a result|consequently|which is why
    that is why|provoked|forced|ส่งผลให้|ทำให้เกิด|ทำให้|ก่อให้เกิด|เป็นเหตุให้|จนทำให้|นำไปสู่|เป็นสาเหตุของ|ดังนั้น|จึงทำให้|จึง"""
)
LATER_BEHIND = ("before", "prior to", "followed by", "ก่อนที่จะ", "ก่อนที่", "ก่อน")
EARLIER_BEHIND = ("after", "following", "ภายหลังจาก", "หลังจากที่", "หลังจาก", "ภายหลัง")

# Who says so: "X reports that …", "… according to X".
REPORTING = phrases(
    """reports|reported|confirms|confirmed|says|said|states|stated|shows|showed|indicates|indicated|announced
    announces|claims|claimed|notes|noted|records|recorded|lists|listed|testified|wrote|told|verified|verifies
    รายงานว่า|ยืนยันว่า|ระบุว่า|กล่าวว่า|แถลงว่า|บอกว่า|ประกาศว่า|เผยว่า|เปิดเผยว่า|อ้างว่า|แจ้งว่า|ให้การว่า|บันทึกว่า|พบว่า"""
)
DENYING = ("denies", "denied", "deny", "disputes", "disputed", "refutes", "refuted", "ปฏิเสธว่า", "โต้แย้งว่า")
DOUBTING = frozenset(("claims", "claimed", "อ้างว่า"))
ACCORDING = phrases(
    """according to|as reported by|as stated by|as stated in|based on|citing|as per|derived from|อ้างอิงจาก|อ้างจาก
    อ้างอิง|ตามรายงานของ|ตามข้อมูลจาก|ตามข้อมูลของ|จากรายงานของ|ตามบันทึกของ|ตามที่ระบุใน|ตามคำให้การของ"""
)
DERIVING = frozenset(("based on", "derived from", "อ้างอิงจาก", "อ้างอิง"))
