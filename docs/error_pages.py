"""Generates docs/errors.md from the tree of faults, the five dialects and the HTTP statuses."""

from __future__ import annotations

import re

from docs.markdown import mark_code, render_table
from sanya.kernel import faults
from sanya.kernel.contracts.dialect import Dialect
from sanya.kernel.faults import Fault
from sanya.suites.funds.dialect import DIALECT as FUNDS
from sanya.suites.herbs.dialect import DIALECT as HERBS
from sanya.suites.memory.dialect import DIALECT as MEMORY
from sanya.suites.memory.dialect import InvalidMergeTarget
from sanya.suites.papers.dialect import DIALECT as PAPERS
from sanya.suites.tasks.dialect import DIALECT as TASKS
from sanya.surfaces.http.envelope import STATUSES

DIALECTS: dict[str, Dialect] = {"tasks": TASKS, "herbs": HERBS, "papers": PAPERS, "memory": MEMORY, "funds": FUNDS}

_INTRODUCTION = """# Errors

There is one tree of faults. Each suite maps it to the error codes of its contract, and each surface gives it a status:
on MCP a result with `isError: true` and the suite's error object as structured content; on HTTP the envelope with
`ok: false` and the status below; on the command line the error object and exit code 1. Of an internal error the caller
gets only an `error_id`, under which the server's log has the details.
"""

_SHAPES = """## Shapes

- **tasks**: `{"code", "message", "retry_after_ms", "details"}`.
- **herbs**: `{"error": {"code", "message"}, "audit"}`, with `details` and `retry_after_ms` if there are any.
- **papers**: `{"error": {"code", "message", "details"}}`; `details.retry_after_ms` says when to retry.
- **memory**: `{"status", "error_code", "message"}`. A bad value of a known argument and an unknown target are ordinary
  results of its tools, with `status` `rejected` (`error` for `get_memory`) or `not_found`.
- **funds**: `{"error": {"code", "message", "actionableHint", "details"}}`; the hint says what to do next.

Papers names the service that failed: `ENTREZ`, `EMBEDDINGS`, `WEAVIATE`, and `UPSTREAM` for any other.

## Codes

"""


def render_errors_page() -> str:
    columns = ("fault", "meaning", "HTTP", *DIALECTS)
    return f"{_INTRODUCTION}\n{_SHAPES}{render_table(columns, [_render_row(kind) for kind in _list_kinds()])}\n"


def _list_kinds() -> list[type[Fault]]:
    """Return the classes in the order in which the tree draws them; a suite's own class comes last."""
    drawn = re.findall(r"[├└]── (\w+)", faults.__doc__ or "")
    return [getattr(faults, name) for name in drawn] + [InvalidMergeTarget]


def _render_row(kind: type[Fault]) -> tuple[str, ...]:
    status = next(STATUSES[base] for base in kind.__mro__ if base in STATUSES)
    codes = (mark_code(dialect.get_code(kind)) for dialect in DIALECTS.values())
    return (kind.__name__, find_meaning(kind), str(status), *codes)


def find_meaning(kind: type[Fault]) -> str:
    """Return the text beside the class in the tree, or the first line of its docstring."""
    drawn = re.search(rf"── {kind.__name__} +(\S.*)", faults.__doc__ or "")
    if drawn:
        return drawn.group(1)
    own = kind.__dict__.get("__doc__") or ""
    return own.strip().split("\n")[0]
