"""How the stand-in answers: BM25, nearest vectors, relative-score fusion and filters over what it holds.

Objects of equal score come in an order that says nothing, as they may from a real server.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from weaviate.proto.v1 import base_pb2

from tests.engines.index.weaviate_server.held import Held, HeldClass, Refused, Vector, counted, tokenize

Scored = list[tuple[float, Held]]
_Operator = base_pb2.Filters


def passing(held: HeldClass, filters: base_pb2.Filters | None) -> list[Held]:
    return [one for one in held.objects.values() if filters is None or _passes(held, one, filters)]


def by_words(held: HeldClass, query: str, properties: list[str], among: list[Held]) -> Scored:
    """BM25 as Weaviate has it: statistics of the whole class, and a term asked for twice counts twice."""
    config = held.config["invertedIndexConfig"]["bm25"]
    scores: dict[str, float] = {}
    for name in properties:
        definition = held.property(name)
        if not definition["indexSearchable"]:
            raise Refused(f"searchable index not found for property '{name}'")
        documents = {uuid: counted(held.tokens(one, name)) for uuid, one in held.objects.items()}
        lengths = {uuid: sum(terms.values()) for uuid, terms in documents.items()}
        mean = sum(lengths.values()) / max(1, len(lengths))
        for term, times in counted(tokenize(query, definition["tokenization"])).items():
            spread = sum(1 for terms in documents.values() if term in terms)
            rarity = math.log(1 + (len(documents) - spread + 0.5) / (spread + 0.5)) * times
            for one in among:
                frequency = documents[one.uuid][term]
                if frequency:
                    norm = 1 - config["b"] + config["b"] * lengths[one.uuid] / mean
                    part = rarity * frequency * (config["k1"] + 1) / (frequency + config["k1"] * norm)
                    scores[one.uuid] = scores.get(one.uuid, 0.0) + part
    ranked = [(float(np.float32(score)), held.objects[uuid]) for uuid, score in scores.items()]
    return sorted(ranked, key=lambda one: (-one[0], one[1].uuid))


def by_meaning(held: HeldClass, vector: Vector, space: str, among: list[Held]) -> Scored:
    """By cosine distance, the nearest first."""
    if space not in held.config.get("vectorConfig", {}):
        raise Refused(f"class {held.config['class']} does not have named vector {space}")
    if held.dimensions.get(space, len(vector)) != len(vector):
        raise Refused(f"vector lengths don't match: {held.dimensions[space]} vs {len(vector)}")
    found = [(_distance(one.vectors[space], vector), one) for one in among if space in one.vectors]
    return sorted(found, key=lambda one: (one[0], one[1].uuid))


def fused(words: Scored, meaning: Scored, alpha: float) -> Scored:
    """Relative-score fusion: each list from its worst to its best, then a weighted sum."""
    total: dict[str, float] = {}
    objects = {one.uuid: one for _, one in (*words, *meaning)}
    for scored, weight in ((words, 1 - alpha), ([(-distance, one) for distance, one in meaning], alpha)):
        values = [score for score, _ in scored]
        least, most = min(values, default=0.0), max(values, default=0.0)
        for score, one in scored:
            relative = (score - least) / (most - least) if most > least else 1.0
            total[one.uuid] = total.get(one.uuid, 0.0) + weight * relative
    return sorted(((score, objects[uuid]) for uuid, score in total.items()), key=lambda one: (-one[0], one[1].uuid))


def _distance(one: Vector, other: Vector) -> float:
    return float(1 - np.dot(one, other) / (np.linalg.norm(one) * np.linalg.norm(other)))


def _passes(held: HeldClass, one: Held, asked: base_pb2.Filters) -> bool:
    if asked.operator == _Operator.OPERATOR_AND:
        return all(_passes(held, one, part) for part in asked.filters)
    if asked.operator == _Operator.OPERATOR_OR:
        return any(_passes(held, one, part) for part in asked.filters)
    name = asked.target.property
    if name == "_id":
        return one.uuid in (asked.value_text_array.values or [asked.value_text])
    if not held.property(name)["indexFilterable"]:
        raise Refused(f"Filtering by property '{name}' requires inverted index")
    return _compares(asked, one.properties.get(name))


def _compares(asked: base_pb2.Filters, value: Any) -> bool:
    if value is None:
        return False
    values = value if isinstance(value, list) else [value]
    wanted = _wanted(asked)
    match asked.operator:
        case _Operator.OPERATOR_EQUAL:
            return wanted[0] in values
        case _Operator.OPERATOR_CONTAINS_ANY:
            return any(one in values for one in wanted)
        case _Operator.OPERATOR_GREATER_THAN_EQUAL:
            return any(one >= wanted[0] for one in values)
        case _Operator.OPERATOR_LESS_THAN_EQUAL:
            return any(one <= wanted[0] for one in values)
    raise Refused(f"this stand-in does not know the operator {asked.operator}")


def _wanted(asked: base_pb2.Filters) -> list[Any]:
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
