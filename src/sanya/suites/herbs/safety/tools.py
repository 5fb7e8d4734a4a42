"""Handler of tool.find_contraindications.

The check never guesses a name. A name that means several species, or that only resembles one, is reported in
`unresolved` with its candidates and is not checked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from sanya.kernel.call import Context
from sanya.kernel.cursors import Cursors
from sanya.kernel.faults import InvalidArgument
from sanya.suites.herbs.contract import EntityCandidate
from sanya.suites.herbs.graph.model import HerbNode, NodeType
from sanya.suites.herbs.graph.name_resolver import AmbiguousMatch, NameResolution, NameResolver, ResolvedName
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.safety.check import SafetyCheck, WarningGroup
from sanya.suites.herbs.safety.contract import ContraindicationPage, FindContraindicationsInput, UnresolvedName
from sanya.suites.herbs.safety.notice import NOTICE
from sanya.suites.herbs.safety.result_shapes import ResultFormatter, format_coverage
from sanya.text.characters import has_thai

_ENTITY_FIELDS = ("herb_ids", "formulation_ids")
_FIELD_TYPES: dict[str, tuple[NodeType, ...]] = {
    "herb_ids": ("herb",),
    "formulation_ids": ("formulation",),
    "drugs": ("drug",),
    "conditions": ("condition",),
}


@dataclass(frozen=True, slots=True)
class _ResolvedRequest:
    """The nodes that the request names: what to check, and which drugs and conditions to check it against."""

    entities: list[HerbNode] = field(default_factory=list)
    objects: list[HerbNode] = field(default_factory=list)
    unresolved: list[UnresolvedName] = field(default_factory=list)

    def add(self, node: HerbNode) -> None:
        """Add a node once, however many of its names the request holds."""
        nodes = self.entities if node.type in ("herb", "formulation") else self.objects
        if node not in nodes:
            nodes.append(node)


@dataclass(frozen=True, slots=True)
class SafetyTools:
    store: HerbStore
    cursors: Cursors

    async def find_contraindications(
        self, request: FindContraindicationsInput, context: Context
    ) -> ContraindicationPage:
        del context
        if not request.herb_ids and not request.formulation_ids:
            raise InvalidArgument(
                "name at least one herb in herb_ids or formulation in formulation_ids", field="herb_ids"
            )
        resolved = await self._resolve_names(request)
        check = SafetyCheck(self.store)
        # A drug or condition that is not known restricts nothing: too many warnings are better than a silence that
        # could be read as "safe".
        related = await check.find_related_objects(node.id for node in resolved.objects) if resolved.objects else None
        groups = await check.find_warnings(resolved.entities, related)
        page, next_cursor = self._cut_page(request, groups)
        objects = await self.store.get_nodes(group.object_id for group in page)
        lang = _choose_language(request)
        formatter = ResultFormatter(lang, objects, related or {})
        return ContraindicationPage(
            results=[formatter.format_group(group) for group in page],
            unknown_ids=[name.given for name in resolved.unresolved if name.field in _ENTITY_FIELDS],
            unresolved=resolved.unresolved,
            coverage=[format_coverage(record) for record in await check.measure_coverage(resolved.entities)],
            total=len(groups),
            next_cursor=next_cursor,
            notice=NOTICE[lang],
        )

    async def _resolve_names(self, request: FindContraindicationsInput) -> _ResolvedRequest:
        resolver, resolved = NameResolver(self.store), _ResolvedRequest()
        for field_name, types in _FIELD_TYPES.items():
            for given in dict.fromkeys(getattr(request, field_name)):
                resolution = await resolver.resolve(given, types)
                if isinstance(resolution, ResolvedName) and resolution.is_certain:
                    resolved.add(resolution.node)
                else:
                    resolved.unresolved.append(await self._describe_unresolved(field_name, given, resolution))
        return resolved

    async def _describe_unresolved(self, field_name: str, given: str, resolution: NameResolution) -> UnresolvedName:
        candidates = resolution.candidates or (await NameResolver(self.store).resolve(given)).candidates
        return UnresolvedName(
            given=given,
            field=field_name,
            reason="ambiguous" if isinstance(resolution, AmbiguousMatch) else "unknown",
            candidates=[EntityCandidate(id=candidate.node.id, label=candidate.node.label) for candidate in candidates],
        )

    def _cut_page(
        self, request: FindContraindicationsInput, groups: list[WarningGroup]
    ) -> tuple[list[WarningGroup], str | None]:
        query: dict[str, Any] = {"tool": "find_contraindications", **request.model_dump(exclude={"cursor", "limit"})}
        remaining = groups
        if request.cursor is not None:
            rank, entity_id, object_id = self.cursors.open(query, request.cursor)
            remaining = [group for group in groups if group.sort_key > (rank, entity_id, object_id)]
        page = remaining[: request.limit]
        return page, self.cursors.seal(query, list(page[-1].sort_key)) if len(remaining) > len(page) else None


def _choose_language(request: FindContraindicationsInput) -> Literal["th", "en"]:
    """Return the language of the request, Thai where `auto` meets any Thai letter."""
    if request.lang != "auto":
        return request.lang
    given = (*request.herb_ids, *request.formulation_ids, *request.drugs, *request.conditions)
    return "th" if any(map(has_thai, given)) else "en"
