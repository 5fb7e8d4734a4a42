"""The gate: an answer that rests on too little is not given, and says what it would have needed."""

from __future__ import annotations

from typing import Literal

from sanya.suites.herbs.answers.contract import Withheld
from sanya.suites.herbs.questions.question import Asked

Test = Literal["citations", "answer_conf", "support"]
LEAST_CITATIONS = 3

_ADVICE: dict[str, dict[Test | Literal["elsewhere", "unrecorded"], str]] = {
    "en": {
        "citations": "Name the herb, formulation, drug or condition, or raise retrieval.top_k.",
        "answer_conf": "Name the herb or formulation and what you want to know of it: uses, warnings, drugs, contents.",
        "support": "The configured model wrote what its citations do not say; read the citations themselves.",
        "unrecorded": "No statement links what you named. That does not mean it is safe, or that it does not work.",
        "elsewhere": "Doses, prices and growing are not in the graph; ask for uses, warnings, contents or papers.",
    },
    "th": {
        "citations": "ระบุชื่อสมุนไพร ตำรับ ยา หรือโรคให้ชัดเจน หรือเพิ่ม retrieval.top_k",
        "answer_conf": "ระบุชื่อสมุนไพรหรือตำรับและสิ่งที่อยากรู้ เช่น ข้อบ่งใช้ ข้อควรระวัง ยาที่ตีกัน ส่วนประกอบ",
        "support": "แบบจำลองที่ตั้งไว้เขียนเกินกว่าที่แหล่งอ้างอิงบอก โปรดอ่านแหล่งอ้างอิงโดยตรง",
        "unrecorded": "ไม่พบข้อมูลที่เชื่อมโยงสิ่งที่ถาม ซึ่งไม่ได้แปลว่าปลอดภัยหรือไม่ได้ผล",
        "elsewhere": "กราฟนี้ไม่มีข้อมูลขนาดยา ราคา หรือการปลูก ถามเรื่องข้อบ่งใช้ ข้อควรระวัง ส่วนประกอบ หรืองานวิจัยได้",
    },
}


def failed_tests(citations: int, answer_conf: float, least_confidence: float) -> list[Test]:
    failed: list[Test] = []
    if citations < LEAST_CITATIONS:
        failed.append("citations")
    if answer_conf < least_confidence:
        failed.append("answer_conf")
    return failed


def withheld(
    tests: list[Test], citations: int, answer_conf: float, least_confidence: float, asked: Asked
) -> Withheld | None:
    if not tests:
        return None
    return Withheld(
        tests=tests,
        citations=citations,
        citations_needed=LEAST_CITATIONS,
        answer_conf=answer_conf,
        answer_conf_needed=least_confidence,
        advice=_advice(tests, asked),
    )


def _advice(tests: list[Test], asked: Asked) -> str:
    said = _ADVICE[asked.lang]
    if not asked.intents.isdisjoint(("dosage", "elsewhere")):
        return said["elsewhere"]
    if len(asked.mentions) > 1 and tests == ["answer_conf"]:
        return said["unrecorded"]
    return " ".join(said[test] for test in tests)
