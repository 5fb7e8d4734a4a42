"""The people, organisations, places and things that a memory names, as nodes: known ones found again, new ones made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from sanya.suites.memory.graph.context import Thread, names_of, node_id
from sanya.suites.memory.graph.entity_merging import BY_INITIALS, merge_into, take_back_initials, with_alias
from sanya.suites.memory.graph.entity_resolution import (
    Crowd,
    EntityKind,
    Known,
    Named,
    kept_names,
    resolve,
    shown_name,
    sought_names,
)
from sanya.suites.memory.parsing.aliases import aliases_of
from sanya.suites.memory.parsing.claims import Claim
from sanya.suites.memory.parsing.names import name_key
from sanya.suites.memory.parsing.parser import Reading
from sanya.suites.memory.parsing.roles import role_of_object, role_of_subject
from sanya.suites.memory.storage.records import EXTRACTED_LIKE, EXTRACTOR, Node, NodeKind, Record
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
class Met:
    """A name of the memory and the node that it means."""

    named: Named
    node: Node


def named_in(thread: Thread) -> list[Named]:
    """Everybody and everything that the memory names, with the part they play; each name once."""
    reading = thread.reading
    found: dict[str, Named] = {}

    def add(named: Named) -> None:
        known = found.get(named.name)
        if known is None or (known.role is None and named.role is not None):
            found[named.name] = named

    if reading.row is not None:
        for name, role in reading.row.people:
            add(Named(name, "person", role, listed=True))
        for place, role in ((reading.row.origin, "origin"), (reading.row.destination, "destination")):
            if place:
                add(Named(place, "place", role))
        return list(found.values())[:_MOST_NAMES]
    if reading.spoken and reading.spoken.speaker:
        add(Named(reading.spoken.speaker, "person", "speaker"))
    spoken_of = [one for one in reading.mentions if not _names_source(reading, one.span)]
    for mention in spoken_of:
        add(Named(mention.name, mention.kind, _role(reading.claims, name_key(mention.name))))
    return list(found.values())[:_MOST_NAMES]


def _names_source(reading: Reading, span: Span) -> bool:
    """Whether a name only says whom the memory has it from."""
    return any(one.span.start <= span.start and span.end <= one.span.end for one in reading.attributions)


def _role(claims: Sequence[Claim], key: str) -> str | None:
    for claim in claims:
        if claim.subject_key == key:
            return role_of_subject(claim)
        if key in claim.names:
            return role_of_object(claim)
    return None


async def weave_people(thread: Thread) -> list[Met]:
    """Finds or makes the node of every name, and links it with the memory."""
    names = named_in(thread)
    if not names:
        return []
    crowd = await crowd_of(thread, names)
    met: list[Met] = []
    for named in sorted(names, key=_initials_last):
        met.append(await _meet(thread, named, crowd, met))
    thread.keys.update({one.named.key: str(one.node.properties.get("key", one.named.key)) for one in met})
    await thread.save([_link(thread, one) for one in met])
    await _said_same(thread, met)
    return met


def _initials_last(named: Named) -> bool:
    return named.is_initials


async def crowd_of(thread: Thread, names: Sequence[Named]) -> dict[str, list[Known]]:
    """Those whom the rules know by these names: whom only a model found is nobody to them."""
    sought = [one for named in names for one in sought_names(named)]
    nodes = await thread.reader.nodes_named(thread.namespace, sought)
    unsure = any(named.is_initials for named in names)
    scripts = {has_thai(named.key) for named in names}
    crowd: dict[str, list[Known]] = {}
    seen: dict[str, Known] = {}
    for folded, some in nodes.items():
        for node in some:
            if node.kind in ("agent", "artifact") and EXTRACTOR not in node.properties:
                seen[node.id] = seen.get(node.id) or await _known(
                    thread, node, unsure or has_thai(node.name) not in scripts
                )
                crowd.setdefault(folded, []).append(seen[node.id])
    return crowd


async def _known(thread: Thread, node: Node, asked: bool) -> Known:
    """Whose company somebody keeps is asked only where the name alone does not tell: initials, the other script."""
    asked = asked and node.kind == "agent"
    rows = (
        await thread.writer.transaction.fetch(_COMPANIONS, (thread.namespace, node.id, thread.namespace))
        if asked
        else []
    )
    keys = frozenset((str(node.properties.get("key", "")), *(name_key(alias) for alias in node.aliases)))
    kind = cast(EntityKind, node.dynamic_type or "thing")
    return Known(node.id, kind, keys, frozenset(str(row[0]) for row in rows) - {node.id})


async def _meet(thread: Thread, named: Named, crowd: dict[str, list[Known]], met: Sequence[Met]) -> Met:
    beside = [one.node.id for one in met]
    found = resolve(named, Crowd(crowd).around(named), beside)
    if found.same is not None and not named.is_initials:
        known = (await thread.reader.nodes(thread.namespace, [found.same]))[found.same]
        return Met(named, await with_alias(thread, await _as_person(thread, known, named), named))
    node = _new_node(thread, named)
    records: list[Record] = [node, *names_of(node, [named.name.casefold(), *kept_names(named)])]
    for other, share in found.possibly:
        first, second = sorted((node.id, other))
        records.append(thread.edge(first, "possibly_same", second, share=share))
    await thread.save(records)
    kept = (await thread.reader.nodes(thread.namespace, [node.id]))[node.id]
    if found.same not in (None, kept.id):
        return Met(named, await merge_into(thread, kept, str(found.same), BY_INITIALS))
    if kept.merged_into is not None:
        return Met(named, (await thread.reader.nodes(thread.namespace, [kept.merged_into]))[kept.merged_into])
    await take_back_initials(thread, kept)
    for folded in kept_names(named):
        crowd.setdefault(folded, []).append(Known(kept.id, named.kind, frozenset([named.key])))
    return Met(named, kept)


async def _as_person(thread: Thread, node: Node, named: Named) -> Node:
    """Somebody who was only a name so far, and now speaks or travels."""
    if named.kind != "person" or node.dynamic_type != "thing":
        return node
    person = replace(node, kind="agent", dynamic_type="person")
    await thread.writer.put(person)
    await thread.save(names_of(person, kept_names(named)))
    return person


def _new_node(thread: Thread, named: Named) -> Node:
    """One who is not named is somebody else in every memory."""
    whose = thread.memory.id if named.is_unnamed else ""
    kind: NodeKind = "agent" if named.kind in ("person", "organisation") else "artifact"
    return Node(
        id=node_id(thread.namespace, kind, named.key, whose),
        namespace=thread.namespace,
        kind=kind,
        name=shown_name(named),
        dynamic_type=named.kind,
        properties={"key": named.key},
    )


async def _said_same(thread: Thread, met: Sequence[Met]) -> None:
    """Names that the memory itself says are one."""
    by_key = {one.named.key: one.node for one in met}
    for said in aliases_of(thread.memory.content[:16_384]):
        node = by_key.get(name_key(said.name.name))
        if node is not None and said.alias:
            alias = Named(said.alias, cast(EntityKind, node.dynamic_type or "thing"))
            other = by_key.get(alias.key)
            if other is not None and other.id != node.id:
                await merge_into(thread, other, node.id, "the text says so")
            else:
                await with_alias(thread, node, alias)


def _link(thread: Thread, met: Met) -> Record:
    """Agents take part in a memory, things are mentioned in it."""
    if met.node.kind == "agent":
        return thread.edge(met.node.id, "participates", thread.memory.id, met.named.role, written=met.named.name)
    return thread.edge(thread.memory.id, "mentions", met.node.id, met.named.role, written=met.named.name)
