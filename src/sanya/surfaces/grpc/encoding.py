"""Converts bodies to messages and messages to arguments, with converters compiled once for each message.

protobuf accepts plain dictionaries for its messages. So a body goes in unchanged wherever the contract and the message
use the same names, and a converter touches only the fields that differ.
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
        """Return the list or map field in a message that only wraps it."""
        return self._messages[wrapper].fields[0]

    def has_message(self, kind: str) -> bool:
        return kind in self._messages

    def get_writer(self, message: str) -> Converter | None:
        """Return the converter from a body to the dictionary that the message accepts; None if the body fits."""
        if message not in self._writers:
            self._writers[message] = self._compile_writer(self._messages[message])
        return self._writers[message]

    def get_reader(self, message: str) -> _MessageReader:
        """Return the converter from a message to the arguments of a call."""
        if message not in self._readers:
            self._readers[message] = _MessageReader(self._messages[message], self)
        return self._readers[message]

    def _compile_writer(self, message: ProtoMessage) -> Converter | None:
        fields = [(field.member, field.name, self._compile_field_writer(field)) for field in message.fields]
        changed = [(member, name, convert) for member, name, convert in fields if member != name or convert is not None]
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
            convert: Converter | None = as_value
        else:
            convert = self.get_writer(field.kind) if field.kind in self._messages else None
        if convert is None or field.label not in ("repeated", "map"):
            return convert
        if field.label == "map":
            return lambda values: {key: convert(value) for key, value in values.items()}
        return lambda values: [convert(value) for value in values]


class _MessageReader:
    """Reads one kind of message."""

    def __init__(self, message: ProtoMessage, encoding: Encoding) -> None:
        self._message = message
        self._encoding = encoding

    @cached_property
    def _fields(self) -> dict[str, tuple[str, Converter]]:
        return {field.name: (field.member, self._compile_field_reader(field)) for field in self._message.fields}

    @cached_property
    def _lists(self) -> list[str]:
        """Names of required lists. proto does not tell an empty list from an absent one, so they default to []."""
        return [field.member for field in self._message.fields if field.label == "repeated" and field.required]

    def __call__(self, message: Any) -> dict[str, Any]:
        arguments = {}
        for descriptor, value in message.ListFields():
            member, convert = self._fields[descriptor.name]
            arguments[member] = convert(value)
        for member in self._lists:
            arguments.setdefault(member, [])
        if unknown := UnknownFieldSet(message):
            number = unknown[0].field_number
            raise UnknownArgument(f"Unknown field number {number}. Is the client's sanya.proto newer than this server?")
        return arguments

    def _compile_field_reader(self, field: ProtoField) -> Converter:
        if field.wrapped:
            inner = self._compile_field_reader(self._encoding.find_wrapped_field(field.kind))
            return lambda wrapper: inner(wrapper.values)
        if field.kind == STRUCT:
            convert: Converter = from_struct
        elif field.kind == VALUE:
            convert = from_value
        elif self._encoding.has_message(field.kind):
            convert = self._encoding.get_reader(field.kind)
        else:
            convert = _pass_through
        if field.label == "repeated":
            return lambda values: [convert(value) for value in values]
        if field.label == "map":
            return lambda values: {key: convert(value) for key, value in values.items()}
        return convert


def _pass_through(value: Any) -> Any:
    return value


def as_value(value: Any) -> dict[str, Any]:
    """Convert a JSON value to the dictionary that google.protobuf.Value accepts."""
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
            return [from_value(item) for item in value.list_value.values]
        case "number_value":
            number = value.number_value
            return int(number) if number.is_integer() and abs(number) < 2**53 else number
        case "string_value":
            return value.string_value
        case "bool_value":
            return value.bool_value
    return None
