"""Handler of tool.find_contraindications.

Every pair of the request gets a verdict. An entry that is not understood never hides a warning: what could concern it
is shown beside the rest, marked as not narrowed, and the summary says first what was not understood.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
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
from sanya.suites.herbs.safety.messages import format_summary
from sanya.suites.herbs.safety.notice import NOTICE
from sanya.suites.herbs.safety.prepared_results import (
    PreparedPair,
    PreparedReference,
    PreparedResult,
    PreparedResults,
)
from sanya.suites.herbs.safety.result_shapes import ResultFormatter, format_coverage
from sanya.suites.herbs.safety.verdicts import PairJudge, to_candidates

_ENTITY_FIELDS: dict[str, NodeType] = {"herb_ids": "herb", "formulation_ids": "formulation"}
_OBJECT_FIELDS: dict[str, NodeType] = {"drugs": "drug", "conditions": "condition"}
_LANGUAGES: tuple[Literal["th", "en"], ...] = ("th", "en")
_PREPARED_LISTS = {"results", "pairs", "references"}
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
class _PreparedGraph:
    graph: HerbGraph
    check: SafetyCheck
    reader: EntryReader
    results: Mapping[Literal["th", "en"], PreparedResults]
    related: LruCache[tuple[str, ...], RelatedObjects] = field(default_factory=lambda: LruCache(_MAX_KEPT_RELATED))

    def relate_objects(self, objects: list[Entry]) -> RelatedObjects:
        nodes = {node.id: node for entry in objects for node in entry.nodes}
        key = tuple(nodes)
        related = self.related.get(key)
        if related is None:
            related = _relate_objects(self.check, nodes.values())
            self.related.put(key, related)
        return related


@dataclass(frozen=True, slots=True)
class _Findings:
    """All that an answer says: the parts of the results, pairs and references, and the other fields."""

    results: list[PreparedResult]
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
        graph, check, lang = prepared.graph, prepared.check, _choose_language(request)
        kept = prepared.results[lang]
        entries = await _read_entries(request, prepared.reader)
        related = prepared.relate_objects(entries.objects)
        groups = _find_groups(check, entries, related)
        page, next_cursor = self._cut_page(request, groups)
        formatter = ResultFormatter(lang, graph.nodes, related, graph.sources)
        results = [kept.format_group(formatter, group) for group in page]
        pairs = kept.judge_pairs(entries.entities, entries.objects)
        others = ContraindicationPage(
            results=[],
            unknown_ids=[entry.given for entry in entries.entities if entry.status != "known"],
            unresolved=[_describe_unresolved(entry, lang) for entry in (*entries.unknown, *_list_ambiguous(entries))],
            coverage=[format_coverage(check.measure_coverage(node)) for node in entries.nodes],
            total=len(groups),
            next_cursor=next_cursor,
            notice=NOTICE[lang],
            summary=format_summary(entries.unknown, [pair.shape for pair in pairs], lang),
        )
        references = _list_references(results, graph, kept)
        context.cite(reference.shape.pmid for reference in references if reference.shape.pmid)
        return _Findings(results, pairs, references, others)

    async def _prepare_graph(self) -> _PreparedGraph:
        """Return the graph of now with what earlier requests found in it."""
        graph = await self.store.load_graph()
        if self._prepared is None or self._prepared.graph is not graph:
            reader = EntryReader(NameResolver(self.store), graph)
            check = SafetyCheck(graph)
            results = {lang: PreparedResults(PairJudge(check, lang)) for lang in _LANGUAGES}
            self._prepared = _PreparedGraph(graph, check, reader, results)
        return self._prepared

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


def _relate_objects(check: SafetyCheck, nodes: Iterable[HerbNode]) -> RelatedObjects:
    related: dict[str, dict[str, ObjectRelation]] = defaultdict(dict)
    for node in nodes:
        for id, relation in check.expand_object(node).items():
            related[id].setdefault(node.id, relation)
    return dict(related)


def _find_groups(check: SafetyCheck, entries: _ReadRequest, related: RelatedObjects) -> list[WarningGroup]:
    """Return what was asked first. Without any object, everything is asked. An unknown drug or condition adds all
    warnings about drugs or conditions, as not narrowed."""
    groups = check.find_warnings(entries.nodes)
    if not entries.objects:
        return sorted(groups, key=_get_sort_key)
    unknown_types = {_OBJECT_FIELDS[entry.field] for entry in entries.objects if not entry.is_understood}
    kept = []
    for group in groups:
        if relations := related.get(group.object_id):
            kept.append(group.mark(is_matched=True, is_direct="itself" in relations.values()))
        elif group.strongest.to_type in unknown_types:
            kept.append(group.mark(is_matched=False, is_direct=True))
    return sorted(kept, key=_get_sort_key)


def _list_ambiguous(entries: _ReadRequest) -> list[Entry]:
    return [entry for entry in (*entries.entities, *entries.objects) if entry.status == "ambiguous"]


def _describe_unresolved(entry: Entry, lang: Literal["th", "en"]) -> UnresolvedName:
    return UnresolvedName(
        given=entry.given,
        field=entry.field,
        reason="ambiguous" if entry.status == "ambiguous" else "unknown",
        candidates=to_candidates(entry.nodes, lang),
    )


def _list_references(results: list[PreparedResult], graph: HerbGraph, kept: PreparedResults) -> list[PreparedReference]:
    """Return the sources of what was asked, in the order in which the results cite them."""
    ids = dict.fromkeys(id for result in results if result.shape.narrowed for id in result.shape.sources)
    return [kept.format_reference(graph.sources[id]) for id in ids if id in graph.sources]


def _choose_language(request: FindContraindicationsInput) -> Literal["th", "en"]:
    """Return the language of the request, Thai where `auto` meets any Thai letter."""
    if request.lang != "auto":
        return request.lang
    given = (*request.herb_ids, *request.formulation_ids, *request.drugs, *request.conditions)
    return "th" if any(map(has_thai, given)) else "en"
