"""The words of `sanya papers` in both languages."""

from __future__ import annotations

from collections.abc import Mapping

ENGLISH: Mapping[str, str] = {
    "paper": "paper",
    "title": "title",
    "journal": "journal",
    "year": "year",
    "quality": "quality",
    "score": "score",
    "none": "Nothing was found.",
    "samples": "These are samples that came with Sanya, not papers. `sanya papers sync` brings real ones.",
    "retracted": "RETRACTED",
    "unread": "{count} chunks are found by their words alone so far; `sanya search embed papers` reads their meaning.",
    "unread_one": "{count} chunk is found by its words alone so far; `sanya search embed papers` reads its meaning.",
    "found": "{count} results in {ms} ms; the figures add up to the score: {parts}",
    "found_one": "{count} result in {ms} ms; the figures add up to the score: {parts}",
    "authors": "authors",
    "published": "published",
    "types": "types",
    "version": "version",
    "link": "link",
    "checkpoint": "checkpoint",
    "name": "name",
    "created": "created",
    "as_of": "as of",
    "papers": "papers",
    "queries": "queries",
    "description": "description",
    "no_checkpoints": "There is no checkpoint yet; `sanya papers checkpoint create NAME` makes one.",
}
THAI: Mapping[str, str] = {
    "paper": "บทความ",
    "title": "ชื่อเรื่อง",
    "journal": "วารสาร",
    "year": "ปี",
    "quality": "คุณภาพ",
    "score": "คะแนน",
    "none": "ไม่พบบทความ",
    "samples": "นี่คือตัวอย่างที่มากับ Sanya ไม่ใช่บทความจริง ใช้ `sanya papers sync` เพื่อดึงบทความจริง",
    "retracted": "ถูกถอดถอน",
    "unread": "ยังมีอีก {count} ส่วนที่ค้นได้ด้วยคำเท่านั้น ใช้ `sanya search embed papers` เพื่อให้ค้นด้วยความหมายได้",
    "found": "พบ {count} รายการ ใน {ms} มิลลิวินาที คะแนนคือผลรวมของ {parts}",
    "authors": "ผู้เขียน",
    "published": "เผยแพร่",
    "types": "ประเภท",
    "version": "รุ่น",
    "link": "ลิงก์",
    "checkpoint": "จุดบันทึก",
    "name": "ชื่อ",
    "created": "สร้างเมื่อ",
    "as_of": "ข้อมูลถึง",
    "papers": "บทความ",
    "queries": "คำค้น",
    "description": "คำอธิบาย",
    "no_checkpoints": "ยังไม่มีจุดบันทึก ใช้ `sanya papers checkpoint create NAME` เพื่อสร้าง",
}


def words(language: str | None) -> Mapping[str, str]:
    return THAI if language == "th" else ENGLISH


def counted(language: str | None, name: str, count: int, **more: str) -> str:
    """What is said of a number of things; of one, English says it in another way."""
    said = words(language)
    return (said.get(f"{name}_one", said[name]) if count == 1 else said[name]).format(count=f"{count:,}", **more)
