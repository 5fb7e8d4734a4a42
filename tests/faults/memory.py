"""Write paths of memory: what agents send and correct, and what is derived from it in the background."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4, uuid5

from sanya.assembly.memory import forget_with_tombstone
from sanya.kernel.calls.call import OWNER
from sanya.suites.memory.graph.consolidation import Consolidator
from sanya.suites.memory.owner import import_file
from tests.faults.house import NOW, CallFailed, House
from tests.faults.trials import Path

KEPT = (
    "memories",
    "memory_traces",
    "memory_sources",
    "memory_provenance",
    "memory_nodes",
    "memory_names",
    "memory_edges",
    "memory_contradictions",
    "memory_corrections",
    "memory_tombstones",
    "memory_readings",
    "retrieval_documents",
    "retrieval_late_vectors",
)
_RUN = uuid4()
FIRST = "Somchai works at the Siam bank since 2019."
SECOND = "Somchai works at the Chao Phraya clinic since 2019."


async def _fill_two(house: House) -> None:
    for number, content in enumerate((FIRST, SECOND)):
        source = {"type": "document", "ref": f"letter-{number}", "citation": f"A letter, page {number}"}
        await house.call("send_memory", request_id=f"fill-{number}", content=content, source=source)


async def _fill_consolidated(house: House) -> None:
    await _fill_two(house)
    await _consolidate(house)


async def _consolidate(house: House) -> Any:
    return await Consolidator(house.memory.store, lambda: NOW).consolidate_now()


async def _list_ids(house: House) -> list[str]:
    rows = await house.engine.fetch("SELECT id FROM memories WHERE content LIKE 'Somchai%' ORDER BY arrival")
    return [str(row[0]) for row in rows]


def _correct(action: str, **payload: Any) -> Callable[[House], Awaitable[Any]]:
    async def corrected(house: House) -> Any:
        first, second = (await _list_ids(house))[:2]
        given = {**payload, **({"merge_with": second} if action == "merge_entities" else {})}
        return await house.call("correct_memory", target_id=first, action=action, payload=given)

    return corrected


async def _fill_contested(house: House) -> None:
    await _fill_two(house)
    first, _ = await _list_ids(house)
    await house.call("correct_memory", request_id="fill-9", target_id=first, action="contest", payload={"reason": "no"})


async def _undo(house: House) -> Any:
    first, _ = await _list_ids(house)
    ((handle, undone),) = await house.engine.fetch("SELECT id, undone_at FROM memory_corrections")
    try:
        return await house.call("correct_memory", target_id=first, action="contest", payload={"undo": str(handle)})
    except CallFailed as refused:
        if undone is None:
            raise
        assert "was undone" in str(refused)  # by an attempt whose answer was lost
        return None


async def _forget(house: House) -> Any:
    rows = await house.engine.fetch("SELECT memory_id FROM memory_tombstones")
    ids = [str(rows[0][0])] if rows else (await _list_ids(house))[:1]
    return await forget_with_tombstone(house.memory, house.ledger, OWNER.id, ids)


async def _import(house: House) -> Any:
    text = "# Garden\n\n- The mango tree was planted in 2015.\n- The well is eight metres deep.\n"
    return await import_file(house.memory.store, OWNER.id, "notes.md", text)


def _build_path(
    name: str, run: Callable[[House], Awaitable[Any]], fill: Callable[[House], Awaitable[Any]], **more: Any
) -> Path:
    ports = more.pop("ports", ("database", "index"))
    return Path(f"memory: {name}", ("memory",), run, KEPT, ports, fill, searched="memory", **more)


async def _send_with_redis(house: House) -> Any:
    # One request id for all tries of an attempt: Redis knows the ids of earlier attempts.
    request_id = uuid5(_RUN, str(house.place.home)).hex
    return await house.call("send_memory", request_id=request_id, content=FIRST)


PATHS = (
    _build_path("send with Redis", _send_with_redis, _fill_two, ports=("redis", "database")),
    _build_path(
        "send", lambda house: house.call("send_memory", content=FIRST), _fill_two, ports=("database", "index", "ledger")
    ),
    _build_path("contest", _correct("contest", reason="He left"), _fill_consolidated),
    _build_path("annotate", _correct("annotate", note="Seen by the notary"), _fill_two),
    _build_path("merge", _correct("merge_entities"), _fill_consolidated),
    _build_path("split", _correct("split_entity", split_into=["Somchai works.", "The bank is in Siam."]), _fill_two),
    _build_path("reclassify", _correct("reclassify", new_type="rumour"), _fill_two),
    _build_path("undo", _undo, _fill_contested),
    _build_path("consolidation", _consolidate, _fill_two),
    _build_path("forget", _forget, _fill_consolidated),
    _build_path("import notes", _import, _fill_two),
)
