"""The port by which suites learn of retracted papers. Suites do not import each other; they meet here.

The suite that stores papers records every notice about a paper (`record_notices`) in the transaction that stores it. A
suite that cites papers asks for the standing of some of them (`read_standings`), or follows the changes since it last
looked (`read_changes`, `save_position`) and updates its own data in its own transaction. So a crash loses nothing: the
position moves in the transaction that applies the changes. What the paper says, it reads through a `PaperReader`.

A paper is named by its PMID (`pmid:12345`) or its DOI in lower case (`doi:10.1000/x`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Literal, NamedTuple, Protocol, cast, get_args

import orjson

from sanya.kernel.storage.database import Row, Transaction, Value
from sanya.kernel.storage.revisions import advance_revision
from sanya.kernel.storage.sql import build_insert, expand_in_list

PaperStanding = Literal["retracted", "concern", "corrected"]
STANDINGS: tuple[PaperStanding, ...] = get_args(PaperStanding)
"""The gravest first."""

CitationFollower = Callable[[], Awaitable[int]]
"""Applies what has changed to the data of a suite, and returns how many of its records changed."""

REVISION = "citations"
_BATCH_VALUES = 400
_COLUMNS = "pmid, doi, standing, notices, changed_at, seq"
_WRITE = build_insert("paper_standings", _COLUMNS.split(", ")) + (
    " ON CONFLICT (pmid) DO UPDATE SET doi = coalesce(excluded.doi, paper_standings.doi), standing = excluded.standing,"
    " notices = excluded.notices, changed_at = excluded.changed_at, seq = excluded.seq"
)
_SAVE_POSITION = (
    "INSERT INTO citation_followers (name, seq) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET seq = excluded.seq"
)


class StoredPaper(NamedTuple):
    """A paper as the suite that stores papers has it, for suites that only cite it."""

    pmid: str
    title: str | None
    abstract: str | None
    authors: tuple[str, ...]
    journal: str | None
    year: int | None
    doi: str | None
    pmcid: str | None


PaperReader = Callable[[str], Awaitable[StoredPaper | None]]
"""Returns the stored paper with this PMID, or None if it is not stored here."""


class RowFetcher(Protocol):
    """A database, or a transaction that sees its own writes."""

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]: ...


class PaperNotice(NamedTuple):
    """A notice about the paper `pmid`. `notice` is its PMID, or its source as PubMed prints it, or empty."""

    pmid: str
    standing: PaperStanding
    notice: str


class NoticeSource(NamedTuple):
    """A stored record, the notices that it brings, and its DOI."""

    pmid: str
    doi: str | None
    notices: tuple[PaperNotice, ...]


class StandingRecord(NamedTuple):
    """The standing of a paper with its notices; `standing` is None where they were taken back."""

    pmid: str
    doi: str | None
    standing: PaperStanding | None
    notices: tuple[str, ...]
    changed_at: str
    seq: int

    @property
    def is_doubtful(self) -> bool:
        """True for a paper that should not be relied on; a corrected one stands as corrected."""
        return self.standing in ("retracted", "concern")


async def record_notices(transaction: Transaction, records: Sequence[NoticeSource], at: str) -> list[str]:
    """Replace the notices that these records brought, and return the PMIDs whose standing or notices changed."""
    origins = [record.pmid for record in records]
    notices = {(notice, record.pmid) for record in records for notice in record.notices}
    before = await _fetch_in(transaction, "SELECT pmid FROM paper_notices WHERE origin IN (:values)", origins)
    if not before and not notices:
        return []
    for batch in _split_batches(origins):
        await transaction.execute(expand_in_list("DELETE FROM paper_notices WHERE origin IN (:values)", batch), batch)
    await transaction.execute_many(
        build_insert("paper_notices", ("pmid", "origin", "standing", "notice")),
        sorted((notice.pmid, origin, notice.standing, notice.notice) for notice, origin in notices),
    )
    touched = sorted({str(row[0]) for row in before} | {notice.pmid for notice, _ in notices})
    dois = {record.pmid: record.doi for record in records if record.doi}
    return await _update_standings(transaction, touched, dois, at)


async def _update_standings(transaction: Transaction, pmids: Sequence[str], dois: dict[str, str], at: str) -> list[str]:
    found: dict[str, list[tuple[str, str]]] = {pmid: [] for pmid in pmids}
    sql = "SELECT pmid, standing, notice FROM paper_notices WHERE pmid IN (:values)"
    for pmid, standing, notice in await _fetch_in(transaction, sql, pmids):
        found[str(pmid)].append((str(standing), str(notice)))
    known = await read_standings(transaction, [f"pmid:{pmid}" for pmid in pmids])
    changed: list[tuple[str, PaperStanding | None, tuple[str, ...]]] = []
    for pmid, notices in found.items():
        standing = next((name for name in STANDINGS if name in dict(notices)), None)
        listed = tuple(sorted({notice for _, notice in notices if notice}))
        before = known.get(f"pmid:{pmid}")
        if (standing, listed) != ((before.standing, before.notices) if before else (None, ())):
            changed.append((pmid, standing, listed))
    if changed:
        seq = await advance_revision(transaction, REVISION)
        rows = [
            (pmid, dois.get(pmid, "").lower() or None, standing, orjson.dumps(notices).decode(), at, seq)
            for pmid, standing, notices in changed
        ]
        await transaction.execute_many(_WRITE, rows)
    return [pmid for pmid, _, _ in changed]


async def read_standings(connection: RowFetcher, paper_ids: Iterable[str]) -> dict[str, StandingRecord]:
    """Return what is held against the papers, by the id that was given; papers without any notice are left out."""
    found: dict[str, StandingRecord] = {}
    wanted = list(dict.fromkeys(paper_ids))
    for kind in ("pmid", "doi"):
        values = [id.removeprefix(f"{kind}:") for id in wanted if id.startswith(f"{kind}:")]
        sql = f"SELECT {_COLUMNS} FROM paper_standings WHERE {kind} IN (:values)"  # noqa: S608 - names of our own
        for row in await _fetch_in(connection, sql, values):
            record = _read_standing(row)
            found[f"{kind}:{record.pmid if kind == 'pmid' else record.doi}"] = record
    return found


async def read_changes(connection: RowFetcher, follower: str) -> list[StandingRecord]:
    """Return the standings that changed since the follower last saved its position, in their order."""
    sql = (
        f"SELECT {_COLUMNS} FROM paper_standings WHERE seq > "  # noqa: S608 - names of our own
        "coalesce((SELECT seq FROM citation_followers WHERE name = ?), 0) ORDER BY seq, pmid"
    )
    return [_read_standing(row) for row in await connection.fetch(sql, (follower,))]


async def save_position(transaction: Transaction, follower: str, seq: int) -> None:
    await transaction.execute(_SAVE_POSITION, (follower, seq))


def _read_standing(row: Row) -> StandingRecord:
    pmid, doi, standing, notices, changed_at, seq = row
    return StandingRecord(
        str(pmid),
        None if doi is None else str(doi),
        cast(PaperStanding | None, standing),
        tuple(orjson.loads(str(notices))),
        str(changed_at),
        int(str(seq)),
    )


async def _fetch_in(connection: RowFetcher, sql: str, values: Sequence[str]) -> list[Row]:
    rows: list[Row] = []
    for batch in _split_batches(values):
        rows += await connection.fetch(expand_in_list(sql, batch), batch)
    return rows


def _split_batches(values: Sequence[str]) -> list[Sequence[str]]:
    return [values[start : start + _BATCH_VALUES] for start in range(0, len(values), _BATCH_VALUES)]
