"""Sentences of the safety check in English and Thai."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sanya.suites.herbs.graph.model import HerbNode
from sanya.suites.herbs.safety.contract import PairVerdict
from sanya.suites.herbs.safety.entry import Entry
from sanya.suites.herbs.safety.severity import Severity, rank_severity

MessageLanguage = Literal["th", "en"]

SEVERITY_WORDS: dict[MessageLanguage, dict[Severity, str]] = {
    "en": {
        "contraindicated": "contraindicated",
        "major": "major warning",
        "moderate": "moderate warning",
        "minor": "minor warning",
    },
    "th": {
        "contraindicated": "ห้ามใช้",
        "major": "คำเตือนรุนแรง",
        "moderate": "คำเตือนปานกลาง",
        "minor": "คำเตือนเล็กน้อย",
    },
}
_KIND_WORDS: dict[MessageLanguage, dict[str, str]] = {
    "en": {"herb": "herb", "formulation": "formulation", "drug": "drug", "condition": "condition"},
    "th": {"herb": "สมุนไพร", "formulation": "ตำรับยา", "drug": "ยา", "condition": "โรคหรือภาวะ"},
}
_MAX_SUMMARY_PAIRS = 5
_MAX_PARTIAL = 4


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A pair as it was judged. `partial` are the labels of what the warnings are about, where they concern only a part
    of what was asked for: some drugs of a class, narrower forms of a condition."""

    entity: Entry
    node: HerbNode
    object: Entry
    severity: Severity | None
    on_record: int
    partial: tuple[str, ...] = ()
    is_allergen: bool = False
    """The object is an allergy to what the entity is or contains."""


def format_pair_message(pair: JudgedPair, lang: MessageLanguage) -> str:
    """Return the verdict on one pair as a sentence."""
    name, target = pair.node.get_label(lang), _format_object(pair.object, lang)
    if pair.severity is not None:
        word = f"{SEVERITY_WORDS[lang][pair.severity]}{_format_partial(pair.partial, lang)}{_format_guess(pair, lang)}"
        return f"{name} + {target}: {word}." if lang == "en" else f"{name} กับ {target}: {word}"
    if lang == "en":
        record = f"{pair.on_record} statements on record, none names this" if pair.on_record else "nothing is on record"
        safety = "But this is what the allergy is to: do not take it." if pair.is_allergen else "Not known to be safe."
        return f"{name} + {target}: no warning recorded ({record}). {safety}"
    record = f"มีข้อมูล {pair.on_record} ข้อ แต่ไม่มีข้อใดกล่าวถึง" if pair.on_record else "ไม่มีข้อมูลใด ๆ"
    safety = "แต่เป็นสิ่งที่แพ้ จึงห้ามใช้" if pair.is_allergen else "ไม่ได้แปลว่าปลอดภัย"
    return f"{name} กับ {target}: ไม่พบคำเตือน ({record}) {safety}"


def _format_partial(labels: Sequence[str], lang: MessageLanguage) -> str:
    if not labels:
        return ""
    listed = ", ".join(labels[:_MAX_PARTIAL])
    more = len(labels) - _MAX_PARTIAL
    if lang == "en":
        return f", for a part of it: {listed}" + (f" and {more} more" if more > 0 else "")
    return f" เฉพาะบางส่วน ได้แก่ {listed}" + (f" และอีก {more} รายการ" if more > 0 else "")


def _format_guess(pair: JudgedPair, lang: MessageLanguage) -> str:
    """Return the names that the warning holds under, where they were guessed."""
    guesses = ((pair.entity, (pair.node,)), (pair.object, pair.object.nodes))
    unsure = [(entry.given, nodes) for entry, nodes in guesses if entry.status == "unsure"]
    if not unsure:
        return ""
    meant = " และ " if lang == "th" else " and "
    parts = [f"{given!r} = {', '.join(node.get_label(lang) for node in nodes)}" for given, nodes in unsure]
    return f", if {meant.join(parts)}" if lang == "en" else f" หาก {meant.join(parts)}"


def format_summary(unknown: Sequence[Entry], pairs: Sequence[PairVerdict], lang: MessageLanguage) -> str:
    """Return what was not understood first, then the most severe verdicts, with the number of those left out."""
    parts = [format_unresolved(entry, lang) for entry in unknown]
    warned = [pair for pair in pairs if pair.severity is not None]
    warned.sort(key=lambda pair: -rank_severity(pair.severity) if pair.severity else 0)
    parts += [pair.message for pair in warned[:_MAX_SUMMARY_PAIRS]]
    if len(warned) > _MAX_SUMMARY_PAIRS:
        more = len(warned) - _MAX_SUMMARY_PAIRS
        parts.append(f"{more} more pairs have warnings." if lang == "en" else f"ยังมีคำเตือนอีก {more} คู่")
    if pairs and not warned and not unknown:
        silent = "No warning is recorded for these pairs. That does not mean safe."
        parts.append(silent if lang == "en" else "ไม่พบคำเตือนสำหรับคู่เหล่านี้ ซึ่งไม่ได้แปลว่าปลอดภัย")
    return " ".join(parts)


def _format_object(object: Entry, lang: MessageLanguage) -> str:
    labels = [node.get_label(lang) for node in object.nodes]
    joined = ", ".join(labels)
    if not labels or joined.casefold() == object.given.casefold():
        return object.given
    return f"{object.given} ({joined})"


def format_unresolved(entry: Entry, lang: MessageLanguage) -> str:
    """Say of an entry that was not understood, or means several things, what was checked."""
    if not entry.nodes:
        return format_unknown(entry, lang)
    if entry.status == "ambiguous":
        return _format_ambiguous(entry, lang)
    labels = ", ".join(node.get_label(lang) for node in entry.nodes)
    if entry.is_substance:
        return _format_substance(entry, labels, lang)
    if lang == "en":
        return (
            f"{entry.given!r} is not a known name. Did you mean {labels}? Warnings for that guess are given; "
            "a pair without one was not checked."
        )
    return f"ไม่รู้จักชื่อ {entry.given!r} หมายถึง {labels} หรือไม่ คำเตือนที่แสดงเป็นของชื่อที่เดา คู่ที่ไม่มีคำเตือนถือว่ายังไม่ได้ตรวจ"


def _format_ambiguous(entry: Entry, lang: MessageLanguage) -> str:
    """Name the candidates, with their ids where one name is that of several."""
    labels = [node.get_label(lang) for node in entry.nodes]
    if len(set(labels)) < len(labels):
        labels = [f"{label} ({node.id})" for label, node in zip(labels, entry.nodes, strict=True)]
    if lang == "en":
        return f"{entry.given!r} may mean several: {', '.join(labels)}. Each was checked."
    return f"{entry.given!r} อาจหมายถึงหลายอย่าง ได้แก่ {', '.join(labels)} ตรวจให้ทุกอย่างแล้ว"


def _format_substance(entry: Entry, labels: str, lang: MessageLanguage) -> str:
    if lang == "en":
        return (
            f"{entry.given!r} is a substance of {labels}. Warnings are those about the plant; "
            "a pair without one was not checked."
        )
    return f"{entry.given!r} เป็นสารใน {labels} คำเตือนที่แสดงเป็นของพืช คู่ที่ไม่มีคำเตือนถือว่ายังไม่ได้ตรวจ"


def format_unknown(entry: Entry, lang: MessageLanguage) -> str:
    """Say that an entry was not understood, and what it may mean."""
    if entry.elsewhere:
        node = entry.elsewhere[0]
        kind = _KIND_WORDS[lang][node.type]
        if lang == "en":
            return f"{entry.given!r} was not checked: it is on record as a {kind}, so name it among the {kind}s."
        return f"ยังไม่ได้ตรวจ {entry.given!r} เพราะบันทึกไว้เป็น{kind} โปรดใส่ในช่อง{kind}"
    labels = ", ".join(dict.fromkeys(node.get_label(lang) for node in entry.offered))
    if entry.is_substance:
        return _format_substance(entry, labels, lang)
    if lang == "en":
        meant = f" Did you mean {labels}?" if labels else " Check the spelling, or give the generic name."
        return f"{entry.given!r} was not understood and not checked.{meant}"
    meant = f" หมายถึง {labels} หรือไม่" if labels else " โปรดตรวจตัวสะกดหรือใช้ชื่อสามัญ"
    return f"ไม่รู้จัก {entry.given!r} จึงยังไม่ได้ตรวจ{meant}"
