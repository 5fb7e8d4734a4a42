"""Entities of a memory: the node of each person, organisation, place and thing that it names, found or made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from sanya.suite.text import Span, has_thai
from sanya.suites.memory.graph.context import GraphContext, make_node_names
from sanya.suites.memory.graph.entity_merging import BY_INITIALS, add_alias, merge_entity, undo_initials_merges
from sanya.suites.memory.graph.entity_resolution import (
    EntityCandidates,
    EntityReference,
    KnownEntity,
    format_name,
    make_lookup_names,
    make_stored_names,
    resolve_entity,
)
from sanya.suites.memory.graph.nicknames import find_nicknames
from sanya.suites.memory.parsing.aliases import find_aliases
from sanya.suites.memory.parsing.claims import ParsedClaim
from sanya.suites.memory.parsing.mentions import EntityKind
from sanya.suites.memory.parsing.names import make_name_key
from sanya.suites.memory.parsing.parser import ParsedText
from sanya.suites.memory.parsing.roles import find_object_role, find_subject_role
from sanya.suites.memory.storage.identifiers import make_node_id
from sanya.suites.memory.storage.records import EXTRACTED_LIKE, EXTRACTOR, MemoryNode, MemoryRecord, NodeKind

_MAX_NAMES = 60
# Companions in the first hundred memories of an entity. Edges that a model found do not identify anybody.
_COMPANIONS = f"""
SELECT DISTINCT other.from_id FROM
(SELECT to_id FROM memory_edges WHERE namespace = ? AND from_id = ? AND relation = 'participates'
AND properties NOT LIKE '{EXTRACTED_LIKE}' LIMIT 100) one
JOIN memory_edges other ON other.namespace = ? AND other.to_id = one.to_id AND other.relation = 'participates'
AND other.properties NOT LIKE '{EXTRACTED_LIKE}'"""  # noqa: S608 - a pattern of our own


@dataclass(frozen=True, slots=True)
class ResolvedMention:
    """A name of the memory and the node that it means."""

    reference: EntityReference
    node: MemoryNode


def list_references(context: GraphContext) -> list[EntityReference]:
    """Return every name of the memory once, with the role of its entity."""
    parsed = context.parsed
    references: dict[str, EntityReference] = {}

    def add(reference: EntityReference) -> None:
        known = references.get(reference.name)
        if known is None or (known.role is None and reference.role is not None):
            references[reference.name] = reference

    if parsed.row is not None:
        for name, role in parsed.row.people:
            add(EntityReference(name, "person", role, listed=True))
        for place, role in ((parsed.row.origin, "origin"), (parsed.row.destination, "destination")):
            if place:
                add(EntityReference(place, "place", role))
        return list(references.values())[:_MAX_NAMES]
    if parsed.spoken and parsed.spoken.speaker:
        add(EntityReference(parsed.spoken.speaker, "person", "speaker"))
    for mention in parsed.mentions:
        if _is_attribution(parsed, mention.span):
            continue
        add(EntityReference(mention.name, mention.kind, _find_role(parsed.claims, make_name_key(mention.name))))
    return list(references.values())[:_MAX_NAMES]


def _is_attribution(parsed: ParsedText, span: Span) -> bool:
    """Tell whether a name only attributes the statement to a source."""
    return any(
        attribution.span.start <= span.start and span.end <= attribution.span.end for attribution in parsed.attributions
    )


def _find_role(claims: Sequence[ParsedClaim], key: str) -> str | None:
    for claim in claims:
        if claim.subject_key == key:
            return find_subject_role(claim)
        if key in claim.name_keys:
            return find_object_role(claim)
    return None


async def add_entities(context: GraphContext) -> list[ResolvedMention]:
    """Find or make the node of each name, and link it with the memory.

    Initials come last, because the companions that identify them must be known first.
    """
    references = [*list_references(context), *await find_nicknames(context)]
    if not references:
        return []
    candidates = await load_candidates(context, references)
    mentions: list[ResolvedMention] = []
    for reference in sorted(references, key=lambda reference: reference.is_initials):
        mentions.append(await _resolve_reference(context, reference, candidates, mentions))
    context.entity_keys.update(
        {mention.reference.key: str(mention.node.properties.get("key", mention.reference.key)) for mention in mentions}
    )
    await context.save([_make_link(context, mention) for mention in mentions])
    await _merge_stated_aliases(context, mentions)
    return mentions


async def load_candidates(context: GraphContext, references: Sequence[EntityReference]) -> dict[str, list[KnownEntity]]:
    """Return known entities by folded name, without those that only a model found."""
    names = [name for reference in references for name in make_lookup_names(reference)]
    nodes = await context.reader.find_nodes_by_name(context.namespace, names)
    has_initials = any(reference.is_initials for reference in references)
    scripts = {has_thai(reference.key) for reference in references}
    candidates: dict[str, list[KnownEntity]] = {}
    known: dict[str, KnownEntity] = {}
    for folded, same_name in nodes.items():
        for node in same_name:
            if node.kind in ("agent", "artifact") and EXTRACTOR not in node.properties:
                known[node.id] = known.get(node.id) or await _load_known(
                    context, node, has_initials or has_thai(node.name) not in scripts
                )
                candidates.setdefault(folded, []).append(known[node.id])
    return candidates


async def _load_known(context: GraphContext, node: MemoryNode, with_companions: bool) -> KnownEntity:
    """Load a known entity. Its companions are queried only where the name does not suffice: initials, other script."""
    with_companions = with_companions and node.kind == "agent"
    rows = (
        await context.writer.transaction.fetch(_COMPANIONS, (context.namespace, node.id, context.namespace))
        if with_companions
        else []
    )
    keys = frozenset((str(node.properties.get("key", "")), *(make_name_key(alias) for alias in node.aliases)))
    kind = cast(EntityKind, node.dynamic_type or "thing")
    return KnownEntity(node.id, kind, keys, frozenset(str(row[0]) for row in rows) - {node.id})


async def _resolve_reference(
    context: GraphContext,
    reference: EntityReference,
    candidates: dict[str, list[KnownEntity]],
    mentions: Sequence[ResolvedMention],
) -> ResolvedMention:
    companions = [mention.node.id for mention in mentions]
    match = resolve_entity(reference, EntityCandidates(candidates).list_for(reference), companions)
    if match.entity_id is not None and not reference.is_initials:
        known = (await context.reader.find_nodes(context.namespace, [match.entity_id]))[match.entity_id]
        return ResolvedMention(
            reference, await add_alias(context, await _promote_to_person(context, known, reference), reference)
        )
    node = _make_node(context, reference)
    records: list[MemoryRecord] = [
        node,
        *make_node_names(node, [reference.name.casefold(), *make_stored_names(reference)]),
    ]
    for other, share in match.candidates:
        first, second = sorted((node.id, other))
        records.append(context.make_edge(first, "possibly_same", second, share=share))
    await context.save(records)
    stored = (await context.reader.find_nodes(context.namespace, [node.id]))[node.id]
    if match.entity_id not in (None, stored.id):
        return ResolvedMention(reference, await merge_entity(context, stored, str(match.entity_id), BY_INITIALS))
    if stored.merged_into is not None:
        return ResolvedMention(
            reference, (await context.reader.find_nodes(context.namespace, [stored.merged_into]))[stored.merged_into]
        )
    await undo_initials_merges(context, stored)
    for folded in make_stored_names(reference):
        candidates.setdefault(folded, []).append(KnownEntity(stored.id, reference.kind, frozenset([reference.key])))
    return ResolvedMention(reference, stored)


async def _promote_to_person(context: GraphContext, node: MemoryNode, reference: EntityReference) -> MemoryNode:
    """Make a thing a person if this memory shows that it is one."""
    if reference.kind != "person" or node.dynamic_type != "thing":
        return node
    person = replace(node, kind="agent", dynamic_type="person")
    await context.writer.put(person)
    await context.save(make_node_names(person, make_stored_names(reference)))
    return person


def _make_node(context: GraphContext, reference: EntityReference) -> MemoryNode:
    """Return a new node. An unnamed person is a different one in each memory."""
    owner = context.memory.id if reference.is_unnamed else ""
    kind: NodeKind = "agent" if reference.kind in ("person", "organisation") else "artifact"
    return MemoryNode(
        id=make_node_id(context.namespace, kind, reference.key, owner),
        namespace=context.namespace,
        kind=kind,
        name=format_name(reference),
        dynamic_type=reference.kind,
        properties={"key": reference.key},
    )


async def _merge_stated_aliases(context: GraphContext, mentions: Sequence[ResolvedMention]) -> None:
    """Merge entities that the memory itself says are one."""
    by_key = {mention.reference.key: mention.node for mention in mentions}
    for stated in find_aliases(context.memory.content[:16_384]):
        node = by_key.get(make_name_key(stated.name.name))
        if node is not None and stated.alias:
            alias = EntityReference(stated.alias, cast(EntityKind, node.dynamic_type or "thing"))
            other = by_key.get(alias.key) or await _find_only_bearer(context, alias)
            if other is not None and other.id != node.id:
                await merge_entity(context, other, node.id, "the text says so")
            else:
                await add_alias(context, node, alias)


async def _find_only_bearer(context: GraphContext, alias: EntityReference) -> MemoryNode | None:
    """Return the known entity of this very name, if there is only one."""
    nodes = (await context.reader.find_nodes_by_name(context.namespace, [alias.key])).get(alias.key, [])
    named = [node for node in nodes if node.properties.get("key") == alias.key and EXTRACTOR not in node.properties]
    return named[0] if len(named) == 1 else None


def _make_link(context: GraphContext, mention: ResolvedMention) -> MemoryRecord:
    """Return the edge of a mention: agents participate in a memory, things are mentioned in it."""
    if mention.node.kind == "agent":
        return context.make_edge(
            mention.node.id, "participates", context.memory.id, mention.reference.role, written=mention.reference.name
        )
    return context.make_edge(
        context.memory.id, "mentions", mention.node.id, mention.reference.role, written=mention.reference.name
    )
