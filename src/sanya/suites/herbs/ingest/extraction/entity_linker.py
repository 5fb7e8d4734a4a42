"""Which things of the graph a page names, and where. Precision first: a name has to stand as a word, one that several
things share stays ambiguous, and a slip is forgiven only where a machine read the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

from sanya.suites.herbs.graph.model import Graph, Name, NodeType
from sanya.suites.herbs.ingest.extraction.linkable_phrases import dependable_phrases
from sanya.suites.herbs.ingest.extraction.page_text import PageText
from sanya.suites.herbs.questions.mentions import Gazetteer, is_latin_word, is_plain, words_of
from sanya.suites.herbs.questions.name_forms import folded, slip_variants
from sanya.text.characters import THAI, has_thai
from sanya.text.dictionary import known_words
from sanya.text.segmentation import default_segmenter
from sanya.text.spans import Span

Kind = Literal["name", "alias", "slip", "binomial", "icd10"]
SUBJECTS: tuple[NodeType, ...] = ("herb", "formulation")
CONFIDENCE: Mapping[Kind, float] = {"name": 0.98, "alias": 0.95, "slip": 0.75, "binomial": 0.99, "icd10": 0.97}
_OCR_CONFIDENCE = 0.85
_WEAK = frozenset({"part", "abbreviation", "code"})
_SPELT_OUT = frozenset({"romanised", "transcription"})
_LEAST_SPELT_OUT = 6
_MOST_WORDS = 6
_LEAST_FOLDED = 6
_LEAST_SLIP = 7
_LONGEST_WINDOW = 40
_ADJOINING = ("", " ", "-")
_APART = "\n"
_NOTHING = Span(0, 0)

# A colour, a size or a place right behind the name of a plant mostly makes it another plant.
_ANOTHER = re.compile(
    "(?:ดำ|แดง|ขาว|เหลือง|เขียว|ทอง|เทศ|ป่า|น้ำ|บก|บ้าน|ช้าง|หนู|ลิง|ผี|เครือ|เถา|ใหญ่|เล็ก|จีน|ฝรั่ง|ตัวผู้|ตัวเมีย|หอม|ขม|ไทย)"
)
# Words that may be written right before a name as one word with it.
_LEAD = re.compile("(?:แก้|บรรเทา|รักษา|ลด|อาการ|โรค|ภาวะ|ผู้ป่วย|ผู้ที่เป็น|ยา|สาร|ใช้|ใน|มี|เกิด|เป็น)$")
# A complaint that goes on may be another one: pain of what, ulcer of where.
_GOES_ON = re.compile(
    f"(?=[{THAI}])(?!และ|หรือ|ได้|ใน|จาก|ที่|ซึ่ง|ด้วย|โดย|เพราะ|เนื่อง|อย่าง|เรื้อรัง|เฉียบพลัน|เล็กน้อย|รุนแรง|มาก|ของ|เมื่อ|แก้|ขับ|ลด|"
    "บรรเทา|รักษา|ช่วย|แต่|ให้|ไม่|ควร|ห้าม|เป็น|มี|ทั้ง|รวม|ตลอด|กับ|นั้น|นี้|ระดับ|เท่านั้น|อีก|ต่าง|ๆ|ฯ|ก่อน|หลัง|ตาม|ทุก|ดี|เช่น|อื่น|บำรุง|สมาน|เฟ้อ|แน่น)"
)
_LONGEST_LEAD = 12
# A spelt-out name behind another such word is the end of a longer one.
_WORD_BEFORE = re.compile(r"(?<![a-z])([a-z]+) $")
_DRUG_BEFORE = re.compile(rf"ยา[{THAI}]{{0,12}}\s?$")
_CODE_CONTEXT = re.compile(r"(?:icd|รหัส|code)[^.\n]{0,25}$|\(\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """`meant` has the nodes by type: which type is meant, the statement decides; two of one type are ambiguous."""

    start: int
    end: int
    kind: Kind
    meant: Mapping[NodeType, tuple[str, ...]]
    confidence: float

    def one(self, *types: NodeType) -> str | None:
        """The node, if it can be only one of these types."""
        nodes = [node for type in types for node in self.meant.get(type, ())]
        return nodes[0] if len(nodes) == 1 else None

    def is_of(self, *types: NodeType) -> bool:
        return not self.meant.keys().isdisjoint(types)

    @property
    def may_be_subject(self) -> bool:
        """What names a herb or a medicine, if only an unknown one, and so stands in the way of others further off."""
        return self.is_of(*SUBJECTS) or (self.kind == "binomial" and not self.meant)


Link = tuple[Kind, Mapping[NodeType, tuple[str, ...]]]
"""How a name was found, and what it means."""


class Linker:
    """The names of one revision of the graph, and of what a document brings itself, ready to be looked for in pages."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._gazetteers = [Gazetteer(graph, dependable_phrases)]
        self._names = _by_phrase(self._gazetteers[0].written)
        self._thai = frozenset(filter(has_thai, self._names))
        self._links: dict[str, Link | None] = {}
        self._segmenter = default_segmenter().extended(self._thai)

    def knowing(self, graph: Graph) -> Linker:
        """One that knows the nodes and names of a small graph as well; this one stays as it is."""
        extended = Linker.__new__(Linker)
        extended.graph = replace(self.graph, nodes={**self.graph.nodes, **graph.nodes})
        own = Gazetteer(graph, dependable_phrases)
        extended._gazetteers = [*self._gazetteers, own]
        extended._names = {**self._names, **_by_phrase(own.written)}
        extended._thai, extended._links = self._thai, {}
        extended._segmenter = self._segmenter
        return extended

    def knows(self, phrase: str) -> bool:
        return phrase in self._names

    def find(self, page: PageText, genera: Iterable[str] = ()) -> list[Found]:
        """In the order of the page; no two overlap. `genera` are those that the document writes out."""
        words = words_of(page.form, self._segmenter)
        certainty = 1.0 if page.page.way == "text" else page.page.certainty or _OCR_CONFIDENCE
        found = _longest([*self._whole(page.form, words, frozenset(genera)), *self._respelt(page, words)])
        if certainty == 1.0:
            return found
        return [replace(one, confidence=round(one.confidence * certainty, 3)) for one in found]

    def _whole(self, form: str, words: list[Span], genera: frozenset[str]) -> Iterator[Found]:
        starts, ends = {word.start: word for word in words}, {word.end for word in words}
        for gazetteer in self._gazetteers:
            for phrase, start, end in gazetteer.occurring(form):
                if phrase in self._thai:
                    begins = start in starts or _LEAD.search(form[max(0, start - _LONGEST_LEAD) : start])
                    if not begins or end not in ends or not self._is_word(starts.get(end, _NOTHING).of(form)):
                        continue
                elif not is_latin_word(form, start, end):
                    continue
                names = self._names[phrase]
                fitting = [name for name in names if _fits(form, start, end, name)]
                known = self._link(phrase) if len(fitting) == len(names) else None
                if (link := known or self._linked(fitting, genera)) is not None:
                    yield Found(start, end, *link, CONFIDENCE[link[0]])

    def _link(self, phrase: str) -> Link | None:
        """What a phrase means wherever it stands; None where that depends on the document."""
        if phrase not in self._links:
            names = self._names[phrase]
            depends = any(name.kind == "abbreviation" for name in names)
            self._links[phrase] = None if depends else self._linked(names, frozenset())
        return self._links[phrase]

    def _linked(self, names: Sequence[Name], genera: frozenset[str]) -> Link | None:
        meant = self._meant(names, genera)
        return None if meant is None else (_kind(names), meant)

    def _is_word(self, piece: str) -> bool:
        """A scrap of letters right behind a name is the rest of a longer one that nobody knows."""
        return piece in known_words() or piece in self._names or not has_thai(piece)

    def _respelt(self, page: PageText, words: list[Span]) -> Iterator[Found]:
        """Names without their tones, or with other letters of the same sound: looked for in what is left of the page
        when its words are folded."""
        folds = [_fold(word.of(page.form)) for word in words]
        stream, first_at, last_at = _stream(page.form, words, folds)
        for gazetteer in self._gazetteers:
            for whole, start, end in gazetteer.spelt_like(stream):
                if len(whole) >= _LEAST_FOLDED and start in first_at and end in last_at:
                    span = Span(words[first_at[start]].start, words[last_at[end]].end)
                    yield from self._resembling(page.form, span, self._folds[whole])
        if page.page.way == "ocr":
            yield from self._misread(page.form, words, folds)

    def _misread(self, form: str, words: list[Span], folds: list[str]) -> Iterator[Found]:
        """Where a page was recognised from its image, with one letter wrong."""
        for first in range(len(words)):
            whole = ""
            for last in range(first, min(first + _MOST_WORDS, len(words))):
                span = Span(words[first].start, words[last].end)
                apart = last > first and not _adjoin(form, words[last - 1], words[last])
                if apart or span.end - span.start > _LONGEST_WINDOW:
                    break
                whole += folds[last]
                if len(whole) >= _LEAST_SLIP:
                    variants = (self._slips[one] for one in slip_variants(whole) if one in self._slips)
                    yield from self._resembling(form, span, next(variants, ()))

    def _resembling(self, form: str, span: Span, names: Sequence[Name]) -> Iterator[Found]:
        """What stands there unless it is a name as it is, or a word that everybody knows."""
        piece = span.of(form)
        if piece not in self._names and not is_plain(piece):
            fitting = [name for name in names if _fits(form, *span, name)]
            if meant := self._meant(fitting, frozenset()):
                yield Found(*span, "slip", meant, CONFIDENCE["slip"])

    @cached_property
    def _folds(self) -> dict[str, list[Name]]:
        return _by_phrase((folded(phrase), name) for phrase, names in self._names.items() for name in names)

    @cached_property
    def _slips(self) -> dict[str, list[Name]]:
        return _by_phrase(
            (variant, name)
            for phrase, names in self._names.items()
            for name in names
            for variant in slip_variants(phrase)
        )

    def _meant(self, names: Sequence[Name], genera: frozenset[str]) -> Mapping[NodeType, tuple[str, ...]] | None:
        """None where the phrase is no name here; no nodes where it is one that links to nothing."""
        if not names:
            return None
        own = [name for name in names if name.kind not in _WEAK]
        parts_or_codes = [name for name in names if name.kind in ("part", "code")]
        chosen = own or parts_or_codes or [name for name in names if name.kind == "abbreviation"]
        if chosen and chosen[0].kind == "abbreviation" and len({name.node_id for name in chosen}) > 1:
            chosen = [name for name in chosen if self._genus(name.node_id) in genera] or chosen
        subjects = {name.node_type for name in chosen if name.kind == "main"} & {"herb", "formulation"}
        kept = [name for name in chosen if name.node_type in subjects or name.node_type not in ("herb", "formulation")]
        return self._by_type(dict.fromkeys(name.node_id for name in (kept if subjects else chosen)))

    def _by_type(self, nodes: Iterable[str]) -> Mapping[NodeType, tuple[str, ...]]:
        found: dict[NodeType, list[str]] = {}
        for node in nodes:
            found.setdefault(self.graph.nodes[node].type, []).append(node)
        return {type: self._widest(some) for type, some in sorted(found.items())}

    def _widest(self, nodes: list[str]) -> tuple[str, ...]:
        """A name that a code and its subcodes share means the code."""
        if len(nodes) == 1:
            return tuple(nodes)
        within = {
            node
            for node in nodes
            for edge in self.graph.edges_of(node)
            if edge.type == "part_of" and edge.from_id == node and edge.to_id in nodes
        }
        return tuple(sorted(node for node in nodes if node not in within))

    def _genus(self, node_id: str) -> str:
        return str(self.graph.nodes[node_id].data.get("latin_name") or "").partition(" ")[0]


def _by_phrase(written: Iterable[tuple[str, Name]]) -> dict[str, list[Name]]:
    found: dict[str, list[Name]] = {}
    for phrase, name in written:
        found.setdefault(phrase, []).append(name)
    return found


def _fits(form: str, start: int, end: int, name: Name) -> bool:
    """Whether the phrase can be this name where it stands."""
    phrase = form[start:end]
    if name.kind in _SPELT_OUT:
        before = _WORD_BEFORE.search(form[max(0, start - 20) : start])
        is_end = before is not None and not is_plain(before[1])
        return len(phrase) >= _LEAST_SPELT_OUT and not is_end and not is_plain(phrase)
    if name.kind == "code":
        return "." in phrase or _CODE_CONTEXT.search(form[max(0, start - 30) : start]) is not None
    if name.node_type == "drug" and name.kind == "alias" and has_thai(phrase) and not phrase.startswith("ยา"):
        return _DRUG_BEFORE.search(form[max(0, start - 16) : start]) is not None
    if name.node_type == "indication" and has_thai(phrase):
        return _GOES_ON.match(form, end) is None
    if name.node_type == "herb" and has_thai(phrase):
        return _ANOTHER.match(form, end) is None
    return True


def _kind(names: Sequence[Name]) -> Kind:
    kinds = {name.kind for name in names}
    if kinds == {"code"}:
        return "icd10"
    if any(name.lang == "la" for name in names):
        return "binomial"
    return "name" if "main" in kinds else "alias"


@lru_cache(maxsize=50_000)
def _fold(word: str) -> str:
    return folded(word)


def _stream(form: str, words: list[Span], folds: list[str]) -> tuple[str, dict[int, int], dict[int, int]]:
    """The folded words in a row, parted where they do not adjoin; and which word begins or ends at which place."""
    parts: list[str] = []
    first_at: dict[int, int] = {}
    last_at: dict[int, int] = {}
    place = end = 0
    for at, (word, fold) in enumerate(zip(words, folds, strict=True)):
        if form[end : word.start] not in _ADJOINING:
            parts.append(_APART)
            place += 1
        first_at[place] = at
        parts.append(fold)
        place += len(fold)
        last_at[place] = at
        end = word.end
    return "".join(parts), first_at, last_at


def _adjoin(form: str, before: Span, word: Span) -> bool:
    return form[before.end : word.start] in _ADJOINING


def _longest(found: Iterable[Found]) -> list[Found]:
    """Leftmost, then longest; a name as written goes before one that only resembles."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda one: (one.start, one.kind == "slip", -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
        elif one.kind != "slip" and kept[-1].kind == "slip":
            kept[-1] = one
    return kept
