"""The error dialect of the tasks contract: one flat object with seven codes."""

from __future__ import annotations

from sanya.suite import (
    Cancelled,
    CodeTable,
    DeadlineExceeded,
    Fault,
    Forbidden,
    InvalidArgument,
    NotFound,
    PlainDialect,
    RateLimited,
    TooLarge,
    Unauthorized,
    Unavailable,
    UpstreamFailed,
)

_TABLE = CodeTable(
    {
        InvalidArgument: "INVALID_ARGUMENT",
        TooLarge: "INVALID_ARGUMENT",
        NotFound: "NOT_FOUND",
        DeadlineExceeded: "TIMEOUT",
        Cancelled: "TIMEOUT",
        RateLimited: "RATE_LIMITED",
        Unauthorized: "UNAUTHORIZED",
        Forbidden: "UNAUTHORIZED",
        Fault: "INTERNAL_ERROR",
        Unavailable: "UNAVAILABLE",
        UpstreamFailed: "UNAVAILABLE",
    }
)


DIALECT = PlainDialect(_TABLE)
