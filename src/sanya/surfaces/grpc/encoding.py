"""Bodies into messages and messages into arguments, compiled once for each message.

protobuf takes plain dictionaries for its messages; so a body goes in as it is wherever the contract and the message
have the same names, and only what differs is touched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from google.protobuf import struct_pb2
from google.protobuf.unknown_fields import UnknownFieldSet

from sanya.kernel.faults import UnknownArgument
from sanya.surfaces.grpc.fixed_messages import STRUCT, VALUE
from sanya.surfaces.grpc.proto import ProtoField, ProtoFile, ProtoMessage

Converter = Callable[[Any], Any]


class Encoding:
    def __init__(self, file: ProtoFile) -> None:
        self._messages = file.messages
        self._writers: dict[str, Converter | None] = {}
        self._readers: dict[str, _MessageReader] = {}

    def find_wrapped_field(self, wrapper: str) -> ProtoField:
        """The list or map in a message that only wraps it."""
        return self._messages[wrapper].fields[0]

    def has_message(self, kind: str) -> bool:
        return kind in self._messages

    def get_writer(self, message: str) -> Converter | None:
        """What makes a body into the dictionary that the message takes; None where it is that already."""
        if message not in self._writers:
            self._writers[message] = self._compile_writer(self._messages[message])
        return self._writers[message]

    def get_reader(self, message: str) -> _MessageReader:
        """What makes a message into the arguments of a call."""
        if message not in self._readers:
            self._readers[message] = _MessageReader(self._messages[message], self)
        return self._readers[message]

    def _compile_writer(self, message: ProtoMessage) -> Converter | None:
        changed = [(one.member, one.name, self._compile_field_writer(one)) for one in message.fields]
        changed = [one for one in changed if one[0] != one[1] or one[2] is not None]
        if not changed:
            return None

        def write(body: Mapping[str, Any]) -> dict[str, Any]:
            made = dict(body)
            for member, name, convert in changed:
                value = made.pop(member, None)
                if value is not None:
                    made[name] = value if convert is None else convert(value)
            return made

        return write

    def _compile_field_writer(self, field: ProtoField) -> Converter | None:
        if field.wrapped:
            inner = self._compile_field_writer(self.find_wrapped_field(field.kind))
            return (lambda values: {"values": values}) if inner is None else (lambda values: {"values": inner(values)})
        if field.kind == VALUE:
            one: Converter | None = as_value
        else:
            one = self.get_writer(field.kind) if field.kind in self._messages else None
        if one is None or field.label not in ("repeated", "map"):
            return one
        if field.label == "map":
            return lambda values: {key: one(value) for key, value in values.items()}
        return lambda values: [one(value) for value in values]


class _MessageReader:
    """Reads one kind of message."""

    def __init__(self, message: ProtoMessage, encoding: Encoding) -> None:
        self._message = message
        self._encoding = encoding

    @cached_property
    def _fields(self) -> dict[str, tuple[str, Converter]]:
        return {one.name: (one.member, self._compile_field_reader(one)) for one in self._message.fields}

    @cached_property
    def _lists(self) -> list[str]:
        """Lists that must be there: proto does not tell an empty one from none."""
        return [one.member for one in self._message.fields if one.label == "repeated" and one.required]

    def __call__(self, message: Any) -> dict[str, Any]:
        arguments = {}
        for descriptor, value in message.ListFields():
            member, convert = self._fields[descriptor.name]
            arguments[member] = convert(value)
        for member in self._lists:
            arguments.setdefault(member, [])
        if unknown := UnknownFieldSet(message):
            number = unknown[0].field_number
            raise UnknownArgument(
                f"field {number} is not known here; is the client's sanya.proto newer than this server?"
            )
        return arguments

    def _compile_field_reader(self, field: ProtoField) -> Converter:
        if field.wrapped:
            inner = self._compile_field_reader(self._encoding.find_wrapped_field(field.kind))
            return lambda wrapper: inner(wrapper.values)
        if field.kind == STRUCT:
            one: Converter = from_struct
        elif field.kind == VALUE:
            one = from_value
        elif self._encoding.has_message(field.kind):
            one = self._encoding.get_reader(field.kind)
        else:
            one = _pass_through
        if field.label == "repeated":
            return lambda values: [one(value) for value in values]
        if field.label == "map":
            return lambda values: {key: one(value) for key, value in values.items()}
        return one


def _pass_through(value: Any) -> Any:
    return value


def as_value(value: Any) -> dict[str, Any]:
    """A JSON value as the dictionary that google.protobuf.Value takes."""
    match value:
        case None:
            return {"null_value": 0}
        case bool():
            return {"bool_value": value}
        case int() | float():
            return {"number_value": value}
        case str():
            return {"string_value": value}
        case list():
            return {"list_value": value}
    return {"struct_value": value}


def from_struct(struct: struct_pb2.Struct) -> dict[str, Any]:
    return {key: from_value(value) for key, value in struct.fields.items()}


def from_value(value: struct_pb2.Value) -> Any:
    match value.WhichOneof("kind"):
        case "struct_value":
            return from_struct(value.struct_value)
        case "list_value":
            return [from_value(one) for one in value.list_value.values]
        case "number_value":
            number = value.number_value
            return int(number) if number.is_integer() and abs(number) < 2**53 else number
        case "string_value":
            return value.string_value
        case "bool_value":
            return value.bool_value
    return None
