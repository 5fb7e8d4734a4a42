"""The notice that every answer about safety carries."""

from __future__ import annotations

from collections.abc import Mapping

NOTICE: Mapping[str, str] = {
    "en": "Collected facts, not medical advice. No warning here does not mean safe: ask a pharmacist or physician.",
    "th": "ข้อมูลที่รวบรวมไว้ ไม่ใช่คำแนะนำทางการแพทย์ การไม่พบคำเตือนไม่ได้แปลว่าปลอดภัย โปรดปรึกษาเภสัชกรหรือแพทย์",
}
