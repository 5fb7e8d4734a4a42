"""The layout of documents in Weaviate: the class, its properties, an object and its UUID.

Weaviate has no tokenizer for Thai, so the terms that our reader found are stored in a property of their own, separated
by spaces. A term is prefixed with its partition and kind, so that each of these has its own BM25 statistics within one
property.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from sanya.engines.index.rows import Version
from sanya.engines.index.weaviate.filters import FACETS, build_facets, build_numbers
from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.documents import FieldValue
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import DocumentTerms, WeightedTerms

if TYPE_CHECKING:
    from weaviate.classes.config import Property
    from weaviate.classes.data import DataObject

CHUNK_NAMESPACE = UUID("1b2c3d4e-0000-0000-0000-000000000000")
TERMS, PARTITION, POSITION, DOCUMENT_ID = "terms", "partition", "position", "doc_id"
_PAPERS = "papers"
_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MAX_TERM_LENGTH = 1000
# Weaviate has no term weights, but it counts a term as often as the query repeats it. So a weight of 1 is 10 repeats.
REPEATS_PER_WEIGHT = 10
_MAX_REPEATS = 100
# The fields that the papers contract names, by type.
_TEXTS = ("pmid", "chunk_id", "journal", "edat", "lr", "source_url")
_NUMBERS = ("year", "quality_total")
_LISTS = ("pub_types",)


@dataclass(frozen=True, slots=True)
class Layout:
    """Names of classes and ids of objects. The class of papers has the configured name; the others derive from it."""

    papers_class: str = "PubMedChunk"
    uuid_namespace: UUID = field(default=CHUNK_NAMESPACE)

    def __post_init__(self) -> None:
        name = self.papers_class
        if not (name.isascii() and name.isalnum() and name[0].isupper() and len(name) <= 100):
            raise InvalidArgument(f"weaviate_class is {name!r}; use up to 100 letters and digits, the first a capital")

    def name_class(self, namespace: str) -> str:
        if namespace == _PAPERS:
            return self.papers_class
        escaped = namespace.replace("_", "__").replace(".", "_d").replace("-", "_h")
        return f"{self.papers_class}_{escaped}"

    @property
    def marks_class(self) -> str:
        # A namespace begins with a lower-case letter, so no namespace has this class.
        return f"{self.papers_class}_Marks"

    def derive_uuid(self, document_id: str) -> UUID:
        """Return the UUID of a document. An id that is a UUID is used as it is: chunks of papers have the UUID that
        their contract promises, derived from `pmid:chunk`. Any other id is hashed in the same way."""
        if _UUID.fullmatch(document_id):
            return UUID(document_id)
        return uuid5(self.uuid_namespace, document_id)


def build_properties() -> list[Property]:
    from weaviate.classes.config import DataType, Tokenization

    text, texts, number = DataType.TEXT, DataType.TEXT_ARRAY, DataType.NUMBER
    return [
        *(_build_property(name, text, Tokenization.FIELD) for name in (*_TEXTS, DOCUMENT_ID, PARTITION)),
        *(_build_property(name, texts, Tokenization.FIELD) for name in (*_LISTS, FACETS)),
        *(_build_property(name, number) for name in _NUMBERS),
        _build_property(POSITION, DataType.INT),
        _build_property("text", text, Tokenization.FIELD, filterable=False),
        _build_property(TERMS, text, Tokenization.WHITESPACE, filterable=False, searchable=True),
    ]


def build_number_properties(names: Sequence[str]) -> list[Property]:
    from weaviate.classes.config import DataType, Property

    return [
        Property(name=name, data_type=DataType.NUMBER, index_filterable=True, index_range_filters=True)
        for name in names
    ]


def _build_property(
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


def build_object(
    layout: Layout, version: Version, partition: str, terms: DocumentTerms, vectors: Mapping[str, Matrix]
) -> DataObject[dict[str, Any], None]:
    from weaviate.classes.data import DataObject

    properties = {
        **_select_contract_fields(version.fields),
        **build_numbers(version.fields),
        "text": _clean_text(". ".join(text.value for text in version.texts if text.value)),
        DOCUMENT_ID: version.id,
        PARTITION: partition,
        POSITION: version.position,
        TERMS: " ".join(
            text
            for kind, joined in terms.items()
            for term in joined.split()
            if (text := _format_term(partition, kind, term))
        ),
        FACETS: build_facets(version.fields),
    }
    return DataObject(
        uuid=layout.derive_uuid(version.id),
        properties=properties,
        vector={space: row.tolist() for space, row in vectors.items()},
    )


def format_query_terms(partition: str, terms: WeightedTerms) -> str:
    """Format the query's terms as one text, each repeated in proportion to its weight."""
    return " ".join(
        " ".join([text] * min(_MAX_REPEATS, max(1, round(weight * REPEATS_PER_WEIGHT))))
        for kind, weights in terms.items()
        for term, weight in weights.items()
        if (text := _format_term(partition, kind, term))
    )


def _format_term(partition: str, kind: str, term: str) -> str:
    """Format a term with its prefix; return an empty string for a term that is empty or contains a space."""
    clean = _clean_text(term)
    if len(clean) > _MAX_TERM_LENGTH:
        clean = sha256(clean.encode()).hexdigest()
    return f"{partition}:{kind[0]}:{clean}" if clean and clean.split() == [clean] else ""


def _select_contract_fields(fields: Mapping[str, FieldValue]) -> dict[str, Any]:
    selected: dict[str, Any] = {}
    for name, value in fields.items():
        if name in _TEXTS and isinstance(value, str):
            selected[name] = _clean_text(value)
        elif name in _NUMBERS and isinstance(value, int | float):
            selected[name] = float(value)
        elif name in _LISTS and isinstance(value, tuple):
            selected[name] = [_clean_text(item) for item in value]
    return selected


def _clean_text(text: str) -> str:
    """Replace lone surrogates, which cannot be encoded, and NUL characters, which end a text in some places."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")
