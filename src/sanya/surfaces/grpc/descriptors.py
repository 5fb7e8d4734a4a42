"""Turns the proto file into descriptors and message classes at run time, without generated code."""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, struct_pb2

from sanya.surfaces.grpc.fixed_messages import STRUCT, VALUE
from sanya.surfaces.grpc.proto import PACKAGE, ProtoField, ProtoFile, ProtoMessage

FILE_NAME = "sanya.proto"
_F = descriptor_pb2.FieldDescriptorProto
_SCALARS = {
    "string": _F.TYPE_STRING,
    "int64": _F.TYPE_INT64,
    "uint64": _F.TYPE_UINT64,
    "double": _F.TYPE_DOUBLE,
    "bool": _F.TYPE_BOOL,
}


class Descriptors:
    """A descriptor pool with our file and its dependencies."""

    def __init__(self, file: ProtoFile) -> None:
        self.pool = descriptor_pool.DescriptorPool()
        dependency = descriptor_pb2.FileDescriptorProto()
        struct_pb2.DESCRIPTOR.CopyToProto(dependency)
        self.pool.Add(dependency)
        self.file = build_file_descriptor(file)
        self.pool.Add(self.file)

    def get_message_class(self, name: str) -> Any:
        """Return the class of one of our messages."""
        return message_factory.GetMessageClass(self.pool.FindMessageTypeByName(f"{PACKAGE}.{name}"))


def build_file_descriptor(file: ProtoFile) -> descriptor_pb2.FileDescriptorProto:
    made = descriptor_pb2.FileDescriptorProto(
        name=FILE_NAME, package=PACKAGE, syntax="proto3", dependency=["google/protobuf/struct.proto"]
    )
    for message in file.messages.values():
        _add_message(made.message_type.add(name=message.name), message)
    for service in file.services:
        added = made.service.add(name=service.name)
        for method in service.methods:
            added.method.add(
                name=method.name, input_type=f".{PACKAGE}.{method.request}", output_type=f".{PACKAGE}.{method.response}"
            )
    return made


def _add_message(made: descriptor_pb2.DescriptorProto, message: ProtoMessage) -> None:
    for field in message.fields:
        if field.label == "map":
            _add_map(made, message.name, field)
            continue
        repeated = field.label == "repeated"
        added = made.field.add(
            name=field.name,
            number=field.number,
            json_name=field.member,
            label=_F.LABEL_REPEATED if repeated else _F.LABEL_OPTIONAL,
        )
        _set_kind(added, field.kind)
        if field.label == "optional" and field.kind in _SCALARS:
            added.proto3_optional = True
            added.oneof_index = len(made.oneof_decl)
            made.oneof_decl.add(name=f"_{field.name}")
    for number in sorted(message.reserved.values()):
        made.reserved_range.add(start=number, end=number + 1)
    made.reserved_name.extend(sorted(message.reserved))


def _add_map(made: descriptor_pb2.DescriptorProto, message: str, field: ProtoField) -> None:
    entry = made.nested_type.add(name="".join(part.title() for part in field.name.split("_")) + "Entry")
    entry.options.map_entry = True
    _set_kind(entry.field.add(name="key", json_name="key", number=1, label=_F.LABEL_OPTIONAL), "string")
    _set_kind(entry.field.add(name="value", json_name="value", number=2, label=_F.LABEL_OPTIONAL), field.kind)
    made.field.add(
        name=field.name,
        number=field.number,
        json_name=field.member,
        label=_F.LABEL_REPEATED,
        type=_F.TYPE_MESSAGE,
        type_name=f".{PACKAGE}.{message}.{entry.name}",
    )


def _set_kind(added: descriptor_pb2.FieldDescriptorProto, kind: str) -> None:
    if kind in _SCALARS:
        added.type = _SCALARS[kind]
        return
    added.type = _F.TYPE_MESSAGE
    added.type_name = f".{kind}" if kind in (STRUCT, VALUE) else f".{PACKAGE}.{kind}"
