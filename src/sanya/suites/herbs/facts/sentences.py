"""Templates that write each statement of the graph as one sentence in Thai and one in English."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from sanya.suites.herbs.graph.model import HerbNode, Strength

BilingualText = tuple[str, str]
"""A text in Thai, and the same in English."""

_TYPES = {"herb": ("สมุนไพร", "herb"), "formulation": ("ตำรับยาไทย", "Thai formulation")}


def format_node_name(node: HerbNode) -> BilingualText:
    """Return the node's name for use in a sentence. English adds a herb's Latin name, since English names vary more."""
    latin = node.data.get("latin_name")
    english = node.get_label("en")
    return node.get_label("th"), f"{english} ({latin})" if latin and latin != english else english


def write_naming(node: HerbNode, other_names: Mapping[str, Sequence[str]]) -> BilingualText:
    """Write what the node is called; `other_names` are its further names by language."""
    type_th, type_en = _TYPES[node.type]
    thai, latin = node.get_label("th"), node.data.get("latin_name")
    text_th, text_en = f"{thai} คือ{type_th}", f"{format_node_name(node)[1]} is a {type_en} called {thai} in Thai"
    if latin:
        text_th += f" ชื่อวิทยาศาสตร์ {latin}"
    if node.label_en and node.label_en != latin:
        text_th += f" ชื่อภาษาอังกฤษ {node.label_en}"
    for lang, heading_th, heading_en in (
        ("th", "ชื่ออื่น", "other Thai names"),
        ("en", "เรียกอีกอย่างว่า", "also known as"),
        ("la", "ชื่อพ้อง", "Latin synonyms"),
    ):
        if other_names.get(lang):
            text_th += f" {heading_th} {' '.join(other_names[lang])}"
            text_en += f"; {heading_en} {', '.join(other_names[lang])}"
    parts = node.data.get("parts") or ()
    if parts:
        text_th += f" ส่วนที่ใช้ {' '.join(_translate('parts', part) for part in parts)}"
        text_en += f"; parts used: {', '.join(parts)}"
    if node.review == "needs_review":
        return f"{text_th} (ข้อมูลยังต้องตรวจทาน)", f"{text_en} (needs review)."
    return text_th, f"{text_en}."


def write_use(node: HerbNode, data: Mapping[str, Any]) -> BilingualText:
    thai, english = format_node_name(node)
    level = data.get("evidence_level")
    level_th = " ".join(_translate("evidence_levels", part) for part in level.split("; ")) if level else None
    return (
        f"{thai}ใช้สำหรับ{data['description_th']}" + (f" (หลักฐาน: {level_th})" if level else ""),
        f"{english} is used for {data['description_en']}" + (f" (evidence: {level})." if level else "."),
    )


def write_warning(node: HerbNode, strength: Strength, basis: str, data: Mapping[str, Any]) -> BilingualText:
    """Write a warning; `data` holds its kind and object, and perhaps its effect, mechanism, severity and evidence."""
    text_th, text_en = _write_warned_object(node, data)
    for key, heading_th, heading_en in (("effect", "ผล", "effect"), ("mechanism", "กลไก", "mechanism")):
        # Statements that were ingested from a document have no words of their own in either language.
        if data.get(f"{key}_th"):
            text_th += f" {heading_th}: {data[f'{key}_th']}"
            # One fact is one sentence: its citation would stand behind the last of several.
            text_en += f"; {heading_en}: {data[f'{key}_en'].rstrip('.').replace('. ', '; ')}"
    strength_th = _load_thai_terms()["strengths"][strength]
    graded_th, graded_en = _write_grades(data)
    return (
        f"{text_th} ({graded_th}ระดับความรุนแรง {strength_th} {translate_basis(basis)})",
        f"{text_en} ({graded_en}strength {strength}, basis: {basis}).",
    )


def _write_warned_object(node: HerbNode, data: Mapping[str, Any]) -> BilingualText:
    thai, english = format_node_name(node)
    object_th, object_en = data["object_th"], data["object_en"]
    if drug_names := data.get("drug_names"):
        # Drugs are known by their English names in Thai texts as well.
        object_th = f"{object_th} ({', '.join(drug_names)})"
    match data.get("kind"):
        case "contraindication":
            return f"ห้ามใช้{thai}ในกรณี{object_th}", f"{english} is contraindicated in {object_en}"
        case "precaution":
            return f"ควรระวังการใช้{thai}ในกรณี{object_th}", f"Use {english} with caution in {object_en}"
        case "toxicity":
            return f"{thai}อาจเป็นอันตราย: {object_th}", f"{english} may do harm: {object_en}"
        case _:
            return f"{thai}มีปฏิกิริยากับ{object_th}", f"{english} interacts with {object_en}"


def _write_grades(data: Mapping[str, Any]) -> BilingualText:
    """Write severity and kind of evidence, each as its label; nothing for a statement without them."""
    if "severity" not in data or "evidence" not in data:
        return "", ""
    severity = load_labels()["severity"].get(data["severity"])
    evidence = load_labels()["evidence"].get(data["evidence"])
    if severity is None or evidence is None:
        return "", ""
    return f"ความรุนแรง: {severity[1]} หลักฐาน: {evidence[1]} ", f"severity {severity[0]}, evidence {evidence[0]}, "


def write_constituents(node: HerbNode, constituents: Sequence[HerbNode], basis: str) -> BilingualText:
    thai, english = format_node_name(node)
    listed_th = " ".join(f"{item.label_th} ({item.label_en})" if item.label_th else item.label for item in constituents)
    listed_en = ", ".join(item.get_label("en") for item in constituents)
    return f"{thai}มีสาร {listed_th} ({translate_basis(basis)})", f"{english} contains {listed_en} (basis: {basis})."


def write_ingredients(node: HerbNode, ingredients: Sequence[tuple[BilingualText, str | None]]) -> BilingualText:
    """Write what a formulation is made of: the name of each ingredient, with its amount."""
    listed_th = " ".join(name[0] + (f" {amount}" if amount else "") for name, amount in ingredients)
    listed_en = ", ".join(name[1] + (f" {amount}" if amount else "") for name, amount in ingredients)
    return f"{node.get_label('th')}ประกอบด้วย {listed_th}", f"{node.get_label('en')} is made of {listed_en}."


def write_dosage_forms(node: HerbNode, forms: str) -> BilingualText:
    listed = " ".join(_translate("dosage_forms", form.strip()) for form in forms.split(","))
    return f"{node.get_label('th')}มีรูปแบบยา {listed}", f"{node.get_label('en')} comes as {forms}."


def write_paper(node: HerbNode, subjects: Sequence[BilingualText]) -> BilingualText:
    """Write a paper's title, which is quoted as it is, and where it appeared."""
    title = (node.label_en or node.data.get("topic") or node.id).rstrip(". ")
    where = ", ".join(str(node.data[key]) for key in ("journal", "year") if node.data.get(key))
    named = " ".join(dict.fromkeys(subject[0] for subject in subjects))
    text_th = f"งานวิจัย PMID {node.data.get('pmid')}" + (f" เกี่ยวกับ{named}" if named else "") + f": {title}"
    return text_th + (f" ({where})" if where else ""), f"{title}" + (f" ({where})." if where else ".")


def translate_form(form: str) -> str:
    """Return a dosage form in Thai, as it is where no word is known."""
    return _translate("dosage_forms", form)


def translate_verdict(verdict: str) -> BilingualText:
    """Return what the evidence says of a use, in Thai and English."""
    thai, english = _load_thai_terms()["verdicts"][verdict].split(" | ")
    return thai, english


def translate_study(kind: str) -> BilingualText:
    """Return the kind of studies behind an assessment, in Thai and English."""
    thai, english = _load_thai_terms()["studies"][kind].split(" | ")
    return thai, english


def translate_basis(basis: str) -> str:
    return _load_thai_terms()["bases"].get(basis) or f"ตามเกณฑ์: {basis.removeprefix('rule: ')}"


def _translate(table: str, term: str) -> str:
    return _load_thai_terms()[table].get(term, term)


@cache
def load_labels() -> dict[str, dict[str, tuple[str, str]]]:
    """Load the words in English and Thai for every value of a closed list, such as severities and kinds of evidence."""
    text = (files("sanya.suites.herbs") / "data" / "labels.json").read_text(encoding="utf-8")
    labels: dict[str, dict[str, tuple[str, str]]] = json.loads(text)
    return labels


@cache
def _load_thai_terms() -> dict[str, dict[str, str]]:
    text = (files("sanya.suites.herbs.facts") / "thai_terms.json").read_text(encoding="utf-8")
    terms: dict[str, dict[str, str]] = json.loads(text)
    return terms
