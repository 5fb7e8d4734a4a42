"""Searches of the stand-in: BM25, nearest vectors, relative-score fusion and filters.

Objects of equal score come in an arbitrary order, as they may from a real server.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from weaviate.proto.v1 import base_pb2

from tests.engines.index.weaviate_server.held import Refused, StoredClass, StoredObject, Vector, count_tokens, tokenize

ScoredObjects = list[tuple[float, StoredObject]]
_Operator = base_pb2.Filters


def find_passing(held: StoredClass, filters: base_pb2.Filters | None) -> list[StoredObject]:
    return [stored for stored in held.objects.values() if filters is None or _is_passing(held, stored, filters)]


def rank_by_words(held: StoredClass, query: str, properties: list[str], among: list[StoredObject]) -> ScoredObjects:
    """Rank by BM25 like Weaviate: statistics of the whole class, and a term that the query repeats counts twice."""
    config = held.config["invertedIndexConfig"]["bm25"]
    scores: dict[str, float] = {}
    for name in properties:
        definition = held.get_property(name)
        if not definition["indexSearchable"]:
            raise Refused(f"searchable index not found for property '{name}'")
        documents = {uuid: count_tokens(held.tokenize(stored, name)) for uuid, stored in held.objects.items()}
        lengths = {uuid: sum(terms.values()) for uuid, terms in documents.items()}
        mean = sum(lengths.values()) / max(1, len(lengths))
        for term, times in count_tokens(tokenize(query, definition["tokenization"])).items():
            with_term = sum(1 for terms in documents.values() if term in terms)
            idf = math.log(1 + (len(documents) - with_term + 0.5) / (with_term + 0.5)) * times
            for stored in among:
                frequency = documents[stored.uuid][term]
                if frequency:
                    norm = 1 - config["b"] + config["b"] * lengths[stored.uuid] / mean
                    part = idf * frequency * (config["k1"] + 1) / (frequency + config["k1"] * norm)
                    scores[stored.uuid] = scores.get(stored.uuid, 0.0) + part
    ranked = [(float(np.float32(score)), held.objects[uuid]) for uuid, score in scores.items()]
    return sorted(ranked, key=lambda pair: (-pair[0], pair[1].uuid))


def rank_by_vector(held: StoredClass, vector: Vector, space: str, among: list[StoredObject]) -> ScoredObjects:
    """Rank by cosine distance, nearest first."""
    if space not in held.config.get("vectorConfig", {}):
        raise Refused(f"class {held.config['class']} does not have named vector {space}")
    if held.dimensions.get(space, len(vector)) != len(vector):
        raise Refused(f"vector lengths don't match: {held.dimensions[space]} vs {len(vector)}")
    found = [(_compute_distance(stored.vectors[space], vector), stored) for stored in among if space in stored.vectors]
    return sorted(found, key=lambda pair: (pair[0], pair[1].uuid))


def fuse(words: ScoredObjects, meaning: ScoredObjects, alpha: float) -> ScoredObjects:
    """Fuse by relative score: scale each list from its worst to its best, then add with weights."""
    total: dict[str, float] = {}
    objects = {stored.uuid: stored for _, stored in (*words, *meaning)}
    for scored, weight in ((words, 1 - alpha), ([(-distance, stored) for distance, stored in meaning], alpha)):
        values = [score for score, _ in scored]
        least, most = min(values, default=0.0), max(values, default=0.0)
        for score, stored in scored:
            relative = (score - least) / (most - least) if most > least else 1.0
            total[stored.uuid] = total.get(stored.uuid, 0.0) + weight * relative
    return sorted(((score, objects[uuid]) for uuid, score in total.items()), key=lambda pair: (-pair[0], pair[1].uuid))


def _compute_distance(left: Vector, right: Vector) -> float:
    return float(1 - np.dot(left, right) / (np.linalg.norm(left) * np.linalg.norm(right)))


def _is_passing(held: StoredClass, stored: StoredObject, asked: base_pb2.Filters) -> bool:
    if asked.operator == _Operator.OPERATOR_AND:
        return all(_is_passing(held, stored, part) for part in asked.filters)
    if asked.operator == _Operator.OPERATOR_OR:
        return any(_is_passing(held, stored, part) for part in asked.filters)
    name = asked.target.property
    if name == "_id":
        return stored.uuid in (asked.value_text_array.values or [asked.value_text])
    if not held.get_property(name)["indexFilterable"]:
        raise Refused(f"Filtering by property '{name}' requires inverted index")
    return _compare(asked, stored.properties.get(name))


def _compare(asked: base_pb2.Filters, value: Any) -> bool:
    if value is None:
        return False
    values = value if isinstance(value, list) else [value]
    wanted = _read_value(asked)
    match asked.operator:
        case _Operator.OPERATOR_EQUAL:
            return wanted[0] in values
        case _Operator.OPERATOR_CONTAINS_ANY:
            return any(value in values for value in wanted)
        case _Operator.OPERATOR_GREATER_THAN_EQUAL:
            return any(value >= wanted[0] for value in values)
        case _Operator.OPERATOR_LESS_THAN_EQUAL:
            return any(value <= wanted[0] for value in values)
    raise Refused(f"this stand-in does not know the operator {asked.operator}")


def _read_value(asked: base_pb2.Filters) -> list[Any]:
    match asked.WhichOneof("test_value"):
        case "value_text":
            return [asked.value_text]
        case "value_text_array":
            return list(asked.value_text_array.values)
        case "value_int":
            return [asked.value_int]
        case "value_number":
            return [asked.value_number]
    raise Refused("this stand-in does not know the type of a filter's value")
