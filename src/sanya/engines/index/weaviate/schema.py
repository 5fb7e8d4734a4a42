"""How documents lie in Weaviate: the class, its properties, an object and its identity.

Weaviate has no tokenizer for Thai, so the terms that our reader found are kept in a property of their own, parted by
blanks. A term carries its partition and its way, so that each has statistics of its own within one property.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from sanya.engines.index.rows import Version
from sanya.engines.index.weaviate.filters import FACETS, facets_of, numbers_of
from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.documents import FieldValue
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import ReadTerms, Terms

if TYPE_CHECKING:
    from weaviate.classes.config import Property
    from weaviate.classes.data import DataObject

CHUNK_NAMESPACE = UUID("1b2c3d4e-0000-0000-0000-000000000000")
TERMS, PARTITION, POSITION, DOCUMENT_ID = "terms", "partition", "position", "doc_id"
_PAPERS = "papers"
_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LONGEST_TERM = 1000
# A term's weight is told by saying it so many times: the server multiplies a term's part by how often it is asked for.
TIMES_FOR_ONE = 10
_MOST_TIMES = 100
# What the papers contract names, by the types it gives them.
_TEXTS = ("pmid", "chunk_id", "journal", "edat", "lr", "source_url")
_NUMBERS = ("year", "quality_total")
_LISTS = ("pub_types",)


@dataclass(frozen=True, slots=True)
class Layout:
    """The class of papers has the configured name; every other namespace has one that is derived from it."""

    papers_class: str = "PubMedChunk"
    uuid_namespace: UUID = field(default=CHUNK_NAMESPACE)

    def __post_init__(self) -> None:
        name = self.papers_class
        if not (name.isascii() and name.isalnum() and name[0].isupper() and len(name) <= 100):
            raise InvalidArgument(
                f"weaviate_class is {name!r}; it takes up to 100 letters and digits, the first a capital"
            )

    def class_of(self, namespace: str) -> str:
        if namespace == _PAPERS:
            return self.papers_class
        escaped = namespace.replace("_", "__").replace(".", "_d").replace("-", "_h")
        return f"{self.papers_class}_{escaped}"

    @property
    def marks_class(self) -> str:
        # A namespace begins with a small letter, so this is none's.
        return f"{self.papers_class}_Marks"

    def uuid_of(self, document_id: str) -> UUID:
        """An id that is a UUID is the object's own: chunks of papers have those that their contract promises, made from
        `pmid:chunk`. Any other id makes one in the same way."""
        if _UUID.fullmatch(document_id):
            return UUID(document_id)
        return uuid5(self.uuid_namespace, document_id)


def chunk_properties() -> list[Property]:
    from weaviate.classes.config import DataType, Tokenization

    text, texts, number = DataType.TEXT, DataType.TEXT_ARRAY, DataType.NUMBER
    return [
        *(_property(name, text, Tokenization.FIELD) for name in (*_TEXTS, DOCUMENT_ID, PARTITION)),
        *(_property(name, texts, Tokenization.FIELD) for name in (*_LISTS, FACETS)),
        *(_property(name, number) for name in _NUMBERS),
        _property(POSITION, DataType.INT),
        _property("text", text, Tokenization.FIELD, filterable=False),
        _property(TERMS, text, Tokenization.WHITESPACE, filterable=False, searchable=True),
    ]


def number_properties(names: Sequence[str]) -> list[Property]:
    from weaviate.classes.config import DataType, Property

    return [
        Property(name=name, data_type=DataType.NUMBER, index_filterable=True, index_range_filters=True)
        for name in names
    ]


def _property(
    name: str, kind: Any, tokenization: Any = None, *, filterable: bool = True, searchable: bool = False
) -> Property:
    from weaviate.classes.config import DataType, Property

    return Property(
        name=name,
        data_type=kind,
        tokenization=tokenization,
        index_filterable=filterable,
        index_searchable=searchable if kind in (DataType.TEXT, DataType.TEXT_ARRAY) else None,
    )


def chunk_object(
    layout: Layout, version: Version, partition: str, terms: ReadTerms, vectors: Mapping[str, Matrix]
) -> DataObject[dict[str, Any], None]:
    from weaviate.classes.data import DataObject

    properties = {
        **_contract_fields(version.fields),
        **numbers_of(version.fields),
        "text": _storable(". ".join(text.value for text in version.texts if text.value)),
        DOCUMENT_ID: version.id,
        PARTITION: partition,
        POSITION: version.position,
        TERMS: " ".join(
            spoken for way, found in terms.items() for one in found.each() if (spoken := _term(partition, way, one))
        ),
        FACETS: facets_of(version.fields),
    }
    return DataObject(
        uuid=layout.uuid_of(version.id),
        properties=properties,
        vector={space: row.tolist() for space, row in vectors.items()},
    )


def asked_terms(partition: str, terms: Terms) -> str:
    """The query's terms as one text, each as often as its weight says."""
    return " ".join(
        " ".join([spoken] * min(_MOST_TIMES, max(1, round(weight * TIMES_FOR_ONE))))
        for way, weights in terms.items()
        for term, weight in weights.items()
        if (spoken := _term(partition, way, term))
    )


def _term(partition: str, way: str, term: str) -> str:
    """Empty for what cannot be a term: nothing, or something with a blank in it."""
    clean = _storable(term)
    if len(clean) > _LONGEST_TERM:
        clean = sha256(clean.encode()).hexdigest()
    return f"{partition}:{way[0]}:{clean}" if clean and clean.split() == [clean] else ""


def _contract_fields(fields: Mapping[str, FieldValue]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in fields.items():
        if name in _TEXTS and isinstance(value, str):
            found[name] = _storable(value)
        elif name in _NUMBERS and isinstance(value, int | float):
            found[name] = float(value)
        elif name in _LISTS and isinstance(value, tuple):
            found[name] = [_storable(one) for one in value]
    return found


def _storable(text: str) -> str:
    """No wire carries half characters, and a zero character ends texts in places."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")
