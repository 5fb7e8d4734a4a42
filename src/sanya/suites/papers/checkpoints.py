"""States of the corpus that were given a name. One is made once and never changes: it keeps the number of a change, and
whatever is asked as of that change is answered the same for ever."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sanya.kernel.call import ProgressSink, ignore_progress
from sanya.kernel.database import Database, Row
from sanya.kernel.faults import NotFound
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
    """What a checkpoint is given by its maker."""

    checkpoint_id: str
    name: str
    description: str | None
    created_at: str
    primary_queries: Sequence[str]


class Checkpoints:
    def __init__(self, database: Database, shelf: PaperIndex) -> None:
        self._database = database
        self._shelf = shelf

    async def create(self, named: CheckpointRequest, progress: ProgressSink = ignore_progress) -> Checkpoint:
        """Every vector comes first: one that came later would not belong to this state. One that is there under this id
        stays as it is."""
        await self._shelf.embed_missing(progress)
        library = await self._shelf.prepare()
        async with self._database.transaction() as transaction:
            # Nothing is added, so this is the number of the last change; and no other comes before we are done.
            seq = await library.add(NAMESPACE, [], transaction)
            as_of = await read_latest_entry(transaction)
            (row,) = await transaction.fetch("SELECT count(*) FROM paper_versions WHERE to_seq IS NULL")
            await transaction.execute(
                f"INSERT INTO paper_checkpoints ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "  # noqa: S608 - ours
                "ON CONFLICT (checkpoint_id) DO NOTHING",
                (
                    named.checkpoint_id,
                    named.name,
                    named.description,
                    named.created_at,
                    json.dumps(list(named.primary_queries), ensure_ascii=False),
                    seq,
                    as_of.isoformat() if as_of else None,
                    row[0],
                ),
            )
        return await self.get(named.checkpoint_id)

    async def get(self, checkpoint_id: str) -> Checkpoint:
        found = await self.find(checkpoint_id)
        if found is None:
            raise NotFound(
                f"there is no checkpoint {checkpoint_id!r}; `sanya papers checkpoint list` shows those there are",
                details={"checkpoint_id": checkpoint_id},
            )
        return found

    async def find(self, checkpoint_id: str) -> Checkpoint | None:
        rows = await self._database.fetch(
            f"SELECT {_COLUMNS} FROM paper_checkpoints WHERE checkpoint_id = ?",  # noqa: S608 - columns of ours
            (checkpoint_id,),
            touches=1,
        )
        return _read_checkpoint(rows[0]) if rows else None


async def list_checkpoints(database: Database) -> list[Checkpoint]:
    """All of them, the oldest first."""
    sql = f"SELECT {_COLUMNS} FROM paper_checkpoints ORDER BY created_at, checkpoint_id"  # noqa: S608 - columns of ours
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
