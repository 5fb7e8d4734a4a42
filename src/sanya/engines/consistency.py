"""What must hold between the rows of a home, whatever failed while they were written: one question for each rule, whose
answer is the rows that break it. Asked by `sanya doctor`, on both engines."""

from __future__ import annotations

from dataclasses import dataclass

from sanya.kernel.database import Database, Row

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Rule:
    """`broken` selects a name of each row that breaks the rule."""

    suite: str
    says: str
    broken: str


@dataclass(frozen=True, slots=True)
class Breach:
    rule: Rule
    rows: tuple[str, ...]

    @property
    def sentence(self) -> str:
        more = " and more" if len(self.rows) > _SHOWN else ""
        return f"{self.rule.suite}: {self.rule.says}, not so {', '.join(self.rows[:_SHOWN])}{more}"


def _lacking(table: str, column: str, other: str, key: str = "id", where: str = "TRUE") -> str:
    """The values of a column that point to no row of another table."""
    return (
        f"SELECT {column} FROM {table} WHERE {where} AND {column} IS NOT NULL "  # noqa: S608 - names of our own
        f"AND NOT EXISTS (SELECT 1 FROM {other} WHERE {other}.{key} = {table}.{column})"
    )


_TASKS = (
    Rule("tasks", "every change is of a task", _lacking("task_changelogs", "task_id", "tasks")),
    Rule("tasks", "every task has its changes", _lacking("tasks", "id", "task_changelogs", "task_id")),
)
_FUNDS = (
    Rule("funds", "every day's value is of a fund", _lacking("nav_points", "symbol", "funds", "symbol")),
    Rule(
        "funds",
        "a fund shows its latest day",
        "SELECT symbol FROM funds WHERE COALESCE(nav_date, '') <> "
        "COALESCE((SELECT MAX(nav_date) FROM nav_points WHERE nav_points.symbol = funds.symbol), '')",
    ),
    Rule(
        "funds",
        "samples and real funds do not stand together",
        "SELECT symbol FROM funds WHERE is_demo = 1 AND EXISTS (SELECT 1 FROM funds real WHERE real.is_demo = 0)",
    ),
)
_PAPERS = (
    Rule(
        "papers",
        "a paper begins anew where its version before ended, or later",
        "SELECT v.pmid FROM paper_versions v JOIN paper_versions w ON w.pmid = v.pmid AND w.version = v.version + 1 "
        "WHERE v.to_seq IS NULL OR v.to_seq > w.from_seq",
    ),
    Rule(
        "papers",
        "a paper came into the search when it came",
        "SELECT pmid FROM paper_versions WHERE from_seq NOT IN "
        "(SELECT from_seq FROM retrieval_documents WHERE namespace = 'papers')",
    ),
    Rule(
        "papers",
        "a watermark is the last that was logged",
        "SELECT query_key FROM paper_watermarks WHERE last_edat <> COALESCE((SELECT new_edat FROM "
        "paper_watermark_changes c WHERE c.query_key = paper_watermarks.query_key ORDER BY number DESC LIMIT 1), '')",
    ),
    Rule(
        "papers",
        "a checkpoint is of a state that was",
        "SELECT checkpoint_id FROM paper_checkpoints WHERE seq > "
        "COALESCE((SELECT value FROM retrieval_counters WHERE name = 'seq'), 0)",
    ),
)
_MEMORY = (
    Rule(
        "memory",
        "what is not retired can be found",
        "SELECT id FROM memories WHERE retired_at IS NULL AND NOT EXISTS (SELECT 1 FROM retrieval_documents d "
        "WHERE d.namespace = 'memory' AND d.id = memories.id AND d.to_seq IS NULL)",
    ),
    Rule(
        "memory",
        "what can be found is kept",
        "SELECT d.id FROM retrieval_documents d WHERE d.namespace = 'memory' AND d.to_seq IS NULL "
        "AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = d.id AND m.retired_at IS NULL)",
    ),
    Rule(
        "memory",
        "what can be found has its trace",
        _lacking("memories", "id", "memory_traces", "memory_id", "retired_at IS NULL"),
    ),
    Rule("memory", "provenance is of a memory", _lacking("memory_provenance", "memory_id", "memories")),
    Rule("memory", "provenance names a source", _lacking("memory_provenance", "source_id", "memory_sources")),
    Rule("memory", "an edge is said by a memory", _lacking("memory_edges", "memory_id", "memories")),
    Rule("memory", "a contradiction has two sides", _lacking("memory_contradictions", "memory_id", "memories")),
    Rule("memory", "a contradiction has two sides", _lacking("memory_contradictions", "other_id", "memories")),
    Rule("memory", "a name is of a node", _lacking("memory_names", "node_id", "memory_nodes")),
    Rule(
        "memory", "what is forgotten is gone", "SELECT memory_id FROM memory_tombstones JOIN memories ON id = memory_id"
    ),
)
_HERBS = (
    Rule("herbs", "an edge begins at a node", _lacking("herb_edges", "from_id", "herb_nodes")),
    Rule("herbs", "an edge ends at a node", _lacking("herb_edges", "to_id", "herb_nodes")),
    Rule("herbs", "a name is of a node", _lacking("herb_names", "node_id", "herb_nodes")),
    Rule("herbs", "a document was brought by a job", _lacking("herb_documents", "batch", "jobs")),
    Rule(
        "herbs",
        "what a job brought has its document",
        _lacking("herb_edges", "batch", "herb_documents", "batch", "batch LIKE 'job%'"),
    ),
    Rule(
        "herbs",
        "an evaluation's forerunner came before it",
        "SELECT e.id FROM herb_evaluations e JOIN herb_evaluations p ON p.id = e.previous_id "
        "WHERE p.number >= e.number",
    ),
)
_JOBS = (
    Rule("jobs", "a part is of a job", _lacking("job_parts", "job_id", "jobs")),
    Rule(
        "jobs",
        "a job's log has no gap",
        "SELECT id FROM jobs WHERE log_lines <> (SELECT COUNT(*) FROM job_log WHERE job_log.job_id = jobs.id)",
    ),
    Rule(
        "jobs",
        "who runs a job has a claim, and nobody else",
        "SELECT id FROM jobs WHERE (state = 'running') <> (claim IS NOT NULL)",
    ),
)
_SEARCH = (
    Rule(
        "search",
        "rows are numbered without a gap",
        "SELECT name FROM retrieval_counters WHERE name LIKE 'position %' AND value <> (SELECT COUNT(*) FROM "
        "retrieval_documents d WHERE 'position ' || d.namespace || ' ' || d.partition_name = retrieval_counters.name)",
    ),
    Rule(
        "search",
        "a document is there once at a time",
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
        "every change was noted",
        "SELECT d.id FROM retrieval_documents d WHERE NOT EXISTS (SELECT 1 FROM retrieval_commits c WHERE "
        "c.namespace = d.namespace AND c.partition_name = d.partition_name AND c.seq = d.from_seq)",
    ),
    Rule(
        "search",
        "who awaits vectors is there",
        "SELECT CAST(l.position AS TEXT) FROM retrieval_late_vectors l WHERE NOT EXISTS (SELECT 1 FROM "
        "retrieval_documents d WHERE d.namespace = l.namespace AND d.partition_name = l.partition_name "
        "AND d.position = l.position)",
    ),
)
_LEDGER = (Rule("ledger", "a kept answer is of a call", _lacking("answers", "entry_id", "ledger")),)

RULES = (*_TASKS, *_FUNDS, *_PAPERS, *_MEMORY, *_HERBS, *_JOBS, *_SEARCH, *_LEDGER)


async def breaches(database: Database, rules: tuple[Rule, ...] = RULES) -> list[Breach]:
    """The rules that do not hold, each with some of the rows that break it."""
    found = [(rule, await database.fetch(f"{rule.broken} LIMIT {_SHOWN + 1}")) for rule in rules]
    return [Breach(rule, _named(rows)) for rule, rows in found if rows]


def _named(rows: list[Row]) -> tuple[str, ...]:
    return tuple(str(row[0]) for row in rows)
