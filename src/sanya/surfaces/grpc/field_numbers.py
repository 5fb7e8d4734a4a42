"""Assigns proto field numbers. A number, once published, never goes to another field.

`contracts/proto_numbers.json` records every number and only grows. The number and name of a removed field stay
reserved, because clients with an older proto file would misread them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NUMBERS_FILE = "proto_numbers.json"


class FieldNumberConflict(ValueError):
    """A published field would change its number or its type."""


@dataclass
class MessageNumbers:
    """Numbers and types of one message's fields, and the reserved numbers of its removed fields."""

    fields: dict[str, tuple[int, str]] = field(default_factory=dict)
    reserved: dict[str, int] = field(default_factory=dict)

    def assign(self, name: str, kind: str) -> int:
        """Return the field's number; a new field gets the next free one."""
        if name in self.reserved:
            raise FieldNumberConflict(f"{name} is reserved because a removed field had that name. Choose another name.")
        if name not in self.fields:
            used = [number for number, _ in self.fields.values()] + list(self.reserved.values())
            self.fields[name] = (max(used, default=0) + 1, kind)
        number, published = self.fields[name]
        if published != kind:
            raise FieldNumberConflict(
                f"{name} was published as {published} and is now {kind}. Add a new field instead."
            )
        return number


class FieldNumbers:
    def __init__(self, published: Mapping[str, Any] | None = None) -> None:
        self._messages: dict[str, MessageNumbers] = {}
        for name, message in (published or {}).items():
            fields = {key: (int(number), str(kind)) for key, (number, kind) in message["fields"].items()}
            self._messages[name] = MessageNumbers(fields, dict(message.get("reserved", {})))

    def get_message(self, name: str) -> MessageNumbers:
        return self._messages.setdefault(name, MessageNumbers())

    def retire(self, message: str, present: set[str]) -> dict[str, int]:
        """Reserve the numbers of fields that are no longer present. Returns every reserved number."""
        numbers = self.get_message(message)
        for removed in [name for name in numbers.fields if name not in present]:
            numbers.reserved[removed] = numbers.fields.pop(removed)[0]
        return numbers.reserved

    def as_json(self) -> dict[str, Any]:
        return {
            name: {
                "fields": {key: list(row) for key, row in sorted(numbers.fields.items(), key=lambda item: item[1][0])},
                **({"reserved": numbers.reserved} if numbers.reserved else {}),
            }
            for name, numbers in sorted(self._messages.items())
        }
