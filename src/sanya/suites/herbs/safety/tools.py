"""Handler of tool.find_contraindications.

Every pair of the request gets a verdict. An entry that is not understood never hides a warning: what could concern it
is shown beside the rest, marked as not narrowed, and the summary says first what was not understood.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from sanya.suite import Context, Cursors, InvalidArgument
from sanya.suite.text import has_thai
from sanya.suites.herbs.graph.model import HerbGraph, HerbNode, NodeType
from sanya.suites.herbs.graph.name_resolver import NameResolver
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.safety.check import ObjectRelation, RelatedObjects, SafetyCheck, WarningGroup
from sanya.suites.herbs.safety.contract import (
    Contraindication,
    ContraindicationPage,
    FindContraindicationsInput,
    SourceReference,
    UnresolvedName,
    WarningStatement,
)
from sanya.suites.herbs.safety.entries import EntryReader
from sanya.suites.herbs.safety.entry import Entry
from sanya.suites.herbs.safety.messages import format_summary
from sanya.suites.herbs.safety.notice import NOTICE
from sanya.suites.herbs.safety.result_shapes import ResultFormatter, format_coverage
from sanya.suites.herbs.safety.verdicts import MAX_KEPT_PAIRS, KeptWarnings, PairJudge, to_candidates

_ENTITY_FIELDS: dict[str, NodeType] = {"herb_ids": "herb", "formulation_ids": "formulation"}
_OBJECT_FIELDS: dict[str, NodeType] = {"drugs": "drug", "conditions": "condition"}


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
    statements: dict[str, dict[tuple[str, str, str], WarningStatement]] = field(
        default_factory=lambda: {"th": {}, "en": {}}
    )
    """Formatted statements by language."""
    pairs: KeptWarnings = field(default_factory=lambda: KeptWarnings(MAX_KEPT_PAIRS))


class SafetyTools:
    def __init__(self, store: HerbStore, cursors: Cursors) -> None:
        self.store = store
        self.cursors = cursors
        self._prepared: _PreparedGraph | None = None

    async def find_contraindications(
        self, request: FindContraindicationsInput, context: Context
    ) -> ContraindicationPage:
        if not request.herb_ids and not request.formulation_ids:
            raise InvalidArgument(
                "name at least one herb in herb_ids or formulation in formulation_ids", field="herb_ids"
            )
        prepared = await self._prepare_graph()
        graph, check, lang = prepared.graph, prepared.check, _choose_language(request)
        entries = await _read_entries(request, prepared.reader)
        related = _relate_objects(check, entries.objects)
        groups = _find_groups(check, entries, related)
        page, next_cursor = self._cut_page(request, groups)
        formatter = ResultFormatter(lang, graph.nodes, related, prepared.statements[lang], graph.sources)
        results = [formatter.format_group(group) for group in page]
        pairs = PairJudge(check, lang, prepared.pairs).judge_all(entries.entities, entries.objects)
        references = _list_references(results, graph)
        context.cite(source.pmid for source in references if source.pmid)
        return ContraindicationPage(
            results=results,
            unknown_ids=[entry.given for entry in entries.entities if entry.status != "known"],
            unresolved=[_describe_unresolved(entry, lang) for entry in (*entries.unknown, *_list_ambiguous(entries))],
            coverage=[format_coverage(check.measure_coverage(node)) for node in entries.nodes],
            total=len(groups),
            next_cursor=next_cursor,
            notice=NOTICE[lang],
            summary=format_summary(entries.unknown, pairs, lang),
            pairs=pairs,
            references=references,
        )

    async def _prepare_graph(self) -> _PreparedGraph:
        """Return the graph of now with what earlier requests found in it."""
        graph = await self.store.load_graph()
        if self._prepared is None or self._prepared.graph is not graph:
            reader = EntryReader(NameResolver(self.store), graph)
            self._prepared = _PreparedGraph(graph, SafetyCheck(graph), reader)
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


def _relate_objects(check: SafetyCheck, objects: list[Entry]) -> RelatedObjects:
    related: dict[str, dict[str, ObjectRelation]] = defaultdict(dict)
    for entry in objects:
        for node in entry.nodes:
            for id, relation in check.expand_object(node).items():
                related[id].setdefault(node.id, relation)
    return related


def _find_groups(check: SafetyCheck, entries: _ReadRequest, related: RelatedObjects) -> list[WarningGroup]:
    """Return what was asked first. Without any object, everything is asked. An unknown drug or condition adds all
    warnings about drugs or conditions, as not narrowed."""
    groups = check.find_warnings(entries.nodes)
    if not entries.objects:
        return groups
    unknown_types = {_OBJECT_FIELDS[entry.field] for entry in entries.objects if not entry.is_understood}
    kept = []
    for group in groups:
        if relations := related.get(group.object_id):
            kept.append(replace(group, is_direct="itself" in relations.values()))
        elif group.strongest.to_type in unknown_types:
            kept.append(replace(group, is_matched=False))
    return sorted(kept, key=lambda group: group.sort_key)


def _list_ambiguous(entries: _ReadRequest) -> list[Entry]:
    return [entry for entry in (*entries.entities, *entries.objects) if entry.status == "ambiguous"]


def _describe_unresolved(entry: Entry, lang: Literal["th", "en"]) -> UnresolvedName:
    return UnresolvedName(
        given=entry.given,
        field=entry.field,
        reason="ambiguous" if entry.status == "ambiguous" else "unknown",
        candidates=to_candidates(entry.nodes, lang),
    )


def _list_references(results: list[Contraindication], graph: HerbGraph) -> list[SourceReference]:
    """Return the sources of what was asked, in the order in which the results cite them."""
    ids = dict.fromkeys(id for result in results if result.narrowed for id in result.sources)
    sources = [graph.sources[id] for id in ids if id in graph.sources]
    return [
        SourceReference(
            id=source.id,
            title=source.title,
            year=source.year,
            url=source.url,
            how_read=source.how_read,
            pmid=source.pmid,
            standing=source.standing,
        )
        for source in sources
    ]


def _choose_language(request: FindContraindicationsInput) -> Literal["th", "en"]:
    """Return the language of the request, Thai where `auto` meets any Thai letter."""
    if request.lang != "auto":
        return request.lang
    given = (*request.herb_ids, *request.formulation_ids, *request.drugs, *request.conditions)
    return "th" if any(map(has_thai, given)) else "en"
