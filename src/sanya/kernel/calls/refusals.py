"""Refusals: the faults that only the path of a call knows, and how a fault becomes the outcome of a call."""

from __future__ import annotations

import logging
import secrets

from sanya.kernel.calls.attempt import CallAttempt
from sanya.kernel.calls.call import Refused
from sanya.kernel.calls.stamp import Stamp
from sanya.kernel.contracts.dialect import FaultResponse
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import DeadlineExceeded, Fault, Internal, StoreUnavailable

log = logging.getLogger(__name__)


def make_deadline_fault(attempt: CallAttempt) -> Fault:
    """Return the fault for a call whose time is over. Nobody can tell how far a write has come."""
    if attempt.recorded:
        return make_unrecorded_fault(StoreUnavailable("the audit ledger does not answer"))
    message = f"{attempt.tool.name} did not finish within {attempt.timeout_ms} ms"
    if attempt.tool.effect == "read":
        return DeadlineExceeded(message)
    unknown = "the write may or may not have happened: check, or retry with the same request id"
    return DeadlineExceeded(f"{message}; {unknown}", details={"outcome": "unknown"})


def make_unrecorded_fault(fault: StoreUnavailable) -> StoreUnavailable:
    """Return the fault for a write that happened but is not in the ledger yet, so it cannot be acknowledged."""
    message = f"the write happened but is not recorded yet: {fault.message}; retry with the same request id"
    return StoreUnavailable(message, retry_after_ms=fault.retry_after_ms or 1000, details={"outcome": "made"})


def make_refusal(
    id: str, tool: Tool | None, fault: Fault, response: FaultResponse, request_id: str, stamp: Stamp
) -> Refused:
    return Refused(
        id=id,
        tool=tool,
        fault=fault,
        error=response.error,
        body=response.body,
        message=response.message,
        request_id=request_id,
        stamp=stamp,
    )


def report_error(attempt: CallAttempt, error: Exception, fault: Internal) -> Internal:
    """Log the error under a new id, which is all that the caller gets."""
    fault.error_id = "err_" + secrets.token_hex(8)
    log.error("%s failed", attempt.tool.name, exc_info=error, extra={"error_id": fault.error_id, "call_id": attempt.id})
    return fault
