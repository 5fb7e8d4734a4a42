"""Tells text that reads like an instruction to whoever reads it later. It is kept as data and marked.

A memory is quoted to a model, and some texts are written to be obeyed there. Marked ones have no say in ratings.
"""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
_BLANKS = re.compile(r"\s+")

_ORDERS = (
    r"(?:instructions?|prompts?|rules?|guidelines?|commands?|directions?|orders?|messages?|context|polic(?:y|ies))"
)
_ENGLISH = (
    rf"\b(?:ignore|disregard|forget|override|bypass|skip|drop|discard)\b.{{0,40}}\b{_ORDERS}",
    rf"\b(?:new|updated|real|true|hidden|secret|following|these)\b.{{0,12}}\b{_ORDERS}\s*(?::|are\b|follow)",
    rf"\b(?:follow|obey|execute|carry out)\b.{{0,30}}\b{_ORDERS}",
    r"\byou (?:are|must|will|shall|should) (?:now|from now on|always|never|only|henceforth)\b",
    r"\b(?:you must|you have to|make sure (?:to|you)|do not tell|don't tell|never tell|never mention)\b",
    r"\b(?:from now on|as of now)\b.{0,30}\b(?:you|respond|answer|act|reply|treat)\b",
    r"\b(?:act|behave|respond|answer|pretend)\b.{0,12}\b(?:as|to be|like)\b.{0,20}"
    r"\b(?:an?|the|if|my|root|admin|system|dan)\b",
    r"\b(?:reveal|print|show|repeat|leak|output|disclose)\b.{0,30}"
    r"\b(?:system|hidden|initial|secret|your)\b.{0,20}\b(?:prompt|message|instruction|key|password|rule)",
    r"\b(?:set|raise|change|upgrade|mark|rate|treat|make|give|assign|bump)\b.{0,40}"
    r"\b(?:confidence|rating|reliability|credibility|trust|verified|confirmed|a1)\b",
    r"\b(?:delete|erase|wipe|remove|forget|drop)\b.{0,20}\b(?:all|every|other|everything)\b",
    r"\b(?:call|run|invoke|use|execute|trigger)\b.{0,20}\b(?:tool|function|command|script|shell|code|send_memory|"
    r"correct_memory|get_memory)",
    r"\b(?:send|post|forward|email|upload|exfiltrate)\b.{0,60}(?:https?://|\bto\b.{0,20}@)",
    r"<\s*/?\s*(?:system|assistant|user|instructions?|im_start|tool)\b|\[/?(?:inst|system)\]|<\|[a-z_]+\|>|"
    r"###\s*(?:system|instruction|assistant|human|user)",
    r"^\s*(?:system|assistant|developer)\s*:",
    r"\b(?:begin|end)\s+(?:system|admin|developer)\b|\b(?:admin|developer|god|debug|jailbreak|dan) mode\b",
)
_THAI = (
    r"(?:ละเว้น|เพิกเฉย|ไม่ต้องสนใจ|ไม่สนใจ|อย่าสนใจ|ลืม|ยกเลิก|ข้าม|ฝ่าฝืน|เลิกทำตาม).{0,30}(?:คำสั่ง|กฎ|ข้อความก่อน|ข้อกำหนด|พรอมต์|นโยบาย)",
    r"(?:ทำตาม|ปฏิบัติตาม|เชื่อฟัง).{0,20}(?:คำสั่ง|ข้อความ)",
    r"คำสั่ง(?:ใหม่|ระบบ|ลับ|ต่อไปนี้|จากผู้ดูแล)",
    r"(?:จากนี้ไป|ต่อจากนี้|นับจากนี้|ตั้งแต่นี้).{0,20}(?:คุณ|เธอ|ให้|จง|ต้อง)",
    r"(?:คุณ|เธอ)(?:ต้อง|จงต้อง|จะต้อง|ห้าม|คือผู้ดูแล|เป็นผู้ดูแล)",
    r"(?:จง|โปรด|กรุณา|ให้).{0,6}(?:แสดง|เปิดเผย|บอก|พิมพ์|ส่ง|ลบ|เรียก|รัน|ตอบ).{0,30}(?:พรอมต์|คำสั่ง|รหัส|ความลับ|ความจำ|เครื่องมือ|ทั้งหมด|http)",
    r"(?:อย่า|ห้าม)(?:บอก|แจ้ง|เปิดเผย|พูด).{0,10}(?:ผู้ใช้|ใคร|เจ้าของ)",
    r"(?:ตั้ง|ปรับ|เพิ่ม|เปลี่ยน|ให้|ยก).{0,20}(?:ความเชื่อมั่น|ความน่าเชื่อถือ|คะแนน|ระดับ|เรตติ้ง).{0,20}(?:เป็น|สูง|a1|ที่สุด)",
    r"(?:ลบ|ล้าง|ทำลาย)(?:ความจำ|ข้อมูล|บันทึก).{0,10}(?:ทั้งหมด|อื่น|ทุก)",
    r"(?:สวมบทบาท|แกล้งเป็น|ทำตัวเป็น|ทำหน้าที่เป็น|โหมดผู้ดูแล|โหมดนักพัฒนา)",
    r"^\s*(?:ระบบ|ผู้ช่วย|ผู้ดูแลระบบ)\s*:",
)
# Thai sara am is taken apart by the normal form that texts are brought to, so the patterns are brought to it too.
_READS_LIKE_ONE = re.compile(unicodedata.normalize("NFKC", "|".join((*_ENGLISH, *_THAI))), re.MULTILINE)


def reads_like_instruction(text: str) -> bool:
    return _READS_LIKE_ONE.search(_plain(text)) is not None


def _plain(text: str) -> str:
    """Without the disguises: wide letters, characters that are not seen, runs of blanks."""
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold()
    return "\n".join(_BLANKS.sub(" ", line) for line in visible.splitlines())
