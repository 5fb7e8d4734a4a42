"""What the stand-in holds: classes and their objects, checked as a server with a fixed schema would."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

_CLASS_NAME = re.compile("[A-Z][_0-9A-Za-z]{0,254}")
_PROPERTY_NAME = re.compile("[_A-Za-z][_0-9A-Za-z]{0,230}")
_HNSW = {
    "cleanupIntervalSeconds": 300,
    "distance": "cosine",
    "dynamicEfMin": 100,
    "dynamicEfMax": 500,
    "dynamicEfFactor": 8,
    "ef": -1,
    "efConstruction": 128,
    "filterStrategy": "sweeping",
    "flatSearchCutoff": 40000,
    "maxConnections": 32,
    "skip": False,
    "vectorCacheMaxObjects": 1_000_000_000_000,
}
_SHARDING = {
    "virtualPerPhysical": 128,
    "desiredCount": 1,
    "actualCount": 1,
    "desiredVirtualCount": 128,
    "actualVirtualCount": 128,
    "key": "_id",
    "strategy": "hash",
    "function": "murmur3",
}
Vector = NDArray[np.float32]


class Refused(Exception):
    """What a server would refuse, in its words."""


@dataclass
class Held:
    uuid: str
    properties: dict[str, Any]
    vectors: dict[str, Vector]
    number: int


@dataclass
class HeldClass:
    config: dict[str, Any]
    objects: dict[str, Held] = field(default_factory=dict)
    dimensions: dict[str, int] = field(default_factory=dict)
    numbers: Any = field(default_factory=lambda: count(1))

    def property(self, name: str) -> dict[str, Any]:
        for one in self.config["properties"]:
            if one["name"] == name:
                return dict(one)
        raise Refused(f"no such prop with name '{name}' found in class '{self.config['class']}'")

    def put(self, uuid: str, properties: dict[str, Any], vectors: dict[str, Vector]) -> None:
        for name, value in properties.items():
            _check_value(self.property(name), value)
        for name, vector in vectors.items():
            if name not in self.config.get("vectorConfig", {}):
                raise Refused(f"collection does not have configuration for vector {name}")
            if self.dimensions.setdefault(name, len(vector)) != len(vector):
                raise Refused(f"vector lengths don't match: {len(vector)} vs {self.dimensions[name]}")
        self.objects[uuid] = Held(uuid, properties, vectors, next(self.numbers))

    def tokens(self, one: Held, name: str) -> list[str]:
        return tokenize(str(one.properties.get(name, "")), self.property(name)["tokenization"])


class Shelf:
    """All classes, by name."""

    def __init__(self) -> None:
        self.classes: dict[str, HeldClass] = {}

    def of(self, name: str) -> HeldClass:
        if name not in self.classes:
            raise Refused(f"could not find class {name} in schema")
        return self.classes[name]

    def create(self, config: dict[str, Any]) -> dict[str, Any]:
        name = config["class"]
        if not _CLASS_NAME.fullmatch(name) or any(name.lower() == other.lower() for other in self.classes):
            raise Refused(f"class name {name} is taken or not a name")
        full = _with_defaults(config)
        held = HeldClass({**full, "properties": []})
        for one in full["properties"]:
            add_property(held, one)
        self.classes[name] = held
        return held.config


def add_property(held: HeldClass, one: dict[str, Any]) -> None:
    if not _PROPERTY_NAME.fullmatch(one["name"]) or one["name"] in ("id", "_id", "vector"):
        raise Refused(f"'{one['name']}' is not a valid property name")
    if any(other["name"] == one["name"] for other in held.config["properties"]):
        raise Refused(f"property {one['name']} exists")
    text = one["dataType"][0] in ("text", "text[]")
    given = {key: value for key, value in one.items() if value is not None}
    defaults = {"indexFilterable": True, "indexSearchable": text, **({"tokenization": "word"} if text else {})}
    held.config["properties"].append({**defaults, **given})


def tokenize(text: str, way: str) -> list[str]:
    match way:
        case "whitespace":
            return text.split()
        case "field":
            return [text.strip()]
        case "word":
            return re.findall(r"\w+", text.lower())
    raise Refused(f"this stand-in does not tokenize by {way}")


def counted(tokens: Sequence[str]) -> Counter[str]:
    return Counter(tokens)


def _with_defaults(config: dict[str, Any]) -> dict[str, Any]:
    given = config.get("invertedIndexConfig") or {}
    stopwords = given.get("stopwords") or {}
    vectors = config.get("vectorConfig") or {}
    return {
        **config,
        "properties": config.get("properties") or [],
        "invertedIndexConfig": {
            "bm25": {"b": 0.75, "k1": 1.2, **(given.get("bm25") or {})},
            "cleanupIntervalSeconds": 60,
            "stopwords": {"preset": stopwords.get("preset", "en"), "additions": None, "removals": None},
        },
        "replicationConfig": {"factor": 1, "asyncEnabled": False},
        "shardingConfig": _SHARDING,
        "vectorConfig": {name: _vector_defaults(one) for name, one in vectors.items()},
    }


def _vector_defaults(given: dict[str, Any]) -> dict[str, Any]:
    index = {key: value for key, value in (given.get("vectorIndexConfig") or {}).items() if value is not None}
    return {**given, "vectorIndexType": "hnsw", "vectorIndexConfig": {**_HNSW, **index}}


def _check_value(one: dict[str, Any], value: Any) -> None:
    kind = one["dataType"][0]
    fits = {
        "text": isinstance(value, str),
        "text[]": isinstance(value, list) and all(isinstance(each, str) for each in value),
        "number": isinstance(value, float),
        "int": isinstance(value, float) and value.is_integer(),
    }[kind]
    if not fits:
        raise Refused(f"invalid {kind} property '{one['name']}' on class: {value!r}")
