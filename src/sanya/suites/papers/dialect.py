"""The error dialect of the papers contract: a closed envelope of ten codes that say which party failed."""

from __future__ import annotations

from typing import Any

from sanya.suite import (
    CodeTable,
    Fault,
    FaultResponse,
    Forbidden,
    InvalidArgument,
    InvariantBroken,
    McpParts,
    NotFound,
    RateLimited,
    TableDialect,
    Tool,
    TooLarge,
    Unauthorized,
    Unavailable,
    UpstreamFailed,
    get_public_details,
    get_public_message,
)
from sanya.suites.papers.sample_ids import is_sample_id

# The closed envelope has no code for a caller without the right scope. VALIDATION comes nearest: the caller must change
# the request.
_TABLE = CodeTable(
    {
        RateLimited: "RATE_LIMIT",
        UpstreamFailed: "UPSTREAM",
        InvalidArgument: "VALIDATION",
        TooLarge: "VALIDATION",
        Unauthorized: "VALIDATION",
        Forbidden: "VALIDATION",
        NotFound: "NOT_FOUND",
        InvariantBroken: "INVARIANT_FAILURE",
        Unavailable: "STORE",
        Fault: "UNKNOWN",
    }
)
_SOURCES = {"embeddings": "EMBEDDINGS", "weaviate": "WEAVIATE", "entrez": "ENTREZ"}


class PapersDialect(TableDialect):
    def render_fault(self, fault: Fault, tool: Tool | None) -> FaultResponse:  # noqa: ARG002 - every tool reports faults alike
        code = self.get_code(type(fault))
        if isinstance(fault, UpstreamFailed):
            code = _SOURCES.get(fault.source, code)
        message = get_public_message(fault)
        error = {"code": code, "message": message, "details": _collect_details(fault)}
        return FaultResponse(error, {"error": error}, message)

    def to_mcp_parts(self, body: dict[str, Any]) -> McpParts:
        """Mark an answer that holds sample papers in `_meta`: the closed body has no field for it."""
        papers = [body, *body.get("documents", ())]
        is_sample = any(is_sample_id(str(paper.get("doc_id", "")).removeprefix("pmid:")) for paper in papers)
        return McpParts(text=None, structured=body, meta={"sanya/sample": True} if is_sample else {})


def _collect_details(fault: Fault) -> dict[str, Any] | None:
    details = dict(get_public_details(fault))
    if fault.retry_after_ms is not None:
        details["retry_after_ms"] = fault.retry_after_ms
    return details or None


DIALECT = PapersDialect(_TABLE, *_SOURCES.values())
