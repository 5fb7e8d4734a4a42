"""The registry of the built-in suites: everything that the rest of the code knows about a suite by name.

A guest suite declares the same things in its `SuiteDefinition`. This module imports nothing, so that `sanya --help` may
read it.
"""

from __future__ import annotations


class BuiltInSuite:
    """A built-in suite. `opener`, `dialect` and `command` are addresses (`module:name`), imported with their first use.

    `counts` maps a label to the table counted, with its filter; `as_of` selects the date of the data; `is_sample`
    selects 1 if all rows are starter data. `has_owned_rows` says that rows belong to callers.
    """

    def __init__(
        self,
        *,
        opener: str,
        dialect: str,
        command: tuple[str, str],
        counts: dict[str, str],
        as_of: str = "",
        is_sample: str = "",
        has_owned_rows: bool = False,
        has_vectors: bool = False,
    ) -> None:
        self.opener = opener
        self.dialect = dialect
        self.command = command
        self.counts = counts
        self.as_of = as_of
        self.is_sample = is_sample
        self.has_owned_rows = has_owned_rows
        self.has_vectors = has_vectors


BUILT_IN: dict[str, BuiltInSuite] = {
    "tasks": BuiltInSuite(
        opener="sanya.assembly.tasks:open_tasks",
        dialect="sanya.suites.tasks.dialect:DIALECT",
        command=("Import tasks from your own files.", "tasks"),
        counts={"tasks": "tasks", "projects": "projects"},
        as_of="MAX(updated_at) FROM tasks",
        is_sample="MAX(CASE WHEN id = 'sample-sales-report' THEN 1 ELSE 0 END) FROM tasks",
    ),
    "funds": BuiltInSuite(
        opener="sanya.assembly.funds:open_funds",
        dialect="sanya.suites.funds.dialect:DIALECT",
        command=("Import funds, and list, show, compare and chart them.", "funds.command"),
        counts={"funds": "funds", "nav_points": "nav_points"},
        as_of="MAX(nav_date) FROM funds",
        is_sample="MIN(is_demo) FROM funds",
    ),
    "memory": BuiltInSuite(
        opener="sanya.assembly.memory:open_memory",
        dialect="sanya.suites.memory.dialect:DIALECT",
        command=("Search, show, export, import and forget memories.", "memory"),
        counts={
            "memories": "memories WHERE retired_at IS NULL",
            "contradictions": "memory_contradictions WHERE TRUE",
        },
        as_of="MAX(created_at) FROM memories WHERE TRUE",
        has_owned_rows=True,
    ),
    "herbs": BuiltInSuite(
        opener="sanya.assembly.herbs:open_herbs",
        dialect="sanya.suites.herbs.dialect:DIALECT",
        command=("Show herbs, follow paths through their graph, and check contraindications.", "herbs.command"),
        counts={"nodes": "herb_nodes", "edges": "herb_edges", "sources": "herb_sources"},
        is_sample="MIN(CASE WHEN batch = 'starter' THEN 1 ELSE 0 END) FROM herb_nodes",
        has_vectors=True,
    ),
    "papers": BuiltInSuite(
        opener="sanya.assembly.papers:open_papers",
        dialect="sanya.suites.papers.dialect:DIALECT",
        command=("Import, sync, search and show PubMed papers, and create checkpoints.", "papers.command"),
        counts={
            "papers": "paper_versions WHERE to_seq IS NULL",
            "watermarks": "paper_watermarks",
            "awaiting_vectors": "retrieval_late_vectors WHERE namespace = 'papers' AND seq IS NULL",
        },
        as_of="MAX(edat) FROM paper_versions WHERE to_seq IS NULL",
        is_sample="MIN(is_sample) FROM paper_versions",
        has_vectors=True,
    ),
}
"""In serving order."""
