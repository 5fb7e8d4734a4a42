"""The error vocabulary of a suite that needs none of its own."""

from __future__ import annotations

from sanya.kernel.contracts.dialect import (
    CodeTable,
    FaultResponse,
    TableDialect,
    get_public_details,
    get_public_message,
)
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import (
    Cancelled,
    DeadlineExceeded,
    Fault,
    Forbidden,
    InvalidArgument,
    NotFound,
    RateLimited,
    TooLarge,
    Unauthorized,
    Unavailable,
    UpstreamFailed,
)

CODES = CodeTable(
    {
        InvalidArgument: "INVALID_ARGUMENT",
        TooLarge: "TOO_LARGE",
        Unauthorized: "UNAUTHORIZED",
        Forbidden: "FORBIDDEN",
        NotFound: "NOT_FOUND",
        RateLimited: "RATE_LIMITED",
        DeadlineExceeded: "TIMEOUT",
        Cancelled: "TIMEOUT",
        Unavailable: "UNAVAILABLE",
        UpstreamFailed: "UPSTREAM_FAILED",
        Fault: "INTERNAL",
    }
)


class PlainDialect(TableDialect):
    """Words a fault as one flat object: code, message, retry_after_ms, details."""

    def render_fault(self, fault: Fault, tool: Tool | None) -> FaultResponse:  # noqa: ARG002 - the same for every tool
        message = get_public_message(fault)
        error = {
            "code": self.get_code(type(fault)),
            "message": message,
            "retry_after_ms": fault.retry_after_ms,
            "details": get_public_details(fault),
        }
        return FaultResponse(error, error, message)


PLAIN_DIALECT = PlainDialect(CODES)
