"""The proto file of a catalogue as data: messages, services, and how each field carries a member of a contract."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import orjson

from sanya.kernel.catalogue import Catalogue
from sanya.kernel.contract_types import (
    ABSENT,
    Anything,
    Listed,
    Mapped,
    Member,
    Record,
    Scalar,
    Stamped,
    Typed,
    record_of,
    type_name,
)
from sanya.kernel.tool import Tool
from sanya.surfaces.grpc.field_numbers import FieldNumbers
from sanya.surfaces.grpc.fixed_messages import FIXED_MESSAGES, STRUCT, VALUE, Label

PACKAGE = "sanya.v1"
_SCALARS = {"string": "string", "integer": "int64", "number": "double", "boolean": "bool"}
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_PLAIN = re.compile(r"[^a-z0-9]+")


class ProtoNameConflict(ValueError):
    """Two names of the contracts would be one name in the proto file."""


@dataclass(frozen=True, slots=True)
class ProtoField:
    """`member` is the contract's own name. `kind` is a scalar of proto or the name of a message; for a map, of its
    values. `wrapped` says that a list or map is in a message of its own, since it can be absent or null."""

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
    """Also grows `numbers` by what is new, and puts there in reserve what is gone."""
    maker = _MessageBuilder(numbers)
    _add_fixed(maker)
    services = []
    for suite in catalogue.suites:
        methods = tuple(_add_tool_method(maker, tool) for tool in suite.tools if tool.effect == "read")
        if methods:
            services.append(ProtoService(type_name(suite.name, "service"), f"{suite.title}.", methods))
    services.append(_build_resources_service())
    names = [one.name for one in services]
    if len(set(names)) != len(names):
        raise ProtoNameConflict(f"two services would have one name: {', '.join(names)}")
    return ProtoFile(maker.messages, tuple(services))


def to_field_name(member: str) -> str:
    """The contract's name in proto's style: `fundCode` is `fund_code`, `_meta` is `meta`."""
    return _NOT_PLAIN.sub("_", _HUMP.sub("_", member).lower()).strip("_")


class _MessageBuilder:
    def __init__(self, numbers: FieldNumbers) -> None:
        self._numbers = numbers
        self._in_request = False
        self.messages: dict[str, ProtoMessage] = {}

    def add_message(self, name: str, comment: str, members: Sequence[tuple[Member, Label, str, bool]]) -> str:
        """`members` with the label and kind of each, and whether it is wrapped."""
        if name in self.messages:
            raise ProtoNameConflict(f"two messages would be called {name}")
        numbers = self._numbers.get_message(name)
        fields = []
        for member, label, kind, wrapped in members:
            named = to_field_name(member.name)
            number = numbers.assign(named, f"{label} {kind}".strip())
            comment_of = _write_comment(member)
            fields.append(ProtoField(named, number, label, kind, member.name, comment_of, member.required, wrapped))
        if len({one.name for one in fields}) != len(fields):
            raise ProtoNameConflict(f"two members of {name} would have one name")
        reserved = self._numbers.retire(name, {one.name for one in fields})
        self.messages[name] = ProtoMessage(name, comment, tuple(fields), dict(reserved))
        return name

    def add_request(self, record: Record, name: str, comment: str, place: tuple[str, ...]) -> str:
        """A message whose every field says whether it was set: an argument that is missing must be seen to be."""
        self._in_request = True
        try:
            return self.add_record(record, name, comment, place)
        finally:
            self._in_request = False

    def add_record(self, record: Record, name: str, comment: str, place: tuple[str, ...]) -> str:
        """A message for the record; the messages below it are named by their place."""
        members = [(one, *self._choose_field_type(one, (*place, one.name))) for one in record.members]
        return self.add_message(name, comment, members)

    def _choose_field_type(self, member: Member, place: tuple[str, ...]) -> tuple[Label, str, bool]:
        typed, comment = member.typed, member.description
        match typed.kind:
            case Listed(item) if not item.nullable and not isinstance(item.kind, Listed | Mapped):
                kind, many = self._choose_kind(item, place, comment), "repeated"
            case Mapped(value) if not value.nullable and isinstance(value.kind, Scalar | Record):
                kind, many = self._choose_kind(value, place, comment), "map"
            case Listed():
                return "optional", VALUE, False
            case Scalar() if member.required and not typed.nullable and not self._in_request:
                return "", self._choose_kind(typed, place, comment), False
            case _:
                return "optional", self._choose_kind(typed, place, comment), False
        label: Label = "map" if many == "map" else "repeated"
        if not typed.nullable and (member.required or (member.default is not ABSENT and not member.default)):
            return label, kind, False
        return "optional", self._add_wrapper(label, kind, place, comment), True

    def _add_wrapper(self, label: Label, kind: str, place: tuple[str, ...], comment: str) -> str:
        values = Member("values", Typed(Anything()), True, "The values.")
        suffix = "Map" if label == "map" else "List"
        return self.add_message(type_name(*place, suffix), comment, [(values, label, kind, False)])

    def _choose_kind(self, typed: Typed, place: tuple[str, ...], comment: str) -> str:
        match typed.kind:
            case Scalar(kind):
                return _SCALARS[kind]
            case Record() as record:
                return self.add_record(record, type_name(*place), comment, place)
            case Stamped():
                return "Stamp"
            case Mapped() | Anything(is_object=True):
                return STRUCT
        return VALUE


def _write_comment(member: Member) -> str:
    says = member.description
    if isinstance(member.typed.kind, Scalar) and member.typed.kind.choices:
        says = f"{says} One of {', '.join(member.typed.kind.choices)}."
    if member.default is not ABSENT and member.default is not None:
        says = f"{says} Default: {orjson.dumps(member.default).decode('utf-8')}."
    return says


def _add_tool_method(maker: _MessageBuilder, tool: Tool) -> ProtoMethod:
    name = type_name(tool.name)
    place = (tool.name,)
    request = maker.add_request(
        record_of(tool.input_schema), f"{name}Request", f"What {tool.name} takes.", (*place, "request")
    )
    body = maker.add_record(record_of(tool.output_schema), f"{name}Body", f"What {tool.name} answers.", place)
    response = _add_response(maker, f"{name}Response", body, f"The answer of {tool.name}, and the receipt of the call.")
    return ProtoMethod(name, tool.description, request, response, tool.name)


def _add_response(maker: _MessageBuilder, name: str, body: str, comment: str) -> str:
    return maker.add_message(
        name,
        comment,
        [
            (_build_member("body", "The body, as the contract has it."), "optional", body, False),
            (_build_member("receipt", "The receipt of the call."), "optional", "Receipt", False),
        ],
    )


def _build_member(name: str, description: str) -> Member:
    return Member(name, Typed(Anything()), True, description)


def _add_fixed(maker: _MessageBuilder) -> None:
    """The messages that no contract has: stamps, receipts, faults, resources."""
    for name, (comment, rows) in FIXED_MESSAGES.items():
        members = [(_build_member(field, says), label, kind, False) for field, label, kind, says in rows]
        maker.add_message(name, comment, members)
    _add_response(maker, "ReadResourceResponse", "ReadResourceBody", "A resource, and the receipt of the call.")


def _build_resources_service() -> ProtoService:
    listing = ProtoMethod("ListResources", "Every resource there is.", "ListResourcesRequest", "ListResourcesResponse")
    reading = ProtoMethod("ReadResource", "Reads one resource.", "ReadResourceRequest", "ReadResourceResponse")
    return ProtoService("ResourcesService", "What can be read by its address.", (listing, reading))
