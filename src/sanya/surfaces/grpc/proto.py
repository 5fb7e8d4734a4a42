"""Builds the proto file of a catalogue as data: messages, services, and the contract member behind each field."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import orjson

from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.schema_types import (
    ABSENT,
    AnyType,
    ContractType,
    ListType,
    MapType,
    Member,
    RecordType,
    ScalarType,
    StampType,
    read_record,
    to_type_name,
)
from sanya.kernel.contracts.tool import Tool
from sanya.surfaces.grpc.field_numbers import FieldNumbers
from sanya.surfaces.grpc.fixed_messages import FIXED_MESSAGES, STRUCT, VALUE, Label

PACKAGE = "sanya.v1"
_SCALARS = {"string": "string", "integer": "int64", "number": "double", "boolean": "bool"}
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_PLAIN = re.compile(r"[^a-z0-9]+")


class ProtoNameConflict(ValueError):
    """Two names of the contracts become the same name in the proto file."""


@dataclass(frozen=True, slots=True)
class ProtoField:
    """A field of a message.

    `member` is the contract's own name. `kind` is a proto scalar or the name of a message; for a map, the kind of its
    values. `wrapped` lists and maps are in a message of their own, because proto cannot say that one is absent or null.
    """

    name: str
    number: int
    label: Label
    kind: str
    member: str
    comment: str
    required: bool = False
    wrapped: bool = False


@dataclass(frozen=True, slots=True)
class ProtoMessage:
    name: str
    comment: str
    fields: tuple[ProtoField, ...]
    reserved: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProtoMethod:
    name: str
    comment: str
    request: str
    response: str
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class ProtoService:
    name: str
    comment: str
    methods: tuple[ProtoMethod, ...]


@dataclass(frozen=True, slots=True)
class ProtoFile:
    messages: dict[str, ProtoMessage]
    services: tuple[ProtoService, ...]


def build_proto(catalogue: Catalogue, numbers: FieldNumbers) -> ProtoFile:
    """Build the proto file. Adds new fields to `numbers` and reserves the numbers of removed ones."""
    maker = _MessageBuilder(numbers)
    _add_fixed(maker)
    services = []
    for suite in catalogue.suites:
        methods = tuple(_add_tool_method(maker, tool) for tool in suite.tools if tool.effect == "read")
        if methods:
            services.append(ProtoService(to_type_name(suite.name, "service"), f"{suite.title}.", methods))
    services.append(_build_resources_service())
    names = [service.name for service in services]
    if len(set(names)) != len(names):
        raise ProtoNameConflict(f"Two services have the same name: {', '.join(names)}.")
    return ProtoFile(maker.messages, tuple(services))


def to_field_name(member: str) -> str:
    """Convert a contract's name to proto style: `fundCode` becomes `fund_code`, `_meta` becomes `meta`."""
    return _NOT_PLAIN.sub("_", _HUMP.sub("_", member).lower()).strip("_")


class _MessageBuilder:
    def __init__(self, numbers: FieldNumbers) -> None:
        self._numbers = numbers
        self._in_request = False
        self.messages: dict[str, ProtoMessage] = {}

    def add_message(self, name: str, comment: str, members: Sequence[tuple[Member, Label, str, bool]]) -> str:
        """Add a message. Each of `members` comes with its label, its kind and whether it is wrapped."""
        if name in self.messages:
            raise ProtoNameConflict(f"Two messages have the name {name}.")
        numbers = self._numbers.get_message(name)
        fields = []
        for member, label, kind, wrapped in members:
            named = to_field_name(member.name)
            number = numbers.assign(named, f"{label} {kind}".strip())
            comment_of = _write_comment(member)
            fields.append(ProtoField(named, number, label, kind, member.name, comment_of, member.required, wrapped))
        if len({field.name for field in fields}) != len(fields):
            raise ProtoNameConflict(f"Two members of {name} have the same proto name.")
        reserved = self._numbers.retire(name, {field.name for field in fields})
        self.messages[name] = ProtoMessage(name, comment, tuple(fields), dict(reserved))
        return name

    def add_request(self, record: RecordType, name: str, comment: str, place: tuple[str, ...]) -> str:
        """Add a request message. Every field tracks presence, so that a missing argument is noticed."""
        self._in_request = True
        try:
            return self.add_record(record, name, comment, place)
        finally:
            self._in_request = False

    def add_record(self, record: RecordType, name: str, comment: str, place: tuple[str, ...]) -> str:
        """Add a message for the record. Nested messages are named by their place in the contract."""
        members = [(member, *self._choose_field_type(member, (*place, member.name))) for member in record.members]
        return self.add_message(name, comment, members)

    def _choose_field_type(self, member: Member, place: tuple[str, ...]) -> tuple[Label, str, bool]:
        typed, comment = member.type, member.description
        match typed.kind:
            case ListType(item) if not item.nullable and not isinstance(item.kind, ListType | MapType):
                kind, many = self._choose_kind(item, place, comment), "repeated"
            case MapType(value) if not value.nullable and isinstance(value.kind, ScalarType | RecordType):
                kind, many = self._choose_kind(value, place, comment), "map"
            case ListType():
                return "optional", VALUE, False
            case ScalarType() if member.required and not typed.nullable and not self._in_request:
                return "", self._choose_kind(typed, place, comment), False
            case _:
                return "optional", self._choose_kind(typed, place, comment), False
        label: Label = "map" if many == "map" else "repeated"
        if not typed.nullable and (member.required or (member.default is not ABSENT and not member.default)):
            return label, kind, False
        return "optional", self._add_wrapper(label, kind, place, comment), True

    def _add_wrapper(self, label: Label, kind: str, place: tuple[str, ...], comment: str) -> str:
        values = Member("values", ContractType(AnyType()), True, "The values.")
        suffix = "Map" if label == "map" else "List"
        return self.add_message(to_type_name(*place, suffix), comment, [(values, label, kind, False)])

    def _choose_kind(self, typed: ContractType, place: tuple[str, ...], comment: str) -> str:
        match typed.kind:
            case ScalarType(kind):
                return _SCALARS[kind]
            case RecordType() as record:
                return self.add_record(record, to_type_name(*place), comment, place)
            case StampType():
                return "Stamp"
            case MapType() | AnyType(is_object=True):
                return STRUCT
        return VALUE


def _write_comment(member: Member) -> str:
    says = member.description
    if isinstance(member.type.kind, ScalarType) and member.type.kind.choices:
        says = f"{says} One of {', '.join(member.type.kind.choices)}."
    if member.default is not ABSENT and member.default is not None:
        says = f"{says} Default: {orjson.dumps(member.default).decode('utf-8')}."
    return says


def _add_tool_method(maker: _MessageBuilder, tool: Tool) -> ProtoMethod:
    name = to_type_name(tool.name)
    place = (tool.name,)
    request = maker.add_request(
        read_record(tool.typed_input_schema), f"{name}Request", f"What {tool.name} takes.", (*place, "request")
    )
    body = maker.add_record(read_record(tool.output_schema), f"{name}Body", f"What {tool.name} answers.", place)
    response = _add_response(maker, f"{name}Response", body, f"The answer of {tool.name}, and the receipt of the call.")
    return ProtoMethod(name, tool.description, request, response, tool.name)


def _add_response(maker: _MessageBuilder, name: str, body: str, comment: str) -> str:
    return maker.add_message(
        name,
        comment,
        [
            (_build_member("body", "The body, as in the contract."), "optional", body, False),
            (_build_member("receipt", "The receipt of the call."), "optional", "Receipt", False),
        ],
    )


def _build_member(name: str, description: str) -> Member:
    return Member(name, ContractType(AnyType()), True, description)


def _add_fixed(maker: _MessageBuilder) -> None:
    """Add the messages that come from no contract."""
    for name, (comment, rows) in FIXED_MESSAGES.items():
        members = [(_build_member(field, says), label, kind, False) for field, label, kind, says in rows]
        maker.add_message(name, comment, members)
    _add_response(maker, "ReadResourceResponse", "ReadResourceBody", "A resource, and the receipt of the call.")


def _build_resources_service() -> ProtoService:
    listing = ProtoMethod("ListResources", "Lists every resource.", "ListResourcesRequest", "ListResourcesResponse")
    reading = ProtoMethod("ReadResource", "Reads one resource.", "ReadResourceRequest", "ReadResourceResponse")
    return ProtoService("ResourcesService", "Resources, read by URI.", (listing, reading))
