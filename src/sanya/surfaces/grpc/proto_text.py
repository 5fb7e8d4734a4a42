"""Renders the proto file as text, for clients in other languages."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from sanya.surfaces.grpc.fixed_messages import STRUCT, VALUE
from sanya.surfaces.grpc.proto import PACKAGE, ProtoField, ProtoFile, ProtoMessage, ProtoService

_WIDTH = 100
_HEADER = f"""\
// Generated from the contracts by `sanya contracts export`. Do not edit.
//
// A field that is not set means null where the contract allows null, and absent where it does not. A list or map that
// can be null is wrapped in a message of its own (`values`). Field names are the contract's names in proto style;
// json_name is the contract's own name.

syntax = "proto3";

package {PACKAGE};

import "google/protobuf/struct.proto";
"""


def render_proto(file: ProtoFile) -> str:
    parts = [_HEADER]
    parts += ["\n".join(_render_service(service)) + "\n" for service in file.services]
    parts += ["\n".join(_render_message(message)) + "\n" for message in file.messages.values()]
    return "\n".join(parts)


def _render_service(service: ProtoService) -> Iterator[str]:
    yield from _render_comment(service.comment, "")
    yield f"service {service.name} {{"
    for place, method in enumerate(service.methods):
        if place:
            yield ""
        yield from _render_comment(method.comment, "  ")
        yield f"  rpc {method.name}({method.request}) returns ({method.response});"
    yield "}"


def _render_message(message: ProtoMessage) -> Iterator[str]:
    yield from _render_comment(message.comment, "")
    if not message.fields and not message.reserved:
        yield f"message {message.name} {{}}"
        return
    yield f"message {message.name} {{"
    if message.reserved:
        yield f"  reserved {', '.join(map(str, sorted(message.reserved.values())))};"
        yield "  reserved " + ", ".join(f'"{name}"' for name in sorted(message.reserved)) + ";"
    for field in message.fields:
        yield from _render_comment(field.comment, "  ")
        yield f"  {_render_field(field)}"
    yield "}"


def _render_field(field: ProtoField) -> str:
    # A message field always tracks presence, so `optional` would add nothing.
    is_message = field.kind[0].isupper() or field.kind in (STRUCT, VALUE)
    label = "" if field.label == "optional" and is_message else field.label
    kind = f"map<string, {field.kind}>" if label == "map" else f"{label} {field.kind}".strip()
    named = f' [json_name = "{field.member}"]' if field.member != to_json_name(field.name) else ""
    return f"{kind} {field.name} = {field.number}{named};"


def to_json_name(name: str) -> str:
    """Return the JSON name that protoc would choose for the field."""
    first, *rest = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


def _render_comment(text: str, indent: str) -> Iterator[str]:
    for paragraph in text.splitlines() or [""]:
        for line in textwrap.wrap(paragraph, _WIDTH) or [""]:
            yield f"{indent}// {line}".rstrip()
