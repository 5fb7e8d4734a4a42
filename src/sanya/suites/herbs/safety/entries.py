"""Reads what people type for a herb, a formulation, a drug or a condition into nodes of the graph.

An entry is read in the order of certainty, and the first reading that finds anything counts:

1. a name of the graph: an id, a name, a transcription, for plants also a spelling of the same sound. A name of several
   nodes is ambiguous; all of them are checked, and the answer says so. A formulation among the herbs, a condition among
   the drugs, or the reverse, is understood as well;
2. an age ("4 year old") or the length of a pregnancy ("ท้อง 3 เดือน"), for conditions;
3. another Thai spelling of a foreign drug name;
4. names inside the entry ("ใบแปะก๊วย", "warfarin 5 mg", "ยาแก้ปวดทรามาดอล"), the longest first. Several names are several
   nodes, and all are checked: one more node can only add warnings. Where words remain that are not understood ("horny
   goat weed"), the entry is unsure;
5. a constituent ("andrographolide") stands for the plants that contain it: the entry is unsure, because a warning about
   the whole plant need not hold for it;
6. names of the same type that are one or two letters away: the entry is unsure.

An entry that is read in no way is unknown. The herbs whose names begin with it ("โกฐ") are offered and not checked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from sanya.suite.runtime import LruCache
from sanya.suite.text import THAI_CONSONANTS, has_thai
from sanya.suites.herbs.graph.edit_distance import limit_edit_distance, measure_edit_distance
from sanya.suites.herbs.graph.model import HerbGraph, HerbNode, NodeType
from sanya.suites.herbs.graph.name_keys import fold_name
from sanya.suites.herbs.graph.name_lookup import find_named_nodes, to_nodes
from sanya.suites.herbs.graph.name_resolver import (
    MAX_CANDIDATES,
    AmbiguousMatch,
    NameCandidate,
    NameResolver,
    UnknownName,
)
from sanya.suites.herbs.safety.ages import (
    PREGNANCY,
    find_age_years,
    find_population_id,
    is_exact_age,
    is_gestation,
)
from sanya.suites.herbs.safety.entry import Entry
from sanya.suites.herbs.safety.entry_words import (
    add_kind_word,
    cut_fillers,
    cut_form_words,
    cut_kind_word,
    is_rest_ignored,
)
from sanya.suites.herbs.safety.suggestions import NamesByStart, index_by_start, is_strong_name, suggest_nodes
from sanya.suites.herbs.safety.thai_loanwords import LoanwordIndex, index_loanwords

# A name of a plant must be most of what was typed: "dragon fruit petals" is not "dragon's blood".
_MIN_PLANT_SHARE = 0.5
# So many letters must begin a Thai name: "ยาหอม" of formulations, "กวาวเครือ" of herbs, but not "หมาก".
_MIN_PREFIX: dict[NodeType, int] = {"formulation": 4, "herb": 6}
_MAX_MEANINGS = 12
# A shorter beginning, such as "มะ" or "ว่า", says nothing of the plant.
_MIN_BEGINNING = 3
# Transcriptions of one Thai name differ in up to this share of their letters: "fah talai jone", "fa thalai chon".
_MAX_TRANSCRIPTION_DIFFERENCE = 0.4
_TRANSCRIBED_KINDS = frozenset({"romanised", "transcription"})
_MIN_PLURAL = 5
_MIN_NUMBERED = 4
# The names of a request mostly return with the next one: somebody adds a drug and asks again.
_MAX_KEPT_ENTRIES = 2048
_MAX_WORDS = 6
_MAX_CHARS = 120
_THAI_CONSONANT = re.compile(f"[{THAI_CONSONANTS}]")
_TOKEN = re.compile(r"[฀-๿]+|[^\W฀-๿]+(?:['’.-][^\W฀-๿]+)*")
_DRUG_ALLERGY = "condition:drug-allergy"
_ANY_ALLERGY = "condition:allergy"
_ALLERGY = re.compile(r"แพ้(?P<thai>.+)|allergic to (?P<to>.+)|(?P<before>.+) allergy", re.IGNORECASE)
_JOINT = re.compile(r"[,;+&]|\s/\s|\b(?:and|plus|with)\b|และ|กับ|แล้วก็", re.IGNORECASE)
_NEIGHBOURS: dict[NodeType, NodeType] = {
    "herb": "formulation",
    "formulation": "herb",
    "drug": "condition",
    "condition": "drug",
}
_PLANT_TYPES: tuple[NodeType, ...] = ("herb", "formulation")


class EntryReader:
    """Reads entries by the names of one graph. It keeps what it indexes, so it is made once for each graph."""

    def __init__(self, resolver: NameResolver, graph: HerbGraph) -> None:
        self._resolver = resolver
        self._graph = graph
        self._entries: LruCache[tuple[str, str, NodeType], list[Entry]] = LruCache(_MAX_KEPT_ENTRIES)

    @cached_property
    def _loanwords(self) -> LoanwordIndex:
        return index_loanwords(self._graph.names)

    @cached_property
    def _names_by_start(self) -> NamesByStart:
        return index_by_start(self._graph)

    async def read_all(self, given: str, field: str, type: NodeType) -> list[Entry]:
        """Read an entry as one name or, where it joins several ("warfarin and Lipitor"), as one entry for each.

        Each part gets its own verdict, so that a part that is not understood is not hidden by one that is.
        """
        key = (given, field, type)
        entries = self._entries.get(key)
        if entries is None:
            entries = await self._read_parts(given, field, type)
            self._entries.put(key, entries)
        return entries

    async def _read_parts(self, given: str, field: str, type: NodeType) -> list[Entry]:
        parts = [part for part in _JOINT.split(given) if part.strip()]
        is_combined = len(parts) == 1 and "/" in given
        if (len(parts) > 1 or is_combined) and await self._read_any_name(given, field, type) is None:
            entries = [
                await self.read(part.strip(), field, type) for part in (parts if len(parts) > 1 else given.split("/"))
            ]
            # A stroke stands in doses ("5 mg/ml") as well, so each part of such an entry must be a name.
            if any(entry.nodes for entry in entries) and (
                not is_combined or all(entry.status == "known" for entry in entries)
            ):
                return entries
        return [await self.read(given, field, type)]

    async def read(self, given: str, field: str, type: NodeType) -> Entry:
        """Read one entry as a node of this type or, where none fits, of the neighbouring type."""
        types = (type, _NEIGHBOURS[type])
        if "condition" in types and is_gestation(given) and PREGNANCY in self._graph.nodes:
            return Entry(given, field, "known", (self._graph.nodes[PREGNANCY],))
        if entry := self._read_plant_allergy(given, field, type):
            return entry
        if entry := await self._read_any_name(given, field, type) or self._read_allergy(given, field, type):
            return entry
        if entry := await self._read_list(given, field, type):
            return entry
        for wanted in types:
            if entry := self._read_age(given, field, wanted) or self._read_loanword(given, field, wanted):
                return entry
            if entry := self._read_contained(given, field, wanted):
                return entry
        bare = cut_form_words(given, type)
        for wanted in types:
            if nodes := find_named_nodes(self._graph, bare, wanted):
                return Entry(given, field, "ambiguous" if len(nodes) > 1 else "known", nodes)
            if nodes := self._find_numbered(bare, wanted):
                return Entry(given, field, "ambiguous" if len(nodes) > 1 else "known", nodes)
        elsewhere = self._find_elsewhere(given, types)
        if not elsewhere and (nodes := self._find_containing(bare, types)):
            return Entry(given, field, "unsure", nodes, is_substance=True)
        nodes = suggest_nodes(self._graph, self._names_by_start, given, type)
        nodes = nodes or suggest_nodes(self._graph, self._names_by_start, bare, type)
        if nodes:
            return Entry(given, field, "unsure", nodes)
        longer = () if elsewhere else await self._list_longer_names(given, types)
        return Entry(given, field, "unknown", elsewhere=elsewhere, longer=longer)

    def _find_elsewhere(self, given: str, types: Sequence[NodeType]) -> tuple[HerbNode, ...]:
        """Return the nodes of other kinds that the entry names exactly: somebody put a herb among the drugs."""
        others = [type for type in _NEIGHBOURS if type not in types]
        return tuple(node for type in others for node in find_named_nodes(self._graph, given, type))[:1]

    def _find_numbered(self, given: str, type: NodeType) -> tuple[HerbNode, ...]:
        """Return the drugs whose brand is the entry and a number: "Diane" is "Diane-35"."""
        key = fold_name(given)
        if type != "drug" or len(key) < _MIN_NUMBERED:
            return ()
        names = self._names_by_start.get((key[:1], type), ())
        return to_nodes(self._graph, [name for other, name in names if other.rstrip("0123456789") == key])

    def _find_containing(self, given: str, types: Sequence[NodeType]) -> tuple[HerbNode, ...]:
        """Return the herbs that contain the constituent which the entry names."""
        if "herb" not in types:
            return ()
        constituents = {node.id for node in find_named_nodes(self._graph, given, "constituent")}
        edges = (edge for id in sorted(constituents) for edge in self._graph.get_edges(id))
        herbs = dict.fromkeys(edge.from_id for edge in edges if edge.type == "contains" and edge.to_id in constituents)
        return tuple(self._graph.nodes[id] for id in herbs)

    async def _read_any_name(self, given: str, field: str, type: NodeType) -> Entry | None:
        core = cut_fillers(given)
        for wanted in (type, _NEIGHBOURS[type]):
            nodes = find_named_nodes(self._graph, given, wanted) or find_named_nodes(self._graph, core, wanted)
            if not nodes and wanted not in _PLANT_TYPES:
                nodes = find_named_nodes(self._graph, _change_number(core), wanted)
            nodes = nodes or find_named_nodes(self._graph, cut_kind_word(core, wanted), wanted)
            nodes = nodes or find_named_nodes(self._graph, add_kind_word(core, wanted), wanted)
            if nodes := nodes or await self._find_by_sound_or_prefix(given, wanted):
                nodes += self._find_products(core, wanted, nodes)
                return Entry(given, field, "ambiguous" if len(nodes) > 1 else "known", nodes)
        return None

    def _find_products(self, name: str, type: NodeType, found: tuple[HerbNode, ...]) -> tuple[HerbNode, ...]:
        """Return the formulations that share a herb's further name: "น้ำมันกัญชา" is any of five oils as well. The herb's
        main name means the herb alone, and so does the name of its only product."""
        if type != "herb" or self._is_main_name(name, found):
            return ()
        products = find_named_nodes(self._graph, name, "formulation")
        return products if len(products) > 1 else ()

    def _is_main_name(self, name: str, nodes: tuple[HerbNode, ...]) -> bool:
        ids, key = {node.id for node in nodes}, fold_name(name)
        return any(other.node_id in ids and other.kind == "main" for other in self._graph.names_by_key.get(key, ()))

    async def _find_by_sound_or_prefix(self, given: str, type: NodeType) -> tuple[HerbNode, ...]:
        """Return the plants that sound like the entry, or several nodes whose names begin with it."""
        resolution = await self._resolver.resolve(given, (type,))
        if isinstance(resolution, UnknownName) or not resolution.is_certain:
            return ()
        kept = list(resolution.candidates)
        if isinstance(resolution, AmbiguousMatch) and resolution.is_prefix:
            kept = [candidate for candidate in kept if _is_beginning(given, candidate, type)]
            return tuple(candidate.node for candidate in kept) if 1 < len(kept) < _MAX_MEANINGS else ()
        # Sounds tell plants apart, which have many transcriptions. Drugs and conditions that sound alike are confused:
        # "ท้องเดือน" is not "ท้องเดิน".
        if type not in _PLANT_TYPES:
            return ()
        return tuple(candidate.node for candidate in kept if self._is_spelt_alike(given, candidate))

    async def _list_longer_names(self, given: str, types: Sequence[NodeType]) -> tuple[HerbNode, ...]:
        """Return the herbs whose names begin with the entry, none if they may be more than the resolver tells."""
        if "herb" not in types or len(fold_name(given)) < _MIN_BEGINNING:
            return ()
        resolution = await self._resolver.resolve(given, ("herb",))
        if not isinstance(resolution, AmbiguousMatch) or not resolution.is_prefix:
            return ()
        nodes = tuple(candidate.node for candidate in resolution.candidates)
        return nodes if len(nodes) < MAX_CANDIDATES else ()

    def _is_spelt_alike(self, given: str, candidate: NameCandidate) -> bool:
        """Return whether a name of the same sound is also written alike: "menthol" has the key of sounds of "มันต้น" and
        is something else. A Latin spelling is compared with the transcriptions of the plant."""
        key = fold_name(given)
        if has_thai(given):
            others, limit = [fold_name(candidate.name)], limit_edit_distance(len(key))
        else:
            names = self._graph.get_names(candidate.node.id)
            others = [fold_name(name.name) for name in names if name.kind in _TRANSCRIBED_KINDS]
            limit = int(len(key) * _MAX_TRANSCRIPTION_DIFFERENCE)
        return any(measure_edit_distance(key, other) <= limit for other in others)

    async def _read_list(self, given: str, field: str, type: NodeType) -> Entry | None:
        """Read names that blanks alone part ("ความดัน เบาหวาน"), as Thai lists things; none unless each is a name."""
        words = given.split()
        if not 1 < len(words) <= _MAX_WORDS or not has_thai(given):
            return None
        entries = [await self._read_any_name(word, field, type) for word in words]
        nodes = dict.fromkeys(node.id for entry in entries if entry for node in entry.nodes)
        if not all(entry and entry.status == "known" for entry in entries):
            return None
        return Entry(given, field, "known", tuple(self._graph.nodes[id] for id in nodes))

    def _read_allergy(self, given: str, field: str, type: NodeType) -> Entry | None:
        """Read an allergy to a drug ("แพ้ไอบูโพรเฟน") as a drug allergy, not as the drug."""
        match = _ALLERGY.fullmatch(given.strip())
        if type != "condition" or match is None or _DRUG_ALLERGY not in self._graph.nodes:
            return None
        drug = (match["thai"] or match["to"] or match["before"]).strip()
        readings = (find_named_nodes(self._graph, name, "drug") for name in (drug, drug.removeprefix("ยา")))
        if any(readings) or self._read_loanword(drug, field, "drug"):
            return Entry(given, field, "known", (self._graph.nodes[_DRUG_ALLERGY],))
        return None

    def _read_plant_allergy(self, given: str, field: str, type: NodeType) -> Entry | None:
        """Read an allergy to a plant or a medicine of plants ("แพ้ขิง"), as that of its family where it is known."""
        match = _ALLERGY.fullmatch(cut_fillers(given))
        if type != "condition" or match is None or _ANY_ALLERGY not in self._graph.nodes:
            return None
        name = (match["thai"] or match["to"] or match["before"]).strip()
        allergens = tuple(node for type in _PLANT_TYPES for node in find_named_nodes(self._graph, name, type))
        if not allergens:
            return None
        nodes = find_named_nodes(self._graph, cut_fillers(given), "condition") or (self._graph.nodes[_ANY_ALLERGY],)
        return Entry(given, field, "known", nodes, is_exact=True, allergens=allergens)

    def _read_age(self, given: str, field: str, type: NodeType) -> Entry | None:
        if type != "condition" or (years := find_age_years(given)) is None:
            return None
        population = self._graph.nodes.get(find_population_id(years) or "")
        nodes = (population,) if population else ()
        return Entry(given, field, "known", nodes, is_exact=is_exact_age(given))

    def _read_loanword(self, given: str, field: str, type: NodeType) -> Entry | None:
        if type != "drug" or not has_thai(given):
            return None
        id = self._loanwords.find_drug(given) or self._loanwords.find_drug(given.removeprefix("ยา"))
        return Entry(given, field, "known", (self._graph.nodes[id],)) if id else None

    def _read_contained(self, given: str, field: str, type: NodeType) -> Entry | None:
        """Read the names that stand inside the entry, without overlap and the longest first."""
        chosen: list[tuple[int, int]] = []
        nodes: list[HerbNode] = []
        is_ambiguous = False
        for start, end, key, found in self._find_parts(given, type):
            if self._is_minor_part(given, (start, end), key, type) or any(
                start < right and left < end for left, right in chosen
            ):
                continue
            chosen.append((start, end))
            is_ambiguous = is_ambiguous or len(found) > 1
            nodes += [node for node in found if node not in nodes]
        if not nodes:
            return None
        if not is_rest_ignored(given, chosen, type):
            return Entry(given, field, "unsure", tuple(nodes))
        return Entry(given, field, "ambiguous" if is_ambiguous else "known", tuple(nodes))

    def _is_minor_part(self, given: str, span: tuple[int, int], key: str, type: NodeType) -> bool:
        """Return whether a plant's name is less than half of the entry. "aloe juice" names aloe and its form."""
        is_short = type in _PLANT_TYPES and len(key) < _MIN_PLANT_SHARE * len(fold_name(given))
        return is_short and not is_rest_ignored(given, [span], type)

    def _find_parts(self, given: str, type: NodeType) -> list[tuple[int, int, str, tuple[HerbNode, ...]]]:
        """Return the parts of the entry that are names: start, end, key and what they name, the longest first."""
        known = self._graph.names_by_key
        matches = []
        for start, end, key in _list_parts(given):
            names = [name for name in known.get(key, ()) if name.node_type == type and is_strong_name(name, key)]
            if names:
                matches.append((start, end, key, to_nodes(self._graph, names)))
        return sorted(matches, key=lambda match: (match[0] - match[1], match[0]))


def _is_longer_by_consonant(longer: str, shorter: str) -> bool:
    """Return whether one name is the other and a consonant that is heard."""
    return longer[:-1] == shorter and _THAI_CONSONANT.fullmatch(longer[-1:]) is not None


def _change_number(text: str) -> str:
    """Return the singular of an English plural and the plural of a singular: "migraines", "stomach ulcer"."""
    if has_thai(text) or len(text) < _MIN_PLURAL:
        return text
    return text[:-1] if text[-1] in "sS" else f"{text}s"


def _is_beginning(given: str, candidate: NameCandidate, type: NodeType) -> bool:
    """Return whether the entry is the first words of the name ("ferrous" of "ferrous sulfate"). Thai writes no blanks
    between words, so the entry must be long there, and drugs and conditions do not count at all."""
    if has_thai(given):
        return type in _MIN_PREFIX and len(fold_name(given)) >= _MIN_PREFIX[type]
    rest = candidate.name.casefold().removeprefix(given.strip().casefold())
    return rest != candidate.name.casefold() and not rest[:1].isalnum()


def _list_parts(text: str) -> list[tuple[int, int, str]]:
    """Return the parts of a text that could be names: start, end and key.

    Words of a spaced script are joined up to six at a time. Thai has no blanks between words, so every part of a Thai
    run is tried.
    """
    tokens = [(found.start(), found.end()) for found in _TOKEN.finditer(text[:_MAX_CHARS])]
    spans = {
        (tokens[first][0], tokens[last][1])
        for first in range(len(tokens))
        for last in range(first, min(first + _MAX_WORDS, len(tokens)))
    }
    for start, end in tokens:
        if has_thai(text[start:end]):
            spans |= {(left, right) for left in range(start, end) for right in range(left + 3, end + 1)}
    return [(start, end, fold_name(text[start:end])) for start, end in sorted(spans)]
