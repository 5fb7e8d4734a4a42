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
from sanya.surfaces.grpc.fixed_messages import FIXED_MESSAGES, STRUCT, VALUE, Label
from sanya.surfaces.grpc.numbers import Numbers

PACKAGE = "sanya.v1"
_SCALARS = {"string": "string", "integer": "int64", "number": "double", "boolean": "bool"}
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_PLAIN = re.compile(r"[^a-z0-9]+")


class NameTaken(ValueError):
    """Two names of the contracts would be one name in the proto file."""


@dataclass(frozen=True, slots=True)
class Field:
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
class Message:
    name: str
    comment: str
    fields: tuple[Field, ...]
    reserved: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Method:
    name: str
    comment: str
    request: str
    response: str
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class Service:
    name: str
    comment: str
    methods: tuple[Method, ...]


@dataclass(frozen=True, slots=True)
class ProtoFile:
    messages: dict[str, Message]
    services: tuple[Service, ...]


def build_proto(catalogue: Catalogue, numbers: Numbers) -> ProtoFile:
    """Also grows `numbers` by what is new, and puts there in reserve what is gone."""
    maker = _Maker(numbers)
    _add_fixed(maker)
    services = []
    for suite in catalogue.suites:
        methods = tuple(_tool_method(maker, tool) for tool in suite.tools if tool.effect == "read")
        if methods:
            services.append(Service(type_name(suite.name, "service"), f"{suite.title}.", methods))
    services.append(_resources_service())
    names = [one.name for one in services]
    if len(set(names)) != len(names):
        raise NameTaken(f"two services would have one name: {', '.join(names)}")
    return ProtoFile(maker.messages, tuple(services))


def field_name(member: str) -> str:
    """The contract's name in proto's style: `fundCode` is `fund_code`, `_meta` is `meta`."""
    return _NOT_PLAIN.sub("_", _HUMP.sub("_", member).lower()).strip("_")


class _Maker:
    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self._asking = False
        self.messages: dict[str, Message] = {}

    def message(self, name: str, comment: str, members: Sequence[tuple[Member, Label, str, bool]]) -> str:
        """`members` with the label and kind of each, and whether it is wrapped."""
        if name in self.messages:
            raise NameTaken(f"two messages would be called {name}")
        numbers = self._numbers.message(name)
        fields = []
        for member, label, kind, wrapped in members:
            named = field_name(member.name)
            number = numbers.number(named, f"{label} {kind}".strip())
            comment_of = _described(member)
            fields.append(Field(named, number, label, kind, member.name, comment_of, member.required, wrapped))
        if len({one.name for one in fields}) != len(fields):
            raise NameTaken(f"two members of {name} would have one name")
        reserved = self._numbers.retire(name, {one.name for one in fields})
        self.messages[name] = Message(name, comment, tuple(fields), dict(reserved))
        return name

    def request(self, record: Record, name: str, comment: str, place: tuple[str, ...]) -> str:
        """A message whose every field says whether it was set: an argument that is missing must be seen to be."""
        self._asking = True
        try:
            return self.record(record, name, comment, place)
        finally:
            self._asking = False

    def record(self, record: Record, name: str, comment: str, place: tuple[str, ...]) -> str:
        """A message for the record; the messages below it are named by their place."""
        members = [(one, *self._carried(one, (*place, one.name))) for one in record.members]
        return self.message(name, comment, members)

    def _carried(self, member: Member, place: tuple[str, ...]) -> tuple[Label, str, bool]:
        typed, comment = member.typed, member.description
        match typed.kind:
            case Listed(item) if not item.nullable and not isinstance(item.kind, Listed | Mapped):
                kind, many = self._kind(item, place, comment), "repeated"
            case Mapped(value) if not value.nullable and isinstance(value.kind, Scalar | Record):
                kind, many = self._kind(value, place, comment), "map"
            case Listed():
                return "optional", VALUE, False
            case Scalar() if member.required and not typed.nullable and not self._asking:
                return "", self._kind(typed, place, comment), False
            case _:
                return "optional", self._kind(typed, place, comment), False
        label: Label = "map" if many == "map" else "repeated"
        if not typed.nullable and (member.required or (member.default is not ABSENT and not member.default)):
            return label, kind, False
        return "optional", self._wrapper(label, kind, place, comment), True

    def _wrapper(self, label: Label, kind: str, place: tuple[str, ...], comment: str) -> str:
        values = Member("values", Typed(Anything()), True, "The values.")
        suffix = "Map" if label == "map" else "List"
        return self.message(type_name(*place, suffix), comment, [(values, label, kind, False)])

    def _kind(self, typed: Typed, place: tuple[str, ...], comment: str) -> str:
        match typed.kind:
            case Scalar(kind):
                return _SCALARS[kind]
            case Record() as record:
                return self.record(record, type_name(*place), comment, place)
            case Stamped():
                return "Stamp"
            case Mapped() | Anything(is_object=True):
                return STRUCT
        return VALUE


def _described(member: Member) -> str:
    says = member.description
    if isinstance(member.typed.kind, Scalar) and member.typed.kind.choices:
        says = f"{says} One of {', '.join(member.typed.kind.choices)}."
    if member.default is not ABSENT and member.default is not None:
        says = f"{says} Default: {orjson.dumps(member.default).decode('utf-8')}."
    return says


def _tool_method(maker: _Maker, tool: Tool) -> Method:
    name = type_name(tool.name)
    place = (tool.name,)
    request = maker.request(
        record_of(tool.input_schema), f"{name}Request", f"What {tool.name} takes.", (*place, "request")
    )
    body = maker.record(record_of(tool.output_schema), f"{name}Body", f"What {tool.name} answers.", place)
    response = _response(maker, f"{name}Response", body, f"The answer of {tool.name}, and the receipt of the call.")
    return Method(name, tool.description, request, response, tool.name)


def _response(maker: _Maker, name: str, body: str, comment: str) -> str:
    return maker.message(
        name,
        comment,
        [
            (_member("body", "The body, as the contract has it."), "optional", body, False),
            (_member("receipt", "The receipt of the call."), "optional", "Receipt", False),
        ],
    )


def _member(name: str, description: str) -> Member:
    return Member(name, Typed(Anything()), True, description)


def _add_fixed(maker: _Maker) -> None:
    """The messages that no contract has: stamps, receipts, faults, resources."""
    for name, (comment, rows) in FIXED_MESSAGES.items():
        members = [(_member(field, says), label, kind, False) for field, label, kind, says in rows]
        maker.message(name, comment, members)
    _response(maker, "ReadResourceResponse", "ReadResourceBody", "A resource, and the receipt of the call.")


def _resources_service() -> Service:
    listing = Method("ListResources", "Every resource there is.", "ListResourcesRequest", "ListResourcesResponse")
    reading = Method("ReadResource", "Reads one resource.", "ReadResourceRequest", "ReadResourceResponse")
    return Service("ResourcesService", "What can be read by its address.", (listing, reading))
