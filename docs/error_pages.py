"""docs/errors.md, from the tree of faults, the five dialects and the gateway's statuses."""

from __future__ import annotations

import re

from docs.markdown import code, table
from sanya.kernel import faults
from sanya.kernel.dialect import Dialect
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

There is one tree of faults. Each suite words it as its contract does, and each surface gives it a status: on MCP a
result with `isError: true` and the suite's error object as structured content; on HTTP the envelope with `ok: false`
and the status below; on the command line the error object and exit code 1. Nothing of a failure of our own leaves the
server but an `error_id`, under which its log has the rest.
"""

_SHAPES = """## Shapes

- **tasks**: `{"code", "message", "retry_after_ms", "details"}`.
- **herbs**: `{"error": {"code", "message"}, "audit"}`, with `details` and `retry_after_ms` where there is something to
  say.
- **papers**: `{"error": {"code", "message", "details"}}`; `details.retry_after_ms` says when to come back.
- **memory**: `{"status", "error_code", "message"}`. A bad value of a known argument and an unknown target are ordinary
  results of its three tools, with `status` `rejected` (`error` for `get_memory`) or `not_found`.
- **funds**: `{"error": {"code", "message", "actionableHint", "details"}}`; the hint says what to do next.

Papers names the party that failed: `ENTREZ`, `EMBEDDINGS`, `WEAVIATE`, and `UPSTREAM` for any other.

## Words

"""


def errors_page() -> str:
    columns = ("fault", "meaning", "HTTP", *DIALECTS)
    return f"{_INTRODUCTION}\n{_SHAPES}{table(columns, [_row(kind) for kind in _tree()])}\n"


def _tree() -> list[type[Fault]]:
    """The classes as the tree draws them; a suite's own stand at the end."""
    drawn = re.findall(r"[├└]── (\w+)", faults.__doc__ or "")
    return [getattr(faults, name) for name in drawn] + [InvalidMergeTarget]


def _row(kind: type[Fault]) -> tuple[str, ...]:
    status = next(STATUSES[one] for one in kind.__mro__ if one in STATUSES)
    return (kind.__name__, _meaning(kind), str(status), *(code(one.code_of(kind)) for one in DIALECTS.values()))


def _meaning(kind: type[Fault]) -> str:
    """The words beside the class in the tree, or its own."""
    drawn = re.search(rf"── {kind.__name__} +(\S.*)", faults.__doc__ or "")
    if drawn:
        return drawn.group(1)
    own = kind.__dict__.get("__doc__") or ""
    return own.strip().split("\n")[0]
