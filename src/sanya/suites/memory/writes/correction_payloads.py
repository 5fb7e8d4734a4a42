"""What each correction takes, read after it is known that its target exists."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError

from sanya.kernel.faults import InvalidArgument
from sanya.kernel.shapes import Shape, Text
from sanya.suites.memory.contract import MAX_TYPE_CHARS, Action, Id


def not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("it must hold more than blanks")
    return text


MAX_PAYLOAD_BYTES = 32 * 1024
NotBlank = AfterValidator(not_blank)


class Payload(Shape):
    dry_run: bool = False
    """Say what would change, and change nothing"""


class Contest(Payload):
    reason: Annotated[Text, Field(max_length=2048)] | None = None
    """Why it is doubted"""


class Annotate(Payload):
    note: Annotated[Text, Field(max_length=4096), NotBlank]
    """What to add"""


class Merge(Payload):
    merge_with: Id
    """The memory that becomes part of the target"""


class Split(Payload):
    split_into: Annotated[
        tuple[Annotated[Text, Field(max_length=512), NotBlank], ...],
        Field(min_length=1, max_length=50, strict=False),
    ]
    """The parts"""


class Reclassify(Payload):
    new_type: Annotated[Text, Field(max_length=MAX_TYPE_CHARS), NotBlank]
    """The type it gets"""


class Undo(Shape):
    undo: Id
    """Handle of the correction to take back"""


AnyPayload = Contest | Annotate | Merge | Split | Reclassify | Undo
_SHAPES: dict[str, type[AnyPayload]] = {
    "contest": Contest,
    "annotate": Annotate,
    "merge_entities": Merge,
    "split_entity": Split,
    "reclassify": Reclassify,
}


def read_payload(action: Action, payload: dict[str, Any] | None) -> AnyPayload:
    given = payload or {}
    if len(json.dumps(given, ensure_ascii=False).encode("utf-8", "replace")) > MAX_PAYLOAD_BYTES:
        raise InvalidArgument(f"payload takes up to {MAX_PAYLOAD_BYTES} bytes of JSON", field="payload")
    shape = Undo if "undo" in given else _SHAPES[action]
    try:
        return shape.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(["payload", *(str(part) for part in first["loc"])])
        # A missing field of the payload is a bad value of the payload, which the contract has as a result.
        raise InvalidArgument(f"{field}: {first['msg']}", field=field) from None
