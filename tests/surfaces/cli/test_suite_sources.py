"""`sanya suite new --from`: shapes and tools from OpenAPI files, JSON Schemas and lists of tools."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pydantic import ValidationError

from sanya.kernel.contracts.lock import find_publishing_problems
from sanya.kernel.contracts.shapes import get_published_schema
from sanya.suite import PLAIN_DIALECT, Tool
from sanya.suite.schema_shapes import build_schema_shape
from sanya.suite.schema_tidying import tidy_input
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.shape_source import write_contract, write_handlers, write_tools
from sanya.surfaces.cli.suite_sources import read_sketches

PET = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "id": {"type": "integer", "nullable": True},
        "name": {"type": "string", "description": 'Name "of" the pet', "pattern": "^(?!x).*$"},
        "from": {"type": "string", "format": "date"},
        "parent": {"$ref": "#/components/schemas/Pet"},
        "owner": {"type": "object", "properties": {"e-mail": {"type": "string"}}},
        "extra": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        "kind": {"type": ["string", "null"], "enum": ["แมว", 'say "hi"', None]},
        "copy": {"type": "boolean", "default": False},
        "labels": {"type": "object", "additionalProperties": {"type": "number"}},
    },
}
ONE_PET = {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}}
SHOP = {
    "openapi": "3.0.3",
    "paths": {
        "/pets/{petId}": {
            "parameters": [
                {"name": "petId", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}}
            ],
            "get": {"operationId": "getPet", "summary": "Get a pet", "responses": ONE_PET},
            "delete": {"operationId": "deletePet", "responses": {"204": {"description": "gone"}}},
        },
        "/pets": {
            "get": {
                "parameters": [{"$ref": "#/components/parameters/Tag"}],
                "responses": {
                    "200": {
                        "content": {
                            "application/json": {
                                "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}
                            }
                        }
                    }
                },
            },
            "post": {
                "operationId": "addPet",
                "requestBody": {"required": True, **ONE_PET["200"]},
                "responses": ONE_PET,
            },
        },
    },
    "components": {
        "schemas": {"Pet": PET},
        "parameters": {"Tag": {"name": "class", "in": "query", "schema": {"type": "string", "default": "a"}}},
    },
}


def write(folder: Path, document: Any) -> Path:
    file = folder / "source.json"
    file.write_text(json.dumps(document, ensure_ascii=False), "utf-8")
    return file


def run_source(name: str, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / f"{name}.py").write_text(source, "utf-8")
    return __import__(name)


def test_an_openapi_file_becomes_shapes_that_take_what_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sketches = read_sketches(write(tmp_path, SHOP))
    assert {sketch.name: sketch.is_read for sketch in sketches} == {
        "get_pet": True,
        "delete_pet": False,
        "get_pets": True,
        "add_pet": False,
    }
    contract = run_source(f"contract_{tmp_path.name}", write_contract(sketches), tmp_path, monkeypatch)
    compile(f"def hold():\n{write_handlers('shop', sketches)}", "handlers", "exec")
    compile(f"def build(tool):\n    return (\n{write_tools('shop', sketches)}\n)", "tools", "exec")
    assert contract.GetPetInput.model_validate({"petId": 1})
    with pytest.raises(ValidationError):
        contract.GetPetInput.model_validate({"petId": 0})
    pet = {
        "name": "x",
        "from": "2026-01-01",
        "owner": {"e-mail": "a@b"},
        "kind": "แมว",
        "labels": {"a": 1.5},
        "extra": 5,
    }
    taken = contract.AddPetInput.model_validate({**pet, "parent": {"name": "y", "parent": {"name": "z"}}})
    assert taken.model_dump(by_alias=True)["copy"] is False
    assert contract.AddPetInput.model_validate({"name": "x", "kind": None, "id": None})
    for wrong in ({}, {"name": 5}, {"name": "x", "kind": "dog"}, {"name": "x", "other": 1}):
        with pytest.raises(ValidationError):
            contract.AddPetInput.model_validate(wrong)
    assert contract.GetPetsInput.model_validate({}).model_dump(by_alias=True) == {"class": "a"}
    assert get_published_schema(contract.GetPetsAnswer, mode="serialization")["properties"]["items"]["type"] == "array"


def test_what_a_schema_inherits_becomes_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = {
        "allOf": [
            {"$ref": "#/components/schemas/Pet"},
            {"required": ["tag"], "properties": {"tag": {"type": "string"}}},
        ]
    }
    referred = {"allOf": [{"$ref": "#/components/schemas/Pet"}], "description": "The mother"}
    body = {"allOf": [{"$ref": "#/components/schemas/Tagged"}, {"properties": {"mother": referred}}]}
    holder = {"content": {"application/json": {"schema": body}}}
    operation = {"operationId": "tag", "requestBody": holder, "responses": {"200": holder}}
    schemas = {"Pet": {"required": ["name"], "properties": {"name": {"type": "string"}}}, "Tagged": named}
    document = {"openapi": "3.1.0", "paths": {"/tags": {"put": operation}}, "components": {"schemas": schemas}}
    contract = run_source(
        f"inherited_{tmp_path.name}", write_contract(read_sketches(write(tmp_path, document))), tmp_path, monkeypatch
    )
    for shape in (contract.TagInput, contract.TagAnswer):
        assert shape.model_validate({"name": "a", "tag": "b", "mother": {"name": "c"}}).mother.name == "c"
        for wrong in ({"name": "a"}, {"tag": "b"}, {"name": "a", "tag": "b", "mother": {}}):
            with pytest.raises(ValidationError):
                shape.model_validate(wrong)


def test_written_tools_may_be_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sketches = read_sketches(write(tmp_path, SHOP))
    contract = run_source(f"published_{tmp_path.name}", write_contract(sketches), tmp_path, monkeypatch)

    async def handle(_: Any, __: Any) -> Any:
        raise AssertionError

    for name in ("GetPet", "AddPet", "GetPets", "DeletePet"):
        shapes = {"input": getattr(contract, f"{name}Input"), "output": getattr(contract, f"{name}Answer")}
        tool = Tool(
            name=f"shop.{name}",
            suite="shop",
            title=name,
            description=name,
            handler=handle,
            dialect=PLAIN_DIALECT,
            **shapes,
        )
        assert find_publishing_problems(tool) == []


def test_a_json_schema_becomes_one_tool_and_a_list_of_tools_becomes_as_many(tmp_path: Path) -> None:
    schema = {"title": "Leave request", "type": "object", "properties": {"days": {"type": "integer"}}}
    (only,) = read_sketches(write(tmp_path, schema))
    assert (only.name, list(only.input["properties"])) == ("leave_request", ["days"])
    tools = [{"name": "a-b", "inputSchema": {}}, {"name": "9lives", "annotations": {"readOnlyHint": True}}]
    assert [(sketch.name, sketch.is_read) for sketch in read_sketches(write(tmp_path, {"tools": tools}))] == [
        ("a_b", False),
        ("tool_9lives", True),
    ]


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({"swagger": "2.0"}, "Swagger 2"),
        ([1], "must hold a JSON object"),
        ({"type": "string"}, "neither an OpenAPI"),
        ({"openapi": "3.1.0", "paths": {}}, "no operation"),
        ({"tools": [{"name": "a-b"}, {"name": "a_b"}]}, "two tools would be called a_b"),
    ],
)
def test_a_file_that_describes_no_tools_is_refused_with_the_reason(document: Any, reason: str, tmp_path: Path) -> None:
    with pytest.raises(CommandFailed, match=reason):
        read_sketches(write(tmp_path, document))


def test_a_schema_shape_takes_exactly_what_its_schema_takes() -> None:
    schema = tidy_input(
        {
            "properties": {
                "size": {"$ref": "#/$defs/Size"},
                "node": {"$ref": "#/$defs/Node"},
                "tags": {"type": "array", "items": {"type": "string"}},
                "mode": {"type": "string", "enum": ["a", "b"], "default": "a"},
            },
            "required": ["size"],
            "$defs": {
                "Size": {"type": "integer", "minimum": 1, "title": "Size"},
                "Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}},
            },
        }
    )
    shape = build_schema_shape("Sample", schema)
    assert shape.model_validate({"size": 3}).get_values() == {"size": 3, "mode": "a"}
    assert shape.model_validate({"size": 3, "node": {"next": {"next": {}}}})
    published = get_published_schema(shape)
    assert "$ref" not in json.dumps(published)
    assert published["properties"]["tags"]["maxItems"] == 10_000
    with pytest.raises(ValidationError) as refused:
        shape.model_validate({"tags": ["a", "\0"], "mode": "c", "sise": 1})
    found = {(error["type"], ".".join(map(str, error["loc"]))) for error in refused.value.errors()}
    assert found == {("missing", "size"), ("extra_forbidden", "sise"), ("schema", "mode"), ("text", "tags.1")}


def test_a_schema_that_is_none_is_named() -> None:
    with pytest.raises(ValueError, match="BadInput is not a JSON Schema"):
        build_schema_shape("BadInput", {"type": "object", "properties": {"a": {"type": "strin"}}})
