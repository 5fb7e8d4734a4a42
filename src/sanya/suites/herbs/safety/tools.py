"""Handler of tool.find_contraindications.

Every pair of the request gets a verdict. An entry that is not understood never hides a warning: what could concern it
is shown beside the rest, marked as not narrowed, and the summary says first what was not understood.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import attrgetter
from typing import Any, Literal

from sanya.suite import Context, Cursors, InvalidArgument
from sanya.suite.runtime import LruCache, PreparedBody
from sanya.suite.text import has_thai
from sanya.suites.herbs.graph.model import HerbGraph, HerbNode, NodeType
from sanya.suites.herbs.graph.name_resolver import NameResolver
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.safety.check import ObjectRelation, RelatedObjects, SafetyCheck, WarningGroup
from sanya.suites.herbs.safety.contract import (
    ContraindicationPage,
    FindContraindicationsInput,
    UnresolvedName,
)
from sanya.suites.herbs.safety.entries import EntryReader
from sanya.suites.herbs.safety.entry import Entry
from sanya.suites.herbs.safety.messages import format_summary, format_unresolved
from sanya.suites.herbs.safety.notice import NOTICE
from sanya.suites.herbs.safety.prepared_results import (
    EntityResults,
    PreparedCoverage,
    PreparedPair,
    PreparedReference,
    PreparedResult,
    PreparedResults,
)
from sanya.suites.herbs.safety.result_shapes import ResultFormatter
from sanya.suites.herbs.safety.verdicts import PairJudge, to_candidates

_ENTITY_FIELDS: dict[str, NodeType] = {"herb_ids": "herb", "formulation_ids": "formulation"}
_OBJECT_FIELDS: dict[str, NodeType] = {"drugs": "drug", "conditions": "condition"}
_LANGUAGES: tuple[Literal["th", "en"], ...] = ("th", "en")
_PREPARED_LISTS = ("results", "coverage", "pairs", "references")
_MAX_KEPT_RELATED = 100
_get_sort_key = attrgetter("sort_key")


@dataclass(frozen=True, slots=True)
class _ReadRequest:
    """The entries of the request: what to check, and what to check it against."""

    entities: list[Entry]
    objects: list[Entry]

    @property
    def unknown(self) -> list[Entry]:
        return [entry for entry in (*self.entities, *self.objects) if not entry.is_understood]

    @property
    def nodes(self) -> list[HerbNode]:
        """The entities to check, each once, however many of its names the request holds."""
        return list({node.id: node for entry in self.entities for node in entry.nodes}.values())


@dataclass(frozen=True, slots=True)
class _AskedObjects:
    """The drugs and conditions of the request: what warnings may name them, and the types of those that were not
    understood. `is_any`: the request names none, which asks for everything."""

    entries: tuple[Entry, ...]
    related: RelatedObjects
    unknown_types: frozenset[str]
    is_any: bool

    @property
    def key(self) -> tuple[object, ...]:
        return (*(entry.target_key for entry in self.entries), self.unknown_types, self.is_any)


@dataclass(frozen=True, slots=True)
class _PreparedGraph:
    graph: HerbGraph
    check: SafetyCheck
    reader: EntryReader
    results: Mapping[Literal["th", "en"], PreparedResults]
    related: LruCache[tuple[str, ...], RelatedObjects] = field(default_factory=lambda: LruCache(_MAX_KEPT_RELATED))

    def ask_about(self, objects: list[Entry]) -> _AskedObjects:
        nodes = {(node.id, entry.is_exact): node for entry in objects for node in entry.nodes}
        key = tuple(f"{id} exact" if is_exact else id for id, is_exact in nodes)
        related = self.related.get(key)
        if related is None:
            related = _relate_objects(self.check, nodes)
            self.related.put(key, related)
        unknown = frozenset(_OBJECT_FIELDS[entry.field] for entry in objects if not entry.is_understood)
        return _AskedObjects(tuple(objects), related, unknown, is_any=not objects)

    def list_entity(self, entity: HerbNode, asked: _AskedObjects, lang: Literal["th", "en"]) -> EntityResults:
        asked = self._add_allergies(entity, asked)
        return EntityResults(entity.id, _find_groups(self.check, entity, asked), self.make_formatter(asked, lang))

    def _add_allergies(self, entity: HerbNode, asked: _AskedObjects) -> _AskedObjects:
        """Add what warns about an allergy to the entity, where the request names one."""
        allergies = [entry for entry in asked.entries if self.check.has_any(entity, entry.allergens)]
        if not allergies:
            return asked
        related = {id: dict(relations) for id, relations in asked.related.items()}
        for entry in allergies:
            for node in entry.nodes:
                found = self.check.relate(entity, node, is_exact=entry.is_exact, allergens=entry.allergens)
                for id, relation in found.items():
                    related.setdefault(id, {}).setdefault(node.id, relation)
        return replace(asked, related=related)

    def make_formatter(self, asked: _AskedObjects, lang: Literal["th", "en"]) -> ResultFormatter:
        return ResultFormatter(lang, self.graph.nodes, asked.related, self.graph.sources)


@dataclass(frozen=True, slots=True)
class _Findings:
    """All that an answer says: the parts of its lists, and the other fields."""

    results: list[PreparedResult]
    coverage: list[PreparedCoverage]
    pairs: list[PreparedPair]
    references: list[PreparedReference]
    others: ContraindicationPage

    def to_page(self) -> ContraindicationPage:
        lists = {name: [kept.shape for kept in getattr(self, name)] for name in _PREPARED_LISTS}
        return self.others.model_copy(update=lists)

    def to_body(self) -> PreparedBody:
        lists = {name: [kept.part for kept in getattr(self, name)] for name in _PREPARED_LISTS}
        # With the empty lists, so that the keys stand in the order of the contract.
        return PreparedBody(self.others.model_dump(mode="json"), lists)


class SafetyTools:
    def __init__(self, store: HerbStore, cursors: Cursors) -> None:
        self.store = store
        self.cursors = cursors
        self._prepared: _PreparedGraph | None = None

    async def answer(self, request: FindContraindicationsInput, context: Context) -> PreparedBody:
        """Handle tool.find_contraindications."""
        return (await self._find(request, context)).to_body()

    async def find_contraindications(
        self, request: FindContraindicationsInput, context: Context
    ) -> ContraindicationPage:
        return (await self._find(request, context)).to_page()

    async def _find(self, request: FindContraindicationsInput, context: Context) -> _Findings:
        if not request.herb_ids and not request.formulation_ids:
            raise InvalidArgument(
                "name at least one herb in herb_ids or formulation in formulation_ids", field="herb_ids"
            )
        prepared = await self._prepare_graph()
        graph, lang = prepared.graph, _choose_language(request)
        kept = prepared.results[lang]
        entries = await _read_entries(request, prepared.reader)
        asked = prepared.ask_about(entries.objects)
        results, total, next_cursor = self._list_page(request, prepared, entries.nodes, asked)
        pairs = kept.judge_pairs(entries.entities, entries.objects)
        others = ContraindicationPage(
            results=[],
            unknown_ids=[entry.given for entry in entries.entities if entry.status != "known"],
            unresolved=[_describe_unresolved(entry, lang) for entry in (*entries.unknown, *_list_ambiguous(entries))],
            coverage=[],
            total=total,
            next_cursor=next_cursor,
            notice=NOTICE[lang],
            summary=format_summary(entries.unknown, [pair.shape for pair in pairs], lang),
        )
        references = kept.format_references(results, graph.sources)
        context.cite(reference.shape.pmid for reference in references if reference.shape.pmid)
        coverage = [kept.format_coverage(node, graph.nodes) for node in entries.nodes]
        return _Findings(results, coverage, pairs, references, others)

    async def _prepare_graph(self) -> _PreparedGraph:
        """Return the graph of now with what earlier requests found in it."""
        graph = await self.store.load_graph()
        if self._prepared is None or self._prepared.graph is not graph:
            reader = EntryReader(NameResolver(self.store), graph)
            check = SafetyCheck(graph)
            results = {lang: PreparedResults(PairJudge(check, lang)) for lang in _LANGUAGES}
            self._prepared = _PreparedGraph(graph, check, reader, results)
        return self._prepared

    def _list_page(
        self,
        request: FindContraindicationsInput,
        prepared: _PreparedGraph,
        entities: list[HerbNode],
        asked: _AskedObjects,
    ) -> tuple[list[PreparedResult], int, str | None]:
        """Return the results of the page, the number of all results, and the cursor of the next page.

        A further page is formatted on its own: its results name in `repeats` only what the same page shows in full.
        """
        lang = _choose_language(request)
        kept = prepared.results[lang]
        lists = kept.find_lists(entities, asked.key, lambda entity: prepared.list_entity(entity, asked, lang))
        groups = sorted(chain.from_iterable(entity.groups for entity in lists), key=_get_sort_key)
        page, next_cursor = self._cut_page(request, groups)
        if request.cursor is None:
            return kept.format_page(page, lists), len(groups), next_cursor
        formatter = prepared.make_formatter(asked, lang)
        return [kept.format_group(formatter, group) for group in page], len(groups), next_cursor

    def _cut_page(
        self, request: FindContraindicationsInput, groups: list[WarningGroup]
    ) -> tuple[list[WarningGroup], str | None]:
        # The number tells these cursors from those of an earlier order, which are refused.
        query: dict[str, Any] = {"tool": "find_contraindications.2", **request.model_dump(exclude={"cursor", "limit"})}
        remaining = groups
        if request.cursor is not None:
            last = tuple(self.cursors.open(query, request.cursor))
            remaining = [group for group in groups if group.sort_key > last]
        page = remaining[: request.limit]
        return page, self.cursors.seal(query, list(page[-1].sort_key)) if len(remaining) > len(page) else None


async def _read_entries(request: FindContraindicationsInput, reader: EntryReader) -> _ReadRequest:
    entries = _ReadRequest([], [])
    for fields, entries_of_kind in ((_ENTITY_FIELDS, entries.entities), (_OBJECT_FIELDS, entries.objects)):
        for field_name, type in fields.items():
            for given in dict.fromkeys(getattr(request, field_name)):
                entries_of_kind += await reader.read_all(given, field_name, type)
    return entries


def _relate_objects(check: SafetyCheck, nodes: Mapping[tuple[str, bool], HerbNode]) -> RelatedObjects:
    related: dict[str, dict[str, ObjectRelation]] = defaultdict(dict)
    for (_, is_exact), node in nodes.items():
        for id, relation in check.expand_object(node, is_exact=is_exact).items():
            related[id].setdefault(node.id, relation)
    return dict(related)


def _find_groups(check: SafetyCheck, entity: HerbNode, asked: _AskedObjects) -> list[WarningGroup]:
    """Return what was asked first. Without any object, everything is asked. An unknown drug or condition adds all
    warnings about drugs or conditions, as not narrowed."""
    groups = check.find_warnings(entity)
    if asked.is_any:
        return sorted(groups, key=_get_sort_key)
    kept = []
    for group in groups:
        if relations := asked.related.get(group.object_id):
            kept.append(group.mark(is_matched=True, is_direct="itself" in relations.values()))
        elif group.strongest.to_type in asked.unknown_types:
            kept.append(group.mark(is_matched=False, is_direct=True))
    return sorted(kept, key=_get_sort_key)


def _list_ambiguous(entries: _ReadRequest) -> list[Entry]:
    return [entry for entry in (*entries.entities, *entries.objects) if entry.status == "ambiguous"]


def _describe_unresolved(entry: Entry, lang: Literal["th", "en"]) -> UnresolvedName:
    return UnresolvedName(
        given=entry.given,
        field=entry.field,
        reason="ambiguous" if entry.status == "ambiguous" else "unknown",
        candidates=to_candidates(entry.offered, lang),
        message=format_unresolved(entry, lang),
    )


def _choose_language(request: FindContraindicationsInput) -> Literal["th", "en"]:
    """Return the language of the request, Thai where `auto` meets any Thai letter."""
    if request.lang != "auto":
        return request.lang
    given = (*request.herb_ids, *request.formulation_ids, *request.drugs, *request.conditions)
    return "th" if any(map(has_thai, given)) else "en"
