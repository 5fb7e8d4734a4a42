"""Maps each fault to a gRPC status and builds the status details."""

from __future__ import annotations

from typing import Any

from google.protobuf import any_pb2, duration_pb2
from google.rpc import error_details_pb2, status_pb2

from sanya.kernel.calls.call import Outcome, Refused
from sanya.kernel.contracts.dialect import find_code, get_public_message
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import (
    AnswerTooLarge,
    Cancelled,
    DeadlineExceeded,
    Fault,
    Forbidden,
    Internal,
    InvalidArgument,
    NotFound,
    RateLimited,
    TooLarge,
    Unauthorized,
    Unavailable,
    UpstreamFailed,
)
from sanya.surfaces.grpc.descriptors import Descriptors
from sanya.surfaces.grpc.proto import PACKAGE

OK, CANCELLED, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND = 0, 1, 3, 4, 5
PERMISSION_DENIED, RESOURCE_EXHAUSTED, OUT_OF_RANGE, UNIMPLEMENTED, INTERNAL = 7, 8, 11, 12, 13
UNAVAILABLE, UNAUTHENTICATED = 14, 16
DOMAIN = "sanya"
_MAX_MESSAGE_BYTES = 600
"""A Thai character has three bytes, and percent-encoding in `grpc-message` makes three of each."""
_MAX_FAULT_BYTES = 1500

STATUSES: dict[type[Fault], int] = {
    InvalidArgument: INVALID_ARGUMENT,
    AnswerTooLarge: OUT_OF_RANGE,
    Unauthorized: UNAUTHENTICATED,
    Forbidden: PERMISSION_DENIED,
    NotFound: NOT_FOUND,
    TooLarge: RESOURCE_EXHAUSTED,
    RateLimited: RESOURCE_EXHAUSTED,
    DeadlineExceeded: DEADLINE_EXCEEDED,
    Cancelled: CANCELLED,
    Unavailable: UNAVAILABLE,
    UpstreamFailed: UNAVAILABLE,
    Internal: INTERNAL,
    Fault: INTERNAL,
}


def find_status(fault: type[Fault]) -> int:
    return next(STATUSES[kind] for kind in fault.__mro__ if kind in STATUSES)


class StatusDetails:
    """Builds google.rpc.Status: the fault in the suite's dialect, the retry delay, the invalid field."""

    def __init__(self, descriptors: Descriptors) -> None:
        self._fault = descriptors.get_message_class("Fault")

    def build_from_refusal(self, refused: Refused) -> bytes:
        tool = refused.tool
        code = find_code(tool.dialect, refused.fault, refused.error) if tool else "NOT_FOUND"
        ours = self._fault(code=code, kind=refused.fault.kind, error=refused.error, receipt=build_receipt(refused))
        return _serialize_status(refused.fault, refused.message, code, ours)

    def build_early_refusal(self, fault: Fault, tool: Tool) -> bytes:
        """Build the status of a fault for a call that could not begin, in the words of the tool's suite."""
        response = tool.dialect.render_fault(fault, tool)
        code = find_code(tool.dialect, fault, response.error)
        ours = self._fault(code=code, kind=fault.kind, error=response.error)
        return _serialize_status(fault, response.message, code, ours)

    def build_from_fault(self, fault: Fault) -> bytes:
        """Build the status of a fault that was raised before a call."""
        code = fault.kind.upper()
        return _serialize_status(fault, get_public_message(fault), code, self._fault(code=code, kind=fault.kind))


def build_receipt(outcome: Outcome) -> dict[str, Any]:
    return {
        "stamp": outcome.stamp.as_json(),
        "call_id": outcome.id,
        "request_id": outcome.request_id,
        "replayed": outcome.replayed,
    }


def _serialize_status(fault: Fault, message: str, code: str, ours: Any) -> bytes:
    """Serialize the status. Trailers must stay small, so a long message is cut and a large error object left out."""
    message = clip_message(message)
    status = status_pb2.Status(code=find_status(type(fault)), message=message)
    _add(status, error_details_pb2.ErrorInfo(reason=code, domain=DOMAIN, metadata={"kind": fault.kind}))
    if fault.retry_after_ms is not None:
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(fault.retry_after_ms)
        _add(status, error_details_pb2.RetryInfo(retry_delay=delay))
    if isinstance(fault, InvalidArgument) and fault.field:
        violation = error_details_pb2.BadRequest.FieldViolation(field=fault.field, description=message)
        _add(status, error_details_pb2.BadRequest(field_violations=[violation]))
    name = f"type.googleapis.com/{PACKAGE}.Fault"
    if ours.ByteSize() > _MAX_FAULT_BYTES:
        ours.ClearField("error")
    status.details.append(any_pb2.Any(type_url=name, value=ours.SerializeToString()))
    made: bytes = status.SerializeToString()
    return made


def clip_message(message: str) -> str:
    """Cut a message to a size that every client accepts: grpcio refuses more than 8 KiB of headers in total."""
    clipped = message.encode()[:_MAX_MESSAGE_BYTES].decode(errors="ignore")
    return message if len(clipped) == len(message) else f"{clipped}…"


def _add(status: Any, detail: Any) -> None:
    status.details.add().Pack(detail)
