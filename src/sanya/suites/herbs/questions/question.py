"""What a question asks for: which things it names, and what it wants to know of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from sanya.suites.herbs.graph.model import Graph, NodeType
from sanya.suites.herbs.questions.mentions import CERTAINTY, Gazetteer, Mention
from sanya.text.language import language_of
from sanya.text.normalisation import search_form

Lang = Literal["th", "en"]
Intent = Literal["safety", "uses", "ingredients", "constituents", "names", "papers", "dosage", "elsewhere"]

# What a question about each is recognised by, in both languages; a question may have several intents.
_SIGNS: dict[Intent, tuple[str, str]] = {
    "safety": (
        "ห้าม|ระวัง|อันตราย|ปลอดภัย|ข้างเคียง|ปฏิกิริยา|ตีกัน|ร่วมกับ|คู่กับ|กินกับ|ใช้กับ|ด้วยกัน|เป็นพิษ|มีผล|มีปัญหา|"
        r"(?:กิน|ใช้|ทาน|รับประทาน|ทา|ดื่ม)\S*\s?ได้(?:ไหม|มั้ย|หรือ|รึ|ป่าว)",
        r"safe\w*|unsafe|contraindicat\w+|interact\w*|avoid\w*|risks?|danger\w*|warn\w*|toxic\w*|side effects?|adverse|"
        r"must not|should not|together|while (?:taking|pregnant|breast)|can (?:i|we|you|he|she|they) (?:take|use)|"
        r"who (?:must|should|can)(?:not| not)?|overdose|caution\w*|precaution\w*",
    ),
    "ingredients": (
        "ประกอบ|ส่วนผสม|ตัวยา|มีอะไรบ้าง|ในตำรับ|มีสมุนไพรอะไร|รูปแบบยา",
        r"ingredients?|what(?: is|'s) in|made (?:of|from)|consists?|composition|dosage forms?",
    ),
    "constituents": (
        "สารสำคัญ|สารออกฤทธิ์|มีสาร|พบใน|สารอะไร|องค์ประกอบทางเคมี",
        r"compounds?|constituents?|phytochemicals?|active (?:substances?|ingredients?)|contain\w*|source plants?",
    ),
    "papers": (
        "งานวิจัย|การศึกษา|การทดลอง|ผลวิจัย|บทความ",
        r"stud(?:y|ies)|trials?|research|papers?|randomi[sz]ed|evidence|pharmacokinetics|in vitro|activity",
    ),
    "names": (
        "คืออะไร|คือสมุนไพร|คือต้น|คือโกฐ|ชื่อ|เรียกว่า|ชนิดเดียวกัน|ส่วนไหน|ส่วนที่ใช้",
        r"names?|called|latin|scientific|botanical|species|which part|parts? used",
    ),
    "uses": (
        "แก้|รักษา|สรรพคุณ|ช่วย|บรรเทา|ใช้ทำ|ประโยชน์|ใช้(?:ยา)?(?:สมุนไพร)?(?:อะไร|ตัวไหน)|กินยา|ยาอะไร|ทาแผล|ลดไข้",
        r"used? for|treat\w*|remed(?:y|ies)|help\w*|relie\w+|cure\w*|good for|for|against|medicines?|benefits?",
    ),
    "dosage": (
        "กี่(?:แคปซูล|เม็ด|กรัม|ครั้ง|ช้อน|มิลลิกรัม)|วันละ|ขนาดยา|ขนาดรับประทาน",
        r"dos(?:e|es|age|ing)(?! forms?)|how (?:many|much)|per day|a day",
    ),
    "elsewhere": (
        "ราคา|ซื้อ|ขายที่ไหน|ปลูก|รดน้ำ|วิธีผัด|วิธีทำอาหาร",
        r"prices?|cheap\w*|cost\w*|buy|where can|grow\w*|recipe|cook\w*",
    ),
}
_PATTERNS = {intent: re.compile(rf"{th}|\b(?:{en})\b", re.IGNORECASE) for intent, (th, en) in _SIGNS.items()}
_SUBJECTS: tuple[NodeType, ...] = ("herb", "formulation")


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A name that means several things of one kind."""

    name: str
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is understood."""

    text: str
    lang: Lang
    intents: frozenset[Intent]
    mentions: tuple[Mention, ...]
    named: dict[str, float]
    """The things it names, each with how sure that is, 0 to 1."""
    ambiguous: tuple[Ambiguity, ...]

    def of_types(self, graph: Graph, *types: NodeType) -> list[str]:
        return [one for one in self.named if graph.nodes[one].type in types]

    @property
    def is_about_safety(self) -> bool:
        return "safety" in self.intents


def understand(text: str, lang: Lang | Literal["auto"], graph: Graph, gazetteer: Gazetteer) -> Asked:
    mentions = tuple(gazetteer.find(text))
    named: dict[str, float] = {}
    for mention in mentions:
        for node in mention.nodes:
            named[node] = max(named.get(node, 0.0), CERTAINTY[mention.how])
    spoken: Lang = ("th" if language_of(text) == "th" else "en") if lang == "auto" else lang
    return Asked(text, spoken, _intents(text, graph, named), mentions, named, tuple(_ambiguities(graph, mentions)))


# Words that a question is made of, whatever it asks about.
_FRAME = re.compile(
    "อะไร(?:บ้าง|ดี)?|ไหม|มั้ย|หรือไม่|หรือเปล่า|อย่างไร|ยังไง|สมุนไพร|ตำรับ|ตัวไหน|คนไข้|ผู้ป่วย|กิน|ใช้|ทาน|มียา|บ้าง|"
    r"\b(?:herbs?|herbal|plants?|thai|traditional|products?|taking?|patients?|which|what|who|how)\b",
    re.IGNORECASE,
)


# The same as single words, which would be parts of others where no blank parts them.
FRAME_WORDS = frozenset(
    ["ยา", "ทำ", "ทา", "เรื่อง", "คน", "ลูก", "ตัว", "ชนิด", "use", "take", "make", "get", "give", "good", "best"]
)


def without_signs(asked: Asked) -> str:
    """What is left of a question beside the names in it and the words by which its intent is recognised."""
    rest = list(search_form(asked.text))
    for mention in asked.mentions:
        rest[mention.start : mention.end] = " " * (mention.end - mention.start)
    text = "".join(rest)
    for pattern in (*_PATTERNS.values(), _FRAME):
        text = pattern.sub(" ", text)
    return text


def _intents(text: str, graph: Graph, named: dict[str, float]) -> frozenset[Intent]:
    found: set[Intent] = {intent for intent, pattern in _PATTERNS.items() if pattern.search(text)}
    types = {graph.nodes[one].type for one in named}
    if "drug" in types and types.intersection(_SUBJECTS) and "papers" not in found:
        # A herb and a drug in one breath: whatever else is asked, what they do to each other matters.
        found.add("safety")
    return frozenset(found)


def _ambiguities(graph: Graph, mentions: tuple[Mention, ...]) -> list[Ambiguity]:
    found = []
    for mention in mentions:
        kind = graph.nodes[mention.nodes[0]].type
        alike = tuple(one for one in mention.nodes if graph.nodes[one].type == kind)
        if kind in _SUBJECTS and len(alike) > 1:
            found.append(Ambiguity(mention.text, alike))
    return found
