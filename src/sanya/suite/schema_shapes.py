"""Shapes that a JSON Schema gives, for contracts that come from elsewhere: another server's listing, for one.

The values are held as they came, and validated by the schema itself: exactly what the schema takes, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any, ClassVar, Self

import jsonschema_rs
from pydantic import ConfigDict, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from sanya.kernel.contracts.shapes import Shape, is_text

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

_MAX_PROBLEMS = 10


class SchemaShape(Shape):
    """An object that a JSON Schema describes. `get_values` returns it as plain JSON."""

    model_config = ConfigDict(extra="allow")

    json_schema: ClassVar[Mapping[str, Any]] = {}
    _validator: ClassVar[jsonschema_rs.Validator]

    @classmethod
    def model_validate(cls, obj: Any, **_: Any) -> Self:
        """Return the object with defaults filled in. Raise pydantic's ValidationError, as every shape does."""
        values = _fill_defaults(cls.json_schema, dict(obj))
        problems = [*_list_problems(cls._validator, values)]
        if problems:
            raise ValidationError.from_exception_data(cls.__name__, problems[:_MAX_PROBLEMS])
        made = cls.model_construct()
        object.__setattr__(made, "__pydantic_extra__", values)
        return made

    def get_values(self) -> dict[str, Any]:
        return dict(self.__pydantic_extra__ or {})

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        del schema, handler
        return deepcopy(dict(cls.json_schema))


def build_schema_shape(name: str, schema: Mapping[str, Any]) -> type[SchemaShape]:
    """Return a shape of this name. Raise ValueError for a schema that is none."""
    try:
        validator = jsonschema_rs.validator_for(dict(schema))
    except (ValueError, jsonschema_rs.ValidationError) as error:
        raise ValueError(f"{name} is not a JSON Schema: {str(error).splitlines()[0]}") from None
    return type(name, (SchemaShape,), {"json_schema": schema, "_validator": validator, "__module__": __name__})


def _fill_defaults(schema: Mapping[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    for name, member in schema.get("properties", {}).items():
        if name not in values and "default" in member:
            values[name] = deepcopy(member["default"])
        elif isinstance(values.get(name), dict):
            values[name] = _fill_defaults(member, dict(values[name]))
    return values


def _list_problems(validator: jsonschema_rs.Validator, values: dict[str, Any]) -> Iterable[InitErrorDetails]:
    for error in validator.iter_errors(values):
        place = tuple(error.instance_path)
        kind: Any = error.kind  # its attributes depend on its name
        match kind.name:
            case "required":
                yield {"type": "missing", "loc": (*place, kind.property), "input": error.instance}
            case "additionalProperties":
                for name in kind.unexpected:
                    yield {
                        "type": "extra_forbidden",
                        "loc": (*place, name),
                        "input": _find_member(error.instance, name),
                    }
            case _:
                rule = _describe_rule(error)
                yield {"type": PydanticCustomError("schema", rule), "loc": place, "input": error.instance}
    for place, text in _list_texts(values):
        if not is_text(text):
            yield {"type": PydanticCustomError("text", "must not hold the character U+0000"), "loc": place, "input": ""}


def _find_member(instance: Any, name: str) -> Any:
    return instance[name] if isinstance(instance, dict) else None


def _describe_rule(error: jsonschema_rs.ValidationError) -> Any:
    """Return the rule alone: the message of the validator begins with the value, which may be of any length."""
    keyword = str(error.schema_path[-1]) if error.schema_path else ""
    limit = getattr(error.kind, "limit", None)
    options = getattr(error.kind, "options", None)
    kinds = getattr(error.kind, "types", None)
    if options is not None:
        rule = "must be one of " + ", ".join(map(repr, options))
    elif limit is not None:
        rule = f"must keep to {keyword} {limit}"
    elif kinds is not None:
        rule = "must be " + " or ".join(kinds)
    else:
        rule = f"must keep to the rule {keyword} of its schema"
    return rule.replace("{", "{{").replace("}", "}}")


def _list_texts(value: Any, place: tuple[int | str, ...] = ()) -> Iterable[tuple[tuple[int | str, ...], str]]:
    match value:
        case str():
            yield place, value
        case dict():
            for name, member in value.items():
                yield (*place, name), name
                yield from _list_texts(member, (*place, name))
        case list():
            for index, member in enumerate(value):
                yield from _list_texts(member, (*place, index))
