"""The data of the stand-in: classes and their objects, checked like a server with a fixed schema does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from time import time_ns
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
    """A request that a server refuses, with its message."""


@dataclass
class StoredObject:
    uuid: str
    properties: dict[str, Any]
    vectors: dict[str, Vector]
    number: int
    stored_ms: int = field(default_factory=lambda: time_ns() // 1_000_000)


@dataclass
class StoredClass:
    config: dict[str, Any]
    objects: dict[str, StoredObject] = field(default_factory=dict)
    dimensions: dict[str, int] = field(default_factory=dict)
    numbers: Any = field(default_factory=lambda: count(1))

    def get_property(self, name: str) -> dict[str, Any]:
        for definition in self.config["properties"]:
            if definition["name"] == name:
                return dict(definition)
        raise Refused(f"no such prop with name '{name}' found in class '{self.config['class']}'")

    def put(self, uuid: str, properties: dict[str, Any], vectors: dict[str, Vector]) -> None:
        for name, value in properties.items():
            _check_value(self.get_property(name), value)
        for name, vector in vectors.items():
            if name not in self.config.get("vectorConfig", {}):
                raise Refused(f"collection does not have configuration for vector {name}")
            if self.dimensions.setdefault(name, len(vector)) != len(vector):
                raise Refused(f"vector lengths don't match: {len(vector)} vs {self.dimensions[name]}")
        self.objects[uuid] = StoredObject(uuid, properties, vectors, next(self.numbers))

    def tokenize(self, stored: StoredObject, name: str) -> list[str]:
        return tokenize(str(stored.properties.get(name, "")), self.get_property(name)["tokenization"])


class ClassStore:
    """All classes, by name."""

    def __init__(self) -> None:
        self.classes: dict[str, StoredClass] = {}

    def get(self, name: str) -> StoredClass:
        if name not in self.classes:
            raise Refused(f"could not find class {name} in schema")
        return self.classes[name]

    def create(self, config: dict[str, Any]) -> dict[str, Any]:
        name = config["class"]
        if not _CLASS_NAME.fullmatch(name) or any(name.lower() == other.lower() for other in self.classes):
            raise Refused(f"class name {name} is taken or not a name")
        full = _with_defaults(config)
        held = StoredClass({**full, "properties": []})
        for definition in full["properties"]:
            add_property(held, definition)
        self.classes[name] = held
        return held.config


def add_property(held: StoredClass, definition: dict[str, Any]) -> None:
    if not _PROPERTY_NAME.fullmatch(definition["name"]) or definition["name"] in ("id", "_id", "vector"):
        raise Refused(f"'{definition['name']}' is not a valid property name")
    if any(other["name"] == definition["name"] for other in held.config["properties"]):
        raise Refused(f"property {definition['name']} exists")
    text = definition["dataType"][0] in ("text", "text[]")
    given = {key: value for key, value in definition.items() if value is not None}
    defaults = {"indexFilterable": True, "indexSearchable": text, **({"tokenization": "word"} if text else {})}
    held.config["properties"].append({**defaults, **given})


def tokenize(text: str, tokenization: str) -> list[str]:
    match tokenization:
        case "whitespace":
            return text.split()
        case "field":
            return [text.strip()]
        case "word":
            return re.findall(r"\w+", text.lower())
    raise Refused(f"this stand-in does not tokenize by {tokenization}")


def count_tokens(tokens: Sequence[str]) -> Counter[str]:
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
        "vectorConfig": {name: _fill_vector_defaults(config) for name, config in vectors.items()},
    }


def _fill_vector_defaults(given: dict[str, Any]) -> dict[str, Any]:
    index = {key: value for key, value in (given.get("vectorIndexConfig") or {}).items() if value is not None}
    return {**given, "vectorIndexType": "hnsw", "vectorIndexConfig": {**_HNSW, **index}}


def _check_value(definition: dict[str, Any], value: Any) -> None:
    kind = definition["dataType"][0]
    fits = {
        "text": isinstance(value, str),
        "text[]": isinstance(value, list) and all(isinstance(each, str) for each in value),
        "number": isinstance(value, float),
        "int": isinstance(value, float) and value.is_integer(),
    }[kind]
    if not fits:
        raise Refused(f"invalid {kind} property '{definition['name']}' on class: {value!r}")
