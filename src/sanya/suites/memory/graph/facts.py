"""Facts of a memory: nodes under the key of the property that each sets, and the memories that it replaces.

Of two memories that give one property different values, the later replaces the earlier if its text says so ("moved to",
"correction:") or if it was sent on a later day: things change. An edge `supersedes` links them, nothing is deleted, and
no rating falls. Without such a sign, on one day, they contradict each other.

Facts meet under equal keys. Statements, which are laid side by side, have none: a memory is also stored under the words
of its statements, and compared with the memories that share most of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Literal, NamedTuple

from sanya.suites.memory.contradictions.alignment import list_topic_words
from sanya.suites.memory.contradictions.facts import find_facts
from sanya.suites.memory.contradictions.stated_fact import StatedFact, find_fact_conflict, is_same_fact
from sanya.suites.memory.contradictions.statement_conflicts import find_statement_conflict
from sanya.suites.memory.contradictions.statements import MemoryStatement, read_statements
from sanya.suites.memory.graph.claims import add_contradiction, choose_nature
from sanya.suites.memory.graph.context import MAX_NAME_CHARS, GraphContext, make_node_names
from sanya.suites.memory.ratings.rerating import is_marked_instruction
from sanya.suites.memory.storage.identifiers import make_edge_id, make_node_id
from sanya.suites.memory.storage.records import Memory, MemoryNode, MemoryRecord

if TYPE_CHECKING:
    from sanya.suites.memory.storage.reader import MemoryReader

MAX_FACTS = 8
_MAX_COMPARED = 200
_PREFIX = "fact:"
_TOPIC_PREFIX = "topic:"
_MAX_SHARING = 8

FactLinkRelation = Literal["corrects", "contradicts", "supports"]


class FactLink(NamedTuple):
    """A relation of a memory to an earlier one, with the reason."""

    relation: FactLinkRelation
    memory: Memory
    reason: str


def list_facts(memory: Memory) -> tuple[StatedFact, ...]:
    return find_facts(memory.content, date.fromisoformat(memory.created_at[:10]))[:MAX_FACTS]


def list_statements(memory: Memory) -> tuple[MemoryStatement, ...]:
    return read_statements(memory.content, date.fromisoformat(memory.created_at[:10]))


async def add_facts(context: GraphContext) -> list[FactLink]:
    """Add the facts of the memory, and an edge to each memory that it replaces. Return all its links."""
    facts = list_facts(context.memory)
    links = await find_fact_links(context.reader, context.memory, facts)
    records: list[MemoryRecord] = []
    for fact in facts:
        node = MemoryNode(
            id=make_node_id(context.namespace, "fact", context.memory.id, fact.key, str(fact.has_value)),
            namespace=context.namespace,
            kind="claim",
            name=" ".join(context.memory.content.split())[:MAX_NAME_CHARS],
            dynamic_type="fact",
        )
        records += [node, *make_node_names(node, [_PREFIX + fact.key])]
        records.append(context.make_edge(context.memory.id, "states", node.id))
    records += _make_topic_records(context)
    for link in links:
        if link.relation == "corrects":
            newer, older = _order(context.memory, link.memory)
            edge = context.make_edge(newer.id, "supersedes", older.id, reason=link.reason)
            records.append(replace(edge, id=make_edge_id(newer.id, "supersedes", older.id), memory_id=newer.id))
            context.superseded.add(link.memory.id)
    await context.save(records)
    return links


def _make_topic_records(context: GraphContext) -> list[MemoryRecord]:
    """Return the node under which the memory is found by the words of its statements."""
    words = list_topic_words(list_statements(context.memory))
    if not words:
        return []
    node = MemoryNode(
        id=make_node_id(context.namespace, "topic", context.memory.id),
        namespace=context.namespace,
        kind="claim",
        name=" ".join(context.memory.content.split())[:MAX_NAME_CHARS],
        dynamic_type="topic",
    )
    names = make_node_names(node, [_TOPIC_PREFIX + word for word in words])
    return [node, *names, context.make_edge(context.memory.id, "states", node.id)]


async def add_fact_contradictions(context: GraphContext, links: Sequence[FactLink]) -> None:
    """Record the contradictions that the claims of the memory did not show already."""
    opposed = [link for link in links if link.relation == "contradicts"]
    if not opposed:
        return
    known = await context.reader.find_contradictions(context.namespace, [context.memory.id])
    recorded = {side for found in known for side in (found.memory_id, found.other_id)}
    for link in opposed:
        if link.memory.id not in recorded:
            nature = await choose_nature(context, link.memory.id)
            await add_contradiction(context, link.memory.id, nature, link.reason)


async def find_fact_links(
    reader: MemoryReader, memory: Memory, facts: Sequence[StatedFact], pending: Sequence[Memory] = ()
) -> list[FactLink]:
    """Return what a memory corrects, contradicts and supports, among stored facts and memories that still wait."""
    words = list_topic_words(list_statements(memory))
    if not (facts or words) or is_marked_instruction(memory):
        return []
    nodes = await reader.find_nodes_by_name(memory.namespace, [_PREFIX + fact.key for fact in facts]) if facts else {}
    ids = [node.id for same_key in nodes.values() for node in same_key][:_MAX_COMPARED]
    names = [_TOPIC_PREFIX + word for word in words]
    ids += await reader.find_nodes_sharing_names(memory.namespace, names, _MAX_SHARING) if names else []
    edges = await reader.find_edges_to(memory.namespace, ids, "states") if ids else []
    found = await reader.find_memories(memory.namespace, sorted({edge.from_id for edge in edges} - {memory.id}))
    others = {**found, **{other.id: other for other in pending if other.id != memory.id}}
    links = []
    for other in sorted(others.values(), key=lambda item: (item.created_at, item.arrival)):
        if other.retired_at is None and not is_marked_instruction(other):
            link = _compare(memory, facts, other)
            if link is not None:
                links.append(link)
    return links


def _compare(memory: Memory, facts: Sequence[StatedFact], other: Memory) -> FactLink | None:
    known_facts = list_facts(other) if facts else ()
    for fact in facts:
        for known in known_facts:
            reason = find_fact_conflict(fact, known)
            if reason is not None:
                newest = _order(memory, other)[0]
                announced = (fact if newest is memory else known).replaces
                is_later = memory.created_at[:10] != other.created_at[:10]
                return FactLink("corrects" if announced or is_later else "contradicts", other, reason)
    newer, older = _order(memory, other)
    conflict = find_statement_conflict(list_statements(newer), list_statements(older))
    if conflict is not None:
        is_correction = conflict.is_announced or memory.created_at[:10] != other.created_at[:10]
        return FactLink("corrects" if is_correction else "contradicts", other, conflict.reason)
    for fact in facts:
        if any(is_same_fact(fact, known) for known in known_facts):
            return FactLink("supports", other, "both give the same value")
    return None


def _order(memory: Memory, other: Memory) -> tuple[Memory, Memory]:
    """Return the later memory and the earlier one."""
    pair = sorted((memory, other), key=lambda item: (item.created_at, item.arrival))
    return pair[1], pair[0]
