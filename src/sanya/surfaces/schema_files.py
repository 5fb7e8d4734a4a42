"""The GraphQL and proto files that are generated from all contracts and published beside the JSON of each tool."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any

import orjson

from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.diff import ContractDifference
from sanya.surfaces.grpc.field_numbers import NUMBERS_FILE, FieldNumberConflict, FieldNumbers
from sanya.surfaces.grpc.proto import build_proto
from sanya.surfaces.grpc.proto_text import render_proto

GRAPHQL_NAME, PROTO_NAME = "sanya.graphql", "sanya.proto"

_MESSAGE = re.compile(r"^message (\w+) \{", re.MULTILINE)
_FIELD = re.compile(r"^  (?!reserved)[\w.<>, ]+ (\w+) = (\d+)[ ;]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SchemaDifference(ContractDifference):
    """A difference in a generated file. Only a changed field number breaks clients."""

    @property
    def breaking(self) -> bool:
        return self.kind == "changed_number"


def compare_schema_files(catalogue: Catalogue, folder: Traversable) -> list[ContractDifference]:
    """Compare the published GraphQL and proto files with those generated from the contracts."""
    try:
        now = build_schema_files(catalogue, folder)
    except FieldNumberConflict as broken:
        return [SchemaDifference(PROTO_NAME, "changed_number", "fields", str(broken))]
    return [
        SchemaDifference(
            name, "changed_schema", "file", "differs from the published file; run `sanya contracts export`"
        )
        for name, content in now.items()
        if not (file := folder / name).is_file() or file.read_bytes() != content
    ]


def build_schema_files(catalogue: Catalogue, folder: Traversable) -> dict[str, bytes]:
    """Map file name to content. `folder` holds the published files. Raises FieldNumberConflict if a number changes."""
    from sanya.surfaces.graphql.schema import render_schema  # here: graphql-core is slow to load

    numbers = read_numbers(folder)
    proto = render_proto(build_proto(catalogue, numbers))
    if (published := folder / PROTO_NAME).is_file():
        _refuse_changed(parse_field_numbers(published.read_text("utf-8")), parse_field_numbers(proto))
    return {
        GRAPHQL_NAME: render_schema(catalogue).encode("utf-8"),
        PROTO_NAME: proto.encode("utf-8"),
        NUMBERS_FILE: orjson.dumps(numbers.as_json(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE),
    }


def build_guest_numbers(catalogue: Catalogue, folder: Traversable, ours: Traversable) -> dict[str, bytes]:
    """Return the file of field numbers for a guest, whose published file is in `folder`: its own messages alone."""
    numbers = read_numbers(folder)
    build_proto(catalogue, numbers)
    published = read_numbers(ours).as_json()
    own = {message: fields for message, fields in numbers.as_json().items() if message not in published}
    return {NUMBERS_FILE: orjson.dumps(own, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)}


def read_numbers(folder: Traversable, guest_folders: Iterable[Traversable] = ()) -> FieldNumbers:
    """Read the published numbers, and those that guests ship. Where both name a message, ours wins."""
    numbers: dict[str, Any] = {}
    for source in (*guest_folders, folder):
        if (file := source / NUMBERS_FILE).is_file():
            numbers.update(orjson.loads(file.read_bytes()))
    return FieldNumbers(numbers)


def parse_field_numbers(proto: str) -> dict[str, int]:
    """Map `Message.field` to its number in the text of a proto file."""
    numbers: dict[str, int] = {}
    starts = [*_MESSAGE.finditer(proto)]
    for place, start in enumerate(starts):
        end = starts[place + 1].start() if place + 1 < len(starts) else len(proto)
        for name, number in _FIELD.findall(proto, start.end(), end):
            numbers[f"{start[1]}.{name}"] = int(number)
    return numbers


def _refuse_changed(published: dict[str, int], now: dict[str, int]) -> None:
    """Compare with the published proto file, which clients have: the file of numbers could have been edited by hand."""
    for name, number in published.items():
        if now.get(name, number) != number:
            raise FieldNumberConflict(f"{name} was published as number {number} and would become {now[name]}")
    given = {(name.partition(".")[0], number): name for name, number in published.items()}
    for name, number in now.items():
        earlier = given.get((name.partition(".")[0], number), name)
        if earlier != name:
            raise FieldNumberConflict(f"{name} would take number {number}, which was published for {earlier}")
