"""Our own templates: every statement of the graph as one sentence in Thai and one in English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sanya.suites.herbs.graph.model import Node, Strength

Pair = tuple[str, str]
"""A sentence in Thai, and the same in English."""

STRENGTHS_TH: Mapping[Strength, str] = {"low": "ต่ำ", "moderate": "ปานกลาง", "high": "สูง"}
_PARTS_TH = {
    "aerial part": "ส่วนเหนือดิน",
    "all parts": "ทุกส่วน",
    "aril": "รกหุ้มเมล็ด",
    "bark": "เปลือกต้น",
    "bulb": "หัว",
    "calyx": "กลีบเลี้ยง",
    "charcoal": "ถ่าน",
    "flower": "ดอก",
    "fruit": "ผล",
    "fruit juice": "น้ำจากผล",
    "fruit peel": "ผิวผล",
    "fruit rind": "เปลือกผล",
    "gall": "ปุ่มหูด",
    "gum-resin": "ยางไม้",
    "heartwood": "แก่น",
    "inflorescence": "ช่อดอก",
    "infructescence": "ช่อผล",
    "leaf": "ใบ",
    "leaf gel": "วุ้นจากใบ",
    "oleo-gum-resin": "ยางไม้",
    "pod": "ฝัก",
    "pod pulp": "เนื้อในฝัก",
    "resin": "ยางไม้",
    "rhizome": "เหง้า",
    "root": "ราก",
    "root and leaf": "รากและใบ",
    "seed": "เมล็ด",
    "stamen": "เกสร",
    "stem": "ลำต้น",
    "tuber": "หัวใต้ดิน",
    "whole plant": "ทั้งต้น",
    "wood": "เนื้อไม้",
}
_FORMS_TH = {
    "capsule": "แคปซูล",
    "cream": "ครีม",
    "decoction": "ยาต้ม",
    "gel": "เจล",
    "infusion": "ยาชง",
    "lotion": "โลชั่น",
    "lozenge pill": "ลูกอม",
    "ointment": "ขี้ผึ้ง",
    "oral liquid": "ยาน้ำ",
    "pill": "ลูกกลอน",
    "powder": "ผง",
    "tablet": "เม็ด",
    "tincture": "ทิงเจอร์",
    "topical oil": "น้ำมันทา",
    "topical solution": "สารละลายทา",
    "topical spray": "สเปรย์",
}
_TYPES = {"herb": ("สมุนไพร", "herb"), "formulation": ("ตำรับยาไทย", "Thai formulation")}
_BASES_TH = {"source": "ตามแหล่งข้อมูล", "assigned": "ผู้รวบรวมกำหนด"}


def called(node: Node) -> Pair:
    """What the node is called in a sentence; a herb with its Latin name in English, where names are less settled."""
    latin = node.data.get("latin_name")
    english = node.label_in("en")
    return node.label_in("th"), f"{english} ({latin})" if latin and latin != english else english


def naming(node: Node, others: Mapping[str, Sequence[str]]) -> Pair:
    """`others` are its further names by language."""
    kind_th, kind_en = _TYPES[node.type]
    thai, latin = node.label_in("th"), node.data.get("latin_name")
    said_th, said_en = f"{thai} คือ{kind_th}", f"{called(node)[1]} is a {kind_en} called {thai} in Thai"
    if latin:
        said_th += f" ชื่อวิทยาศาสตร์ {latin}"
    if node.label_en and node.label_en != latin:
        said_th += f" ชื่อภาษาอังกฤษ {node.label_en}"
    for lang, word_th, word_en in (
        ("th", "ชื่ออื่น", "other Thai names"),
        ("en", "เรียกอีกอย่างว่า", "also known as"),
        ("la", "ชื่อพ้อง", "Latin synonyms"),
    ):
        if others.get(lang):
            said_th += f" {word_th} {' '.join(others[lang])}"
            said_en += f"; {word_en} {', '.join(others[lang])}"
    parts = node.data.get("parts") or ()
    if parts:
        said_th += f" ส่วนที่ใช้ {' '.join(_PARTS_TH.get(part, part) for part in parts)}"
        said_en += f"; parts used: {', '.join(parts)}"
    return said_th + _doubt_th(node.review), said_en + _doubt_en(node.review) + "."


def use(node: Node, data: Mapping[str, Any]) -> Pair:
    thai, english = called(node)
    level = data.get("evidence_level")
    return (
        f"{thai}ใช้สำหรับ{data['description_th']}" + (f" (หลักฐาน: {level})" if level else ""),
        f"{english} is used for {data['description_en']}" + (f" (evidence: {level})." if level else "."),
    )


def warning(node: Node, strength: Strength, basis: str, data: Mapping[str, Any]) -> Pair:
    """`data` says what kind of warning it is, of what, by which mechanism and with which effect."""
    thai, english = called(node)
    of_th, of_en = data["object_th"], data["object_en"]
    match data.get("kind"):
        case "contraindication":
            said_th, said_en = f"ห้ามใช้{thai}ในกรณี{of_th}", f"{english} is contraindicated in {of_en}"
        case "precaution":
            said_th, said_en = f"ควรระวังการใช้{thai}ในกรณี{of_th}", f"Use {english} with caution in {of_en}"
        case _:
            said_th, said_en = f"{thai}มีปฏิกิริยากับ{of_th} ({of_en})", f"{english} interacts with {of_en}"
    for key, word_th, word_en in (("effect", "ผล", "effect"), ("mechanism", "กลไก", "mechanism")):
        if data.get(key):
            said_th += f" {word_th}: {data[key]}"
            said_en += f"; {word_en}: {data[key]}"
    return (
        f"{said_th} (ระดับความรุนแรง {STRENGTHS_TH[strength]} {basis_in_thai(basis)})",
        f"{said_en} (strength {strength}, basis: {basis}).",
    )


def constituents(node: Node, inside: Sequence[Node], basis: str) -> Pair:
    thai, english = called(node)
    listed_th = " ".join(f"{one.label_th} ({one.label_en})" if one.label_th else one.label for one in inside)
    listed_en = ", ".join(one.label_in("en") for one in inside)
    return f"{thai}มีสาร {listed_th} ({basis_in_thai(basis)})", f"{english} contains {listed_en} (basis: {basis})."


def ingredients(node: Node, parts: Sequence[tuple[Pair, str | None]]) -> Pair:
    """`parts` are what goes in, each with its amount."""
    listed_th = " ".join(name[0] + (f" {amount}" if amount else "") for name, amount in parts)
    listed_en = ", ".join(name[1] + (f" {amount}" if amount else "") for name, amount in parts)
    return f"{node.label_in('th')}ประกอบด้วย {listed_th}", f"{node.label_in('en')} is made of {listed_en}."


def dosage_forms(node: Node, forms: str) -> Pair:
    listed = " ".join(_FORMS_TH.get(form.strip(), form.strip()) for form in forms.split(","))
    return f"{node.label_in('th')}มีรูปแบบยา {listed}", f"{node.label_in('en')} comes as {forms}."


def paper(node: Node, about: Sequence[Pair]) -> Pair:
    """The title is the paper's own and stays as it is."""
    title = (node.label_en or node.data.get("topic") or node.id).rstrip(". ")
    where = ", ".join(str(node.data[key]) for key in ("journal", "year") if node.data.get(key))
    named = " ".join(dict.fromkeys(pair[0] for pair in about))
    said_th = f"งานวิจัย PMID {node.data.get('pmid')}" + (f" เกี่ยวกับ{named}" if named else "") + f": {title}"
    return said_th + (f" ({where})" if where else ""), f"{title}" + (f" ({where})." if where else ".")


def basis_in_thai(basis: str) -> str:
    return _BASES_TH.get(basis) or f"ตามเกณฑ์: {basis.removeprefix('rule: ')}"


def _doubt_th(review: str) -> str:
    return " (ข้อมูลยังต้องตรวจทาน)" if review == "needs_review" else ""


def _doubt_en(review: str) -> str:
    return " (needs review)" if review == "needs_review" else ""
