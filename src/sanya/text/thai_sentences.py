"""Where Thai sentences end. Thai has no full stop: a blank parts sentences, but phrases, numbers and names as well, so
the words on both sides of a blank, and how far the sentence has come, decide."""

from __future__ import annotations

import re
from bisect import bisect_right

from sanya.text.characters import THAI

# It begins with the blank: what stands before that is looked at only there.
_BLANK = re.compile(rf"\s(?:(?<=[{THAI}!?\"'”’»)\]%.]\s)\s*(?=[{THAI}(\[\"'“‘«])|(?<=[A-Za-z0-9]\s)\s*(?=[{THAI}]))")
_ABBREVIATION = re.compile(rf"(?:^|[^{THAI}])(?:[ก-ฮ]{{1,4}}\.)+$|(?:โทร|เบอร์|เลขที่|ฉบับที่)\.$")
_UNITS = ("มก.", "มคก.", "มล.", "กก.", "ซม.", "มม.", "กม.", "ล.", "น.")

_BEGIN = """
    อย่างไรก็ตาม อย่างไรก็ดี นอกจากนี้ นอกจากนั้น ดังนั้น เพราะฉะนั้น ด้วยเหตุนี้ เพราะเหตุนี้ ทั้งนี้ อนึ่ง ต่อมา ตัวอย่างเช่น
    ยกตัวอย่างเช่น ในขณะเดียวกัน ในทางกลับกัน ในทางตรงกันข้าม สรุปได้ว่า สรุปว่า โดยสรุป ผลการศึกษา ผลการวิจัย การศึกษานี้
    งานวิจัยนี้ แต่ว่า แต่อย่างไรก็ หลังจากนั้น จากนั้น ปัจจุบัน ในปัจจุบัน กล่าวคือ แม้ว่า ถึงแม้ ห้าม วิธีใช้ สรรพคุณ ข้อห้าม
    ข้อควรระวัง ขนาดและวิธีใช้ อาการไม่พึงประสงค์
"""
_MAY_BEGIN = """
    หาก ถ้า เมื่อ ควร ผู้ การ ใน มี เขา เธอ พวกเขา มัน เรา นี่ นี้ ความ ทฤษฎี พระ วิธี ชาว หลังจาก ก่อน จาก ตาม แต่ แม้ สำหรับ
    โดยทั่วไป โดยปกติ เนื่องจาก
"""
_CARRY_ON = """
    และ หรือ ซึ่ง ที่ ของ โดย เพื่อ รวมถึง รวมทั้ง ตลอดจน เช่น อย่างเช่น ได้แก่ คือ เป็น ว่า ให้ กับ แก่ ต่อ อยู่ แล้ว ก็ จึง จน ทั้ง
    ไป มา ได้ นั้น อีกด้วย ด้วย ครั้ง ปี ๆ ฯ เกี่ยวกับ มากกว่า น้อยกว่า ประมาณ ไม่ว่า อัน พร้อม ตั้งแต่ ระหว่าง ถึง บน เดือน วัน
"""
_WANT_MORE = """
    และ หรือ ของ ที่ ซึ่ง เป็น คือ เช่น ได้แก่ ว่า โดย ใน จาก กับ เพื่อ ให้ แก่ ต่อ ระหว่าง เมื่อ วันที่ ปี ณ ราย แบบ ตาม ด้วย , : ; -
"""
BEGIN, MAY_BEGIN, CARRY_ON = (tuple(words.split()) for words in (_BEGIN, _MAY_BEGIN, _CARRY_ON))
# What begins a sentence cannot end one either.
WANT_MORE = (*_WANT_MORE.split(), *BEGIN)
POLITE = ("ครับ", "ค่ะ", "คะ", "!", "?")
ROUNDED_OFF = ("ดังกล่าว", "ทั้งหมด", "ด้วยกัน", "เช่นกัน", "เช่นเดียวกัน", "อีกด้วย", "เท่านั้น")

# Fitted so that Thai translations of English paragraphs have as many sentences as these.
_ENOUGH = 3.0
_CHARACTERS_A_POINT = 50
_SHORT = 8


def thai_cuts(text: str, known: list[int]) -> list[int]:
    """Where Thai sentences begin, given the cuts that are known already."""
    cuts: list[int] = []
    bounds = [0, *known]
    for blank in _BLANK.finditer(text):
        start = max(bounds[bisect_right(bounds, blank.end()) - 1], cuts[-1] if cuts else 0)
        if ends_sentence(text, *blank.span(), blank.end() - start):
            cuts.append(blank.end())
    return cuts


def ends_with_abbreviation(before: str) -> bool:
    """Whether a text ends with a shortened Thai word: พ.ศ., ดร., มก."""
    return before.endswith(".") and not before.isascii() and _ABBREVIATION.search(before) is not None


def ends_sentence(text: str, blank: int, place: int, length: int) -> bool:
    """Whether the blank before this place ends a sentence that has come to this length."""
    before = text[max(0, blank - 20) : blank]
    begins = text.startswith(BEGIN, place)
    if before.endswith(WANT_MORE) or (text.startswith(CARRY_ON, place) and not begins):
        return False
    if ends_with_abbreviation(before):
        return begins and before.endswith(_UNITS)
    score = length / _CHARACTERS_A_POINT - (2 if length < _SHORT else 0)
    score += 3 if begins else 1.5 if text.startswith(MAY_BEGIN, place) else 0
    score += 4 if before.endswith(POLITE) else 2 if before.endswith(ROUNDED_OFF) else 0
    return score + (place - blank > 1) >= _ENOUGH
