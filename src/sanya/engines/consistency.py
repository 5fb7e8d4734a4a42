"""Rules that hold between the rows of a home, whatever failed while they were written. `sanya doctor` checks them on
both engines. Each rule is a query that selects the rows which break it."""

from __future__ import annotations

from dataclasses import dataclass

from sanya.kernel.storage.database import Database, Row

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule and the SQL that selects the name of each row that breaks it."""

    suite: str
    statement: str
    violations_sql: str


@dataclass(frozen=True, slots=True)
class Breach:
    rule: Rule
    rows: tuple[str, ...]

    @property
    def sentence(self) -> str:
        more = " and more" if len(self.rows) > _SHOWN else ""
        return f"{self.rule.suite}: broken rule: {self.rule.statement} (rows {', '.join(self.rows[:_SHOWN])}{more})"


def _select_dangling(table: str, column: str, other: str, key: str = "id", where: str = "TRUE") -> str:
    """Build SQL that selects the values of a column which refer to no row of another table."""
    return (
        f"SELECT {column} FROM {table} WHERE {where} AND {column} IS NOT NULL "  # noqa: S608 - names of our own
        f"AND NOT EXISTS (SELECT 1 FROM {other} WHERE {other}.{key} = {table}.{column})"
    )


_TASKS = (
    Rule("tasks", "every change belongs to a task", _select_dangling("task_changelogs", "task_id", "tasks")),
    Rule("tasks", "every task has changes", _select_dangling("tasks", "id", "task_changelogs", "task_id")),
)
_FUNDS = (
    Rule("funds", "every daily value belongs to a fund", _select_dangling("nav_points", "symbol", "funds", "symbol")),
    Rule(
        "funds",
        "a fund shows its latest day",
        "SELECT symbol FROM funds WHERE COALESCE(nav_date, '') <> "
        "COALESCE((SELECT MAX(nav_date) FROM nav_points WHERE nav_points.symbol = funds.symbol), '')",
    ),
    Rule(
        "funds",
        "sample funds and real funds do not mix",
        "SELECT symbol FROM funds WHERE is_demo = 1 AND EXISTS (SELECT 1 FROM funds real WHERE real.is_demo = 0)",
    ),
)
_PAPERS = (
    Rule(
        "papers",
        "a version of a paper starts where the one before ended, or later",
        "SELECT v.pmid FROM paper_versions v JOIN paper_versions w ON w.pmid = v.pmid AND w.version = v.version + 1 "
        "WHERE v.to_seq IS NULL OR v.to_seq > w.from_seq",
    ),
    Rule(
        "papers",
        "a paper was indexed by the change that added it",
        "SELECT pmid FROM paper_versions WHERE from_seq NOT IN "
        "(SELECT from_seq FROM retrieval_documents WHERE namespace = 'papers')",
    ),
    Rule(
        "papers",
        "a watermark equals its last logged change",
        "SELECT query_key FROM paper_watermarks WHERE last_edat <> COALESCE((SELECT new_edat FROM "
        "paper_watermark_changes c WHERE c.query_key = paper_watermarks.query_key ORDER BY number DESC LIMIT 1), '')",
    ),
    Rule(
        "papers",
        "a checkpoint refers to a past change",
        "SELECT checkpoint_id FROM paper_checkpoints WHERE seq > "
        "COALESCE((SELECT value FROM retrieval_counters WHERE name = 'seq'), 0)",
    ),
)
_MEMORY = (
    Rule(
        "memory",
        "a memory that is not retired is indexed",
        "SELECT id FROM memories WHERE retired_at IS NULL AND NOT EXISTS (SELECT 1 FROM retrieval_documents d "
        "WHERE d.namespace = 'memory' AND d.id = memories.id AND d.to_seq IS NULL)",
    ),
    Rule(
        "memory",
        "an indexed memory is stored",
        "SELECT d.id FROM retrieval_documents d WHERE d.namespace = 'memory' AND d.to_seq IS NULL "
        "AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = d.id AND m.retired_at IS NULL)",
    ),
    Rule(
        "memory",
        "a memory that is not retired has a trace",
        _select_dangling("memories", "id", "memory_traces", "memory_id", "retired_at IS NULL"),
    ),
    Rule("memory", "provenance belongs to a memory", _select_dangling("memory_provenance", "memory_id", "memories")),
    Rule("memory", "provenance names a source", _select_dangling("memory_provenance", "source_id", "memory_sources")),
    Rule("memory", "an edge comes from a memory", _select_dangling("memory_edges", "memory_id", "memories")),
    Rule("memory", "a contradiction has two sides", _select_dangling("memory_contradictions", "memory_id", "memories")),
    Rule("memory", "a contradiction has two sides", _select_dangling("memory_contradictions", "other_id", "memories")),
    Rule("memory", "a name belongs to a node", _select_dangling("memory_names", "node_id", "memory_nodes")),
    Rule(
        "memory",
        "a forgotten memory is deleted",
        "SELECT memory_id FROM memory_tombstones JOIN memories ON id = memory_id",
    ),
)
_HERBS = (
    Rule("herbs", "an edge begins at a node", _select_dangling("herb_edges", "from_id", "herb_nodes")),
    Rule("herbs", "an edge ends at a node", _select_dangling("herb_edges", "to_id", "herb_nodes")),
    Rule("herbs", "a name belongs to a node", _select_dangling("herb_names", "node_id", "herb_nodes")),
    Rule("herbs", "a document comes from a job", _select_dangling("herb_documents", "batch", "jobs")),
    Rule(
        "herbs",
        "the edges of a job have a document",
        _select_dangling("herb_edges", "batch", "herb_documents", "batch", "batch LIKE 'job%'"),
    ),
    Rule(
        "herbs",
        "a decided statement has a decision",
        _select_dangling("herb_decided_statements", "decision_id", "herb_decisions"),
    ),
    Rule(
        "herbs",
        "an evaluation comes after its predecessor",
        "SELECT e.id FROM herb_evaluations e JOIN herb_evaluations p ON p.id = e.previous_id "
        "WHERE p.number >= e.number",
    ),
)
_JOBS = (
    Rule("jobs", "a part belongs to a job", _select_dangling("job_parts", "job_id", "jobs")),
    Rule(
        "jobs",
        "a job's log has no gap",
        "SELECT id FROM jobs WHERE log_lines <> (SELECT COUNT(*) FROM job_log WHERE job_log.job_id = jobs.id)",
    ),
    Rule(
        "jobs",
        "a running job has a claim, and no other job has",
        "SELECT id FROM jobs WHERE (state = 'running') <> (claim IS NOT NULL)",
    ),
)
_SEARCH = (
    Rule(
        "search",
        "rows are numbered without gaps",
        "SELECT name FROM retrieval_counters WHERE name LIKE 'position %' AND value <> (SELECT COUNT(*) FROM "
        "retrieval_documents d WHERE 'position ' || d.namespace || ' ' || d.partition_name = retrieval_counters.name)",
    ),
    Rule(
        "search",
        "a document has one current version",
        "SELECT id FROM retrieval_documents WHERE to_seq IS NULL GROUP BY namespace, id HAVING COUNT(*) > 1",
    ),
    Rule(
        "search",
        "no change is later than the last",
        "SELECT id FROM retrieval_documents WHERE from_seq > "
        "COALESCE((SELECT value FROM retrieval_counters WHERE name = 'seq'), 0)",
    ),
    Rule(
        "search",
        "every change is recorded",
        "SELECT d.id FROM retrieval_documents d WHERE NOT EXISTS (SELECT 1 FROM retrieval_commits c WHERE "
        "c.namespace = d.namespace AND c.partition_name = d.partition_name AND c.seq = d.from_seq)",
    ),
    Rule(
        "search",
        "a row that waits for vectors exists",
        "SELECT CAST(l.position AS TEXT) FROM retrieval_late_vectors l WHERE NOT EXISTS (SELECT 1 FROM "
        "retrieval_documents d WHERE d.namespace = l.namespace AND d.partition_name = l.partition_name "
        "AND d.position = l.position)",
    ),
)
_LEDGER = (Rule("ledger", "a stored answer belongs to a call", _select_dangling("answers", "entry_id", "ledger")),)

RULES = (*_TASKS, *_FUNDS, *_PAPERS, *_MEMORY, *_HERBS, *_JOBS, *_SEARCH, *_LEDGER)


async def find_breaches(database: Database, rules: tuple[Rule, ...] = RULES) -> list[Breach]:
    """Return the broken rules, each with some of the rows that break it."""
    violations = [(rule, await database.fetch(f"{rule.violations_sql} LIMIT {_SHOWN + 1}")) for rule in rules]
    return [Breach(rule, _read_names(rows)) for rule, rows in violations if rows]


def _read_names(rows: list[Row]) -> tuple[str, ...]:
    return tuple(str(row[0]) for row in rows)
