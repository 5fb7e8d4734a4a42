"""Every port is listed here: some write path tests its failure, or it cannot spoil a write."""

from __future__ import annotations

import re
from pathlib import Path

from tests.faults.test_write_paths import PATHS

_PORT = re.compile(r"^class (\w+)\((?:.*, )?Protocol\):", re.MULTILINE)
SOURCE = Path(__file__).parents[2] / "src" / "sanya"

# The failing port that covers each.
TWINS = {
    "kernel/storage/database.py Database": "database",
    "kernel/storage/database.py Transaction": "database",
    "engines/snapshot.py Engine": "database",
    "engines/snapshot.py SqlReader": "database",
    "kernel/citations.py RowFetcher": "database",
    "suites/memory/storage/reader.py RowReader": "database",
    "kernel/ledger/chain.py LedgerStore": "ledger",
    "kernel/jobs/job.py Jobs": "jobs",
    "retrieval/index.py Index": "index",
    "suites/papers/store.py RecordIndex": "index",
    "suites/memory/storage/store.py MemoryIndexPort": "index",
    "suites/memory/writes/forgetting.py IndexEraser": "database",
    "retrieval/embedding.py Embedder": "embedder",
    "suites/papers/sync/entrez.py Entrez": "entrez",
    "suites/papers/fulltext/tools.py ArticleSource": "entrez",
    "surfaces/http/console/imports/batch.py ImportReader": "database",
    "suites/funds/open_data.py OpenData": "open_data",
    "suites/herbs/ingest/documents.py DocumentReader": "reader",
    "suites/memory/recall/working_memory.py WorkingMemory": "redis",
    "kernel/calls/requests.py SharedWindow": "redis",
    "kernel/calls/limits.py RateLimiter": "redis",
    "sources/pacing.py Budget": "entrez",
}
HARMLESS = {
    "retrieval/reranking.py Reranker": "reads",
    "suites/herbs/questions/prepared_names.py PreparedData": "a cache that is made again from the graph",
    "kernel/contracts/dialect.py Dialect": "formats messages, no engine",
    "kernel/calls/replay.py LinkFinder": "reads",
    "kernel/jobs/job.py JobQueue": "hands out what the jobs' own table holds; late or twice, the claim decides",
    "suites/tasks/tables.py TaskTables": "reads",
    "suites/herbs/answers/phrasing.py Phraser": "a read; without it answers are quoted",
    "suites/memory/extraction/model_output.py Extractor": "runs before the write; without it the rules decide",
    "suites/herbs/paths/neighbours.py FilterableEdge": "a row, no engine",
    "suites/herbs/graph/name_lookup.py RankedName": "a row, no engine",
    "surfaces/connection_limits.py TrackedConnection": "facts of a connection, no engine",
    "engines/embedders/local.py LocalModel": "behind the embedder",
    "engines/embedders/encoder.py WordRows": "a matrix, no engine",
    "suite/servers.py McpServer": "a server behind a proxy, which writes nothing of ours",
    "suites/papers/search/passages.py PassageSource": "reads",
    "engines/index/postgresql/graphs.py AutocommitDatabase": "nothing but speed depends on a graph",
    "engines/index/postgresql/reader.py BinaryDatabase": "reads",
    "engines/index/postgresql/vectors.py CopyTransaction": "behind the index",
    "sources/documents/recognition.py Recogniser": "behind the reader",
    "surfaces/http/auth/access_tokens.py SigningKeys": "reads",
    "surfaces/http/auth/authentication.py KeyLookup": "reads",
    "surfaces/http/listener.py Bind": "opens an address before any call",
    "surfaces/mcp/invalid_lines.py MessageWriter": "the wire",
}


def find_ports() -> set[str]:
    return {
        f"{file.relative_to(SOURCE).as_posix()} {name}"
        for file in SOURCE.rglob("*.py")
        for name in _PORT.findall(file.read_text("utf-8"))
    }


def test_every_port_has_a_failing_twin_or_can_spoil_no_write() -> None:
    assert find_ports() - TWINS.keys() - HARMLESS.keys() == set(), "name its twin, or say why it needs none"
    assert (TWINS.keys() | HARMLESS.keys()) - find_ports() == set(), "no such port any more"


def test_every_twin_is_in_some_write_path() -> None:
    assert set(TWINS.values()) == {port for path in PATHS for port in path.ports}
