"""The people, organisations, places and things that a memory names, as nodes: known ones found again, new ones made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from sanya.suites.memory.graph.context import GraphContext, make_node_id, make_node_names
from sanya.suites.memory.graph.entity_merging import BY_INITIALS, add_alias, merge_entity, undo_initials_merges
from sanya.suites.memory.graph.entity_resolution import (
    EntityCandidates,
    EntityKind,
    EntityReference,
    KnownEntity,
    format_name,
    make_lookup_names,
    make_stored_names,
    resolve_entity,
)
from sanya.suites.memory.parsing.aliases import find_aliases
from sanya.suites.memory.parsing.claims import ParsedClaim
from sanya.suites.memory.parsing.names import make_name_key
from sanya.suites.memory.parsing.parser import ParsedText
from sanya.suites.memory.parsing.roles import find_object_role, find_subject_role
from sanya.suites.memory.storage.records import EXTRACTED_LIKE, EXTRACTOR, MemoryNode, MemoryRecord, NodeKind
from sanya.text.characters import has_thai
from sanya.text.spans import Span

_MOST_NAMES = 60
# Of the first hundred memories in which somebody appears. What a model found says nothing of who is who.
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


def list_references(thread: GraphContext) -> list[EntityReference]:
    """Everybody and everything that the memory names, with the part they play; each name once."""
    reading = thread.parsed
    found: dict[str, EntityReference] = {}

    def add(named: EntityReference) -> None:
        known = found.get(named.name)
        if known is None or (known.role is None and named.role is not None):
            found[named.name] = named

    if reading.row is not None:
        for name, role in reading.row.people:
            add(EntityReference(name, "person", role, listed=True))
        for place, role in ((reading.row.origin, "origin"), (reading.row.destination, "destination")):
            if place:
                add(EntityReference(place, "place", role))
        return list(found.values())[:_MOST_NAMES]
    if reading.spoken and reading.spoken.speaker:
        add(EntityReference(reading.spoken.speaker, "person", "speaker"))
    spoken_of = [one for one in reading.mentions if not _is_attribution(reading, one.span)]
    for mention in spoken_of:
        add(EntityReference(mention.name, mention.kind, _find_role(reading.claims, make_name_key(mention.name))))
    return list(found.values())[:_MOST_NAMES]


def _is_attribution(reading: ParsedText, span: Span) -> bool:
    """Whether a name only says whom the memory has it from."""
    return any(one.span.start <= span.start and span.end <= one.span.end for one in reading.attributions)


def _find_role(claims: Sequence[ParsedClaim], key: str) -> str | None:
    for claim in claims:
        if claim.subject_key == key:
            return find_subject_role(claim)
        if key in claim.name_keys:
            return find_object_role(claim)
    return None


async def add_entities(thread: GraphContext) -> list[ResolvedMention]:
    """Finds or makes the node of every name, and links it with the memory."""
    names = list_references(thread)
    if not names:
        return []
    crowd = await load_candidates(thread, names)
    met: list[ResolvedMention] = []
    for named in sorted(names, key=_initials_last):
        met.append(await _resolve_reference(thread, named, crowd, met))
    thread.entity_keys.update(
        {one.reference.key: str(one.node.properties.get("key", one.reference.key)) for one in met}
    )
    await thread.save([_make_link(thread, one) for one in met])
    await _merge_stated_aliases(thread, met)
    return met


def _initials_last(named: EntityReference) -> bool:
    return named.is_initials


async def load_candidates(thread: GraphContext, names: Sequence[EntityReference]) -> dict[str, list[KnownEntity]]:
    """Those whom the rules know by these names: whom only a model found is nobody to them."""
    sought = [one for named in names for one in make_lookup_names(named)]
    nodes = await thread.reader.find_nodes_by_name(thread.namespace, sought)
    unsure = any(named.is_initials for named in names)
    scripts = {has_thai(named.key) for named in names}
    crowd: dict[str, list[KnownEntity]] = {}
    seen: dict[str, KnownEntity] = {}
    for folded, some in nodes.items():
        for node in some:
            if node.kind in ("agent", "artifact") and EXTRACTOR not in node.properties:
                seen[node.id] = seen.get(node.id) or await _load_known(
                    thread, node, unsure or has_thai(node.name) not in scripts
                )
                crowd.setdefault(folded, []).append(seen[node.id])
    return crowd


async def _load_known(thread: GraphContext, node: MemoryNode, asked: bool) -> KnownEntity:
    """Whose company somebody keeps is asked only where the name alone does not tell: initials, the other script."""
    asked = asked and node.kind == "agent"
    rows = (
        await thread.writer.transaction.fetch(_COMPANIONS, (thread.namespace, node.id, thread.namespace))
        if asked
        else []
    )
    keys = frozenset((str(node.properties.get("key", "")), *(make_name_key(alias) for alias in node.aliases)))
    kind = cast(EntityKind, node.dynamic_type or "thing")
    return KnownEntity(node.id, kind, keys, frozenset(str(row[0]) for row in rows) - {node.id})


async def _resolve_reference(
    thread: GraphContext, named: EntityReference, crowd: dict[str, list[KnownEntity]], met: Sequence[ResolvedMention]
) -> ResolvedMention:
    beside = [one.node.id for one in met]
    found = resolve_entity(named, EntityCandidates(crowd).list_for(named), beside)
    if found.entity_id is not None and not named.is_initials:
        known = (await thread.reader.find_nodes(thread.namespace, [found.entity_id]))[found.entity_id]
        return ResolvedMention(named, await add_alias(thread, await _promote_to_person(thread, known, named), named))
    node = _make_node(thread, named)
    records: list[MemoryRecord] = [node, *make_node_names(node, [named.name.casefold(), *make_stored_names(named)])]
    for other, share in found.candidates:
        first, second = sorted((node.id, other))
        records.append(thread.make_edge(first, "possibly_same", second, share=share))
    await thread.save(records)
    kept = (await thread.reader.find_nodes(thread.namespace, [node.id]))[node.id]
    if found.entity_id not in (None, kept.id):
        return ResolvedMention(named, await merge_entity(thread, kept, str(found.entity_id), BY_INITIALS))
    if kept.merged_into is not None:
        return ResolvedMention(
            named, (await thread.reader.find_nodes(thread.namespace, [kept.merged_into]))[kept.merged_into]
        )
    await undo_initials_merges(thread, kept)
    for folded in make_stored_names(named):
        crowd.setdefault(folded, []).append(KnownEntity(kept.id, named.kind, frozenset([named.key])))
    return ResolvedMention(named, kept)


async def _promote_to_person(thread: GraphContext, node: MemoryNode, named: EntityReference) -> MemoryNode:
    """Somebody who was only a name so far, and now speaks or travels."""
    if named.kind != "person" or node.dynamic_type != "thing":
        return node
    person = replace(node, kind="agent", dynamic_type="person")
    await thread.writer.put(person)
    await thread.save(make_node_names(person, make_stored_names(named)))
    return person


def _make_node(thread: GraphContext, named: EntityReference) -> MemoryNode:
    """One who is not named is somebody else in every memory."""
    whose = thread.memory.id if named.is_unnamed else ""
    kind: NodeKind = "agent" if named.kind in ("person", "organisation") else "artifact"
    return MemoryNode(
        id=make_node_id(thread.namespace, kind, named.key, whose),
        namespace=thread.namespace,
        kind=kind,
        name=format_name(named),
        dynamic_type=named.kind,
        properties={"key": named.key},
    )


async def _merge_stated_aliases(thread: GraphContext, met: Sequence[ResolvedMention]) -> None:
    """Names that the memory itself says are one."""
    by_key = {one.reference.key: one.node for one in met}
    for said in find_aliases(thread.memory.content[:16_384]):
        node = by_key.get(make_name_key(said.name.name))
        if node is not None and said.alias:
            alias = EntityReference(said.alias, cast(EntityKind, node.dynamic_type or "thing"))
            other = by_key.get(alias.key)
            if other is not None and other.id != node.id:
                await merge_entity(thread, other, node.id, "the text says so")
            else:
                await add_alias(thread, node, alias)


def _make_link(thread: GraphContext, met: ResolvedMention) -> MemoryRecord:
    """Agents take part in a memory, things are mentioned in it."""
    if met.node.kind == "agent":
        return thread.make_edge(
            met.node.id, "participates", thread.memory.id, met.reference.role, written=met.reference.name
        )
    return thread.make_edge(thread.memory.id, "mentions", met.node.id, met.reference.role, written=met.reference.name)
