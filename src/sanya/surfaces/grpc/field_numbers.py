"""The numbers of all fields ever published: a number is given once, and never to another field.

`contracts/proto_numbers.json` only grows. A field that is gone keeps its number and its name in reserve.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NUMBERS_FILE = "proto_numbers.json"


class FieldNumberConflict(ValueError):
    """A published field would change its number or its type; the message says which."""


@dataclass
class MessageNumbers:
    """Of one message: number and type by field name, and those that are gone."""

    fields: dict[str, tuple[int, str]] = field(default_factory=dict)
    reserved: dict[str, int] = field(default_factory=dict)

    def assign(self, name: str, kind: str) -> int:
        """The field's number; the next free one where it is new."""
        if name in self.reserved:
            raise FieldNumberConflict(f"{name} was removed once, so its name stays in reserve; choose another")
        if name not in self.fields:
            used = [number for number, _ in self.fields.values()] + list(self.reserved.values())
            self.fields[name] = (max(used, default=0) + 1, kind)
        number, published = self.fields[name]
        if published != kind:
            raise FieldNumberConflict(f"{name} was published as {published} and is {kind} now; add a new field instead")
        return number


class FieldNumbers:
    def __init__(self, published: Mapping[str, Any] | None = None) -> None:
        self._messages: dict[str, MessageNumbers] = {}
        for name, one in (published or {}).items():
            fields = {key: (int(number), str(kind)) for key, (number, kind) in one["fields"].items()}
            self._messages[name] = MessageNumbers(fields, dict(one.get("reserved", {})))

    def get_message(self, name: str) -> MessageNumbers:
        return self._messages.setdefault(name, MessageNumbers())

    def retire(self, message: str, present: set[str]) -> dict[str, int]:
        """Puts the fields that are gone in reserve; gives all that are there."""
        numbers = self.get_message(message)
        for name in [one for one in numbers.fields if one not in present]:
            numbers.reserved[name] = numbers.fields.pop(name)[0]
        return numbers.reserved

    def as_json(self) -> dict[str, Any]:
        return {
            name: {
                "fields": {key: list(one) for key, one in sorted(numbers.fields.items(), key=lambda item: item[1][0])},
                **({"reserved": numbers.reserved} if numbers.reserved else {}),
            }
            for name, numbers in sorted(self._messages.items())
        }
