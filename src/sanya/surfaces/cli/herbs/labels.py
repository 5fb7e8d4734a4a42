"""The words of `sanya herbs` in both languages."""

from __future__ import annotations

from sanya.text.characters import has_thai

_WORDS = {
    "name": ("name", "ชื่อ"),
    "also": ("also called", "ชื่ออื่น"),
    "parts": ("parts", "ส่วนที่ใช้"),
    "constituents": ("constituents", "สารสำคัญ"),
    "formulations": ("formulations", "อยู่ในตำรับ"),
    "warnings": ("warnings", "คำเตือน"),
    "basis": ("basis", "ที่มาของการตัดสิน"),
    "note": ("note", "หมายเหตุ"),
    "sources": ("sources", "แหล่งข้อมูล"),
    "use": ("use", "ข้อบ่งใช้"),
    "evidence": ("evidence", "หลักฐาน"),
    "review": ("review", "การตรวจทาน"),
    "reviewed": ("reviewed", "ตรวจทานแล้ว"),
    "needs_review": ("NEEDS REVIEW", "ต้องตรวจทาน"),
    "unreviewed": ("unreviewed", "ยังไม่ตรวจทาน"),
    "strength": ("strength", "ความแรง"),
    "high": ("high", "สูง"),
    "moderate": ("moderate", "ปานกลาง"),
    "low": ("low", "ต่ำ"),
    "node": ("node", "โหนด"),
    "details": ("details", "รายละเอียด"),
    "about": ("with", "กับ"),
    "herb": ("herb or formulation", "สมุนไพรหรือตำรับ"),
    "via": ("via", "ผ่านส่วนประกอบ"),
    "none": ("no safety record at all: this does NOT mean safe", "ไม่มีข้อมูลความปลอดภัยเลย ไม่ได้แปลว่าปลอดภัย"),
    "inherited_only": ("only its ingredients have warnings on record", "มีเฉพาะคำเตือนของส่วนประกอบ"),
    "silent": ("ingredients without any record", "ส่วนประกอบที่ไม่มีข้อมูลความปลอดภัย"),
    "narrow": ("narrow by --drug or --condition to see the rest", "ระบุ --drug หรือ --condition เพื่อดูส่วนที่เหลือ"),
    "unknown": ("NOT CHECKED, unknown", "ไม่ได้ตรวจ ไม่รู้จักชื่อนี้"),
    "ambiguous": ("NOT CHECKED, may mean several", "ไม่ได้ตรวจ ชื่อนี้อาจหมายถึงหลายชนิด"),
    "cut": ("the search was cut at its limit of work", "การค้นหยุดที่ขีดจำกัดของงาน"),
    "more": ("more", "มีต่อ"),
}


def word(key: str, lang: str) -> str:
    english, thai = _WORDS[key]
    return thai if lang == "th" else english


def language(chosen: str | None, *given: str) -> str:
    """The language chosen, or that of what was typed."""
    return chosen or ("th" if any(map(has_thai, given)) else "en")
