"""The five corrections. Each keeps what it replaces, is logged, and can be tried with a dry run or undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sanya.suite import NotFound
from sanya.suite.runtime import is_earlier_try
from sanya.suites.memory.contract import MAX_TYPE_CHARS, CorrectionAction
from sanya.suites.memory.dialect import InvalidMergeTarget
from sanya.suites.memory.extraction.queue import requeue
from sanya.suites.memory.extraction.removal import remove_model_findings
from sanya.suites.memory.ratings.rating import UNCORROBORATED, Rating, choose_better, downgrade_rating
from sanya.suites.memory.ratings.rerating import RatingChange, find_derived, find_peers, rerate
from sanya.suites.memory.secrets import redact_secrets
from sanya.suites.memory.storage.identifiers import make_correction_id, make_memory_id
from sanya.suites.memory.storage.reader import MemoryReader
from sanya.suites.memory.storage.records import Memory, Provenance
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.storage.writer import MemoryWriter
from sanya.suites.memory.writes.correction_log import (
    find_correction_time,
    record_correction,
    undo_correction,
)
from sanya.suites.memory.writes.correction_payloads import (
    AnnotatePayload,
    AnyPayload,
    ContestPayload,
    MergePayload,
    ReclassifyPayload,
    SplitPayload,
    UndoPayload,
    parse_payload,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionRequest:
    """A correction to apply.

    Ids are made from `key`, which a retry of the call has as well, or from `call` if an older correction has that key.
    """

    key: str
    call: str = ""
    namespace: str
    target_id: str
    action: CorrectionAction
    caller: str
    at: str
    payload: dict[str, Any] | None = field(default=None)


class _DryRunRollback(Exception):
    """Rolls the transaction of a dry run back."""


class Corrector:
    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    async def correct(self, correction: CorrectionRequest) -> dict[str, Any]:
        """Apply a correction and return its details. An unknown target is reported before an invalid payload."""
        done_at = await find_correction_time(self._store, correction) if correction.call else None
        if done_at is not None and is_earlier_try(done_at, datetime.fromisoformat(correction.at)):
            return {"undo": make_correction_id(correction.key), "repeated": True}
        if done_at is not None:
            correction = replace(correction, key=correction.call)
        target = await self._store.reader.find_memory(correction.namespace, correction.target_id)
        if target is None or (target.retired_at is not None and "undo" not in (correction.payload or {})):
            raise await self._explain_absence(correction)
        payload = parse_payload(correction.action, correction.payload)
        if isinstance(payload, UndoPayload):
            return await undo_correction(self._store, correction.namespace, payload.undo, correction.at)
        details: dict[str, Any] = {}
        try:
            async with self._store.write_transaction(
                len(payload.split_into) if isinstance(payload, SplitPayload) else 0
            ) as writer:
                details = await self._apply(writer, correction, payload)
                if payload.dry_run:
                    raise _DryRunRollback
                details["undo"] = await record_correction(writer, correction)
        except _DryRunRollback:
            details = {"dry_run": True, **details}
        return details

    async def _explain_absence(self, correction: CorrectionRequest) -> NotFound:
        """Return the fault for a target that is no memory. Participants have ids that look alike."""
        nodes = await self._store.reader.find_nodes(correction.namespace, [correction.target_id])
        if correction.target_id not in nodes:
            return make_not_found(correction.target_id)
        return NotFound(
            f"{correction.target_id!r} is the participant {nodes[correction.target_id].name[:80]!r}, not a memory; "
            "correct_memory takes ids of memories: list_memories with this entity finds them"
        )

    async def _apply(self, writer: MemoryWriter, correction: CorrectionRequest, payload: AnyPayload) -> dict[str, Any]:
        reader = self._store.make_reader(writer)
        target = await reader.find_memory(correction.namespace, correction.target_id)
        if target is None or target.retired_at is not None:
            raise make_not_found(correction.target_id)
        match payload:
            case ContestPayload():
                return await self._contest(writer, target, correction, payload)
            case AnnotatePayload():
                return await _annotate(writer, target, correction, payload)
            case MergePayload():
                return await self._merge(writer, target, correction, payload)
            case SplitPayload():
                return await self._split(writer, target, correction, payload)
            case ReclassifyPayload():
                return await _reclassify(writer, target, correction, payload)
            case UndoPayload():
                raise AssertionError("an undo has no effect of its own to apply")

    async def _contest(
        self, writer: MemoryWriter, target: Memory, correction: CorrectionRequest, payload: ContestPayload
    ) -> dict[str, Any]:
        reason = redact_secrets(payload.reason).text
        entry = {"reason": reason, "at": correction.at, "by": correction.caller}
        contested = replace(
            target,
            rating=downgrade_rating(target.rating),
            contests=target.contests + 1,
            properties={**_append_history(target.properties, "contests", entry), "contested": True},
        )
        await writer.put(contested)
        reader = self._store.make_reader(writer)
        # A contested memory no longer corroborates those that say the same.
        peers = [peer.id for peer in await find_peers(reader, contested)]
        derived = await find_derived(reader, target.namespace, [target.id])
        affected = [target.id, *peers, *derived]
        changes = await rerate(self._store, writer, target.namespace, affected, only_down=True)
        after = next((change.after for change in changes if change.id == target.id), contested.rating)
        others = [change for change in changes if change.id != target.id]
        # What only a model found in a contested memory is removed; what the rules found stays.
        await remove_model_findings(writer, reader, target)
        own = [RatingChange(target.id, target.rating, after)] if after != target.rating else []
        return {
            "before": str(target.rating),
            "after": str(after),
            "reason": reason,
            "changed": _format_changes(own + others),
        }

    async def _merge(
        self, writer: MemoryWriter, target: Memory, correction: CorrectionRequest, payload: MergePayload
    ) -> dict[str, Any]:
        reader = self._store.make_reader(writer)
        second = await reader.find_memory(correction.namespace, payload.merge_with)
        if payload.merge_with == target.id or second is None or second.retired_at is not None:
            raise InvalidMergeTarget(
                f"merge_with must be the id of another memory, got {payload.merge_with[:80]!r}", field="merge_with"
            )
        better = target if choose_better(target.rating, second.rating) == target.rating else second
        entry = {"id": second.id, "content": second.content, "confidence": str(second.rating), "at": correction.at}
        merged = replace(
            target,
            content=f"{target.content}\n{second.content}",
            rating=better.rating,
            base=better.base,
            contests=better.contests,
            properties=_append_history({**second.properties, **target.properties}, "merged", entry),
            consolidated_at=None,
        )
        await writer.put(merged)
        await writer.put(
            replace(second, retired_at=correction.at, properties=_note_retirement(second, merged_into=target.id))
        )
        for source in (await reader.find_sources([second.id]))[second.id]:
            await writer.put(Provenance(target.id, source.id))
        # The target is consolidated again with the text of both.
        await remove_model_findings(writer, reader, second)
        await _move_links(writer, reader, second, target)
        await requeue(writer.transaction, target.id)
        return {"merged": second.id, "confidence": str(better.rating)}

    async def _split(
        self, writer: MemoryWriter, target: Memory, correction: CorrectionRequest, payload: SplitPayload
    ) -> dict[str, Any]:
        sources = (await self._store.make_reader(writer).find_sources([target.id]))[target.id]
        rating = Rating(target.rating.letter, UNCORROBORATED)
        children = []
        for number, part in enumerate(payload.split_into):
            child = replace(
                target,
                id=make_memory_id(f"{correction.key}:{number}"),
                arrival=writer.take_arrival(),
                content=redact_secrets(part).text,
                rating=rating,
                base=rating,
                contests=0,
                properties={"split_from": target.id},
                created_at=correction.at,
                consolidated_at=None,
            )
            await writer.put(child, *(Provenance(child.id, source.id) for source in sources))
            children.append(child.id)
        await writer.put(
            replace(target, retired_at=correction.at, properties=_note_retirement(target, split_into=children))
        )
        return {"children": children, "confidence": str(rating)}


async def _annotate(
    writer: MemoryWriter, target: Memory, correction: CorrectionRequest, payload: AnnotatePayload
) -> dict[str, Any]:
    entry = {"note": redact_secrets(payload.note).text, "at": correction.at, "by": correction.caller}
    annotated = replace(target, properties=_append_history(target.properties, "annotations", entry))
    await writer.put(annotated)
    return {"note": entry["note"], "annotation_count": len(annotated.properties["annotations"])}


async def _reclassify(
    writer: MemoryWriter, target: Memory, correction: CorrectionRequest, payload: ReclassifyPayload
) -> dict[str, Any]:
    new_type = redact_secrets(payload.new_type).text[:MAX_TYPE_CHARS]
    entry = {"from": target.type, "to": new_type, "at": correction.at, "by": correction.caller}
    await writer.put(
        replace(target, type=new_type, properties=_append_history(target.properties, "reclassifications", entry))
    )
    return {"old_type": target.type, "new_type": new_type}


async def _move_links(writer: MemoryWriter, reader: MemoryReader, second: Memory, target: Memory) -> None:
    """Move all edges and contradictions of the second memory to the target."""
    namespace = second.namespace

    def redirect(end: str) -> str:
        return target.id if end == second.id else end

    edges = [
        *await reader.find_edges_from(namespace, [second.id]),
        *await reader.find_edges_to(namespace, [second.id]),
        *await reader.find_edges_stated_by(namespace, [second.id]),
    ]
    for edge in {edge.id: edge for edge in edges}.values():
        moved = replace(
            edge,
            from_id=redirect(edge.from_id),
            to_id=redirect(edge.to_id),
            memory_id=edge.memory_id and redirect(edge.memory_id),
        )
        await (writer.remove(edge) if moved.from_id == moved.to_id else writer.put(moved))
    of_target = await reader.find_contradictions(namespace, [target.id])
    known = {(existing.memory_id, existing.other_id, existing.nature) for existing in of_target}
    for contradiction in await reader.find_contradictions(namespace, [second.id]):
        memory_id, other_id = redirect(contradiction.memory_id), redirect(contradiction.other_id)
        if memory_id == other_id or (memory_id, other_id, contradiction.nature) in known:
            await writer.remove(contradiction)
        else:
            await writer.put(replace(contradiction, memory_id=memory_id, other_id=other_id))


def make_not_found(memory_id: str) -> NotFound:
    return NotFound(f"there is no memory {memory_id[:80]!r}; use an id from get_memory")


def _append_history(properties: Mapping[str, Any], name: str, entry: dict[str, Any]) -> dict[str, Any]:
    """Return the properties with one more entry in a list of them."""
    return {**properties, name: [*properties.get(name, []), entry]}


def _note_retirement(memory: Memory, **reason: object) -> dict[str, Any]:
    return {**memory.properties, **reason}


def _format_changes(changes: list[RatingChange]) -> list[dict[str, str]]:
    return [{"id": change.id, "before": str(change.before), "after": str(change.after)} for change in changes]
