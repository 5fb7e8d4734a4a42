"""The payloads of corrections, validated once the target is known to exist."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError

from sanya.suite import InvalidArgument, Shape, Text
from sanya.suites.memory.contract import MAX_TYPE_CHARS, CorrectionAction, MemoryId


def require_text(text: str) -> str:
    if not text.strip():
        raise ValueError("must contain more than blanks")
    return text


MAX_PAYLOAD_BYTES = 32 * 1024
NotBlank = AfterValidator(require_text)


class CorrectionPayload(Shape):
    dry_run: bool = False
    """Say what would change, and change nothing"""


class ContestPayload(CorrectionPayload):
    reason: Annotated[Text, Field(max_length=2048), NotBlank]
    """Why it is doubted"""


class AnnotatePayload(CorrectionPayload):
    note: Annotated[Text, Field(max_length=4096), NotBlank]
    """What to add"""


class MergePayload(CorrectionPayload):
    merge_with: MemoryId
    """The memory that becomes part of the target"""


class SplitPayload(CorrectionPayload):
    split_into: Annotated[
        tuple[Annotated[Text, Field(max_length=512), NotBlank], ...],
        Field(min_length=1, max_length=50, strict=False),
    ]
    """The parts"""


class ReclassifyPayload(CorrectionPayload):
    new_type: Annotated[Text, Field(max_length=MAX_TYPE_CHARS), NotBlank]
    """The type it gets"""


class UndoPayload(Shape):
    undo: MemoryId
    """Handle of the correction to take back"""


AnyPayload = ContestPayload | AnnotatePayload | MergePayload | SplitPayload | ReclassifyPayload | UndoPayload
_SHAPES: dict[str, type[AnyPayload]] = {
    "contest": ContestPayload,
    "annotate": AnnotatePayload,
    "merge_entities": MergePayload,
    "split_entity": SplitPayload,
    "reclassify": ReclassifyPayload,
}


def parse_payload(action: CorrectionAction, payload: dict[str, Any] | None) -> AnyPayload:
    values = payload or {}
    if len(json.dumps(values, ensure_ascii=False).encode("utf-8", "replace")) > MAX_PAYLOAD_BYTES:
        raise InvalidArgument(f"payload may have at most {MAX_PAYLOAD_BYTES} bytes of JSON", field="payload")
    shape = UndoPayload if "undo" in values else _SHAPES[action]
    try:
        return shape.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(["payload", *(str(part) for part in first["loc"])])
        # A missing field of the payload is an invalid value of `payload`, which the contract answers as a result.
        raise InvalidArgument(f"{field}: {first['msg']}", field=field) from None
