"""Checkpoints: named states of the corpus.

A checkpoint stores a sequence number of the search index and never changes. A question asked as of that number gets the
same answer for ever, whatever is synced, revised or deleted later.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sanya.suite import NotFound
from sanya.suite.store import Database, Row
from sanya.suites.papers.corpus import CorpusState, read_latest_entry
from sanya.suites.papers.indexing.paper_index import NAMESPACE, PaperIndex

_COLUMNS = "checkpoint_id, name, description, created_at, primary_queries, seq, as_of, papers"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    checkpoint_id: str
    name: str
    description: str | None
    created_at: str
    primary_queries: tuple[str, ...]
    seq: int
    as_of: date | None
    papers: int

    @property
    def state(self) -> CorpusState:
        return CorpusState(self.seq, self.as_of)


@dataclass(frozen=True, slots=True)
class CheckpointRequest:
    """The values that the creator of a checkpoint chooses."""

    checkpoint_id: str
    name: str
    description: str | None
    created_at: str
    primary_queries: Sequence[str]


class Checkpoints:
    def __init__(self, database: Database, index: PaperIndex) -> None:
        self._database = database
        self._index = index

    async def create(self, request: CheckpointRequest, *, embed_first: bool = False) -> Checkpoint:
        """Create the checkpoint and return it; an existing one of this id stays as it is.

        Unless `embed_first` is true it does not wait for vectors: what has none by now is judged by its words in this
        state for ever.
        """
        if embed_first:
            await self._index.embed_missing()
        library = await self._index.prepare()
        async with self._database.transaction() as transaction:
            # Adding nothing returns the current sequence number, and the transaction keeps other writers out.
            seq = await library.add(NAMESPACE, [], transaction)
            as_of = await read_latest_entry(transaction)
            (row,) = await transaction.fetch("SELECT count(*) FROM paper_versions WHERE to_seq IS NULL")
            await transaction.execute(
                f"INSERT INTO paper_checkpoints ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "  # noqa: S608 - fixed column names
                "ON CONFLICT (checkpoint_id) DO NOTHING",
                (
                    request.checkpoint_id,
                    request.name,
                    request.description,
                    request.created_at,
                    json.dumps(list(request.primary_queries), ensure_ascii=False),
                    seq,
                    as_of.isoformat() if as_of else None,
                    row[0],
                ),
            )
        return await self.get(request.checkpoint_id)

    async def get(self, checkpoint_id: str) -> Checkpoint:
        checkpoint = await self.find(checkpoint_id)
        if checkpoint is None:
            raise NotFound(
                f"there is no checkpoint {checkpoint_id!r}; list them with `sanya papers checkpoint list`",
                details={"checkpoint_id": checkpoint_id},
            )
        return checkpoint

    async def find(self, checkpoint_id: str) -> Checkpoint | None:
        rows = await self._database.fetch(
            f"SELECT {_COLUMNS} FROM paper_checkpoints WHERE checkpoint_id = ?",  # noqa: S608 - fixed column names
            (checkpoint_id,),
            touches=1,
        )
        return _read_checkpoint(rows[0]) if rows else None


async def list_newest_checkpoints(
    database: Database, limit: int, before: tuple[str, str] | None = None
) -> list[Checkpoint]:
    """Return checkpoints, the newest first; `before` is the time and id of the last one of the page before."""
    where = "WHERE created_at < ? OR (created_at = ? AND checkpoint_id < ?) " if before else ""
    values = (before[0], *before) if before else ()
    sql = f"SELECT {_COLUMNS} FROM paper_checkpoints {where}ORDER BY created_at DESC, checkpoint_id DESC LIMIT ?"  # noqa: S608
    return [_read_checkpoint(row) for row in await database.fetch(sql, (*values, limit), touches=limit)]


async def count_checkpoints(database: Database) -> int:
    (row,) = await database.fetch("SELECT count(*) FROM paper_checkpoints")
    return int(str(row[0]))


async def list_checkpoints(database: Database) -> list[Checkpoint]:
    """Return all checkpoints, the oldest first."""
    sql = f"SELECT {_COLUMNS} FROM paper_checkpoints ORDER BY created_at, checkpoint_id"  # noqa: S608 - fixed column names
    return [_read_checkpoint(row) for row in await database.fetch(sql)]


def _read_checkpoint(row: Row) -> Checkpoint:
    checkpoint_id, name, description, created_at, queries, seq, as_of, papers = row
    return Checkpoint(
        str(checkpoint_id),
        str(name),
        None if description is None else str(description),
        str(created_at),
        tuple(json.loads(str(queries))),
        int(str(seq)),
        date.fromisoformat(str(as_of)) if as_of else None,
        int(str(papers)),
    )
