"""The contract's schemas of answers, copied by hand, to validate every answer against."""

from __future__ import annotations

from typing import Any

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
NATURAL = {"type": "integer", "minimum": 0}
MAYBE_TEXT = {"type": ["string", "null"]}
MAYBE_WHOLE = {"type": ["integer", "null"]}
TEXTS = {"type": "array", "items": TEXT}

Schema = dict[str, Any]


def closed(required: list[str], **properties: Schema) -> Schema:
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


SEARCH = closed(
    ["documents", "total_results"],
    documents={
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "uuid": TEXT,
                "title": MAYBE_TEXT,
                "abstract": MAYBE_TEXT,
                "score": {"type": "number"},
                "sections_found": TEXTS,
                "chunk_count": WHOLE,
                "source_url": MAYBE_TEXT,
            },
            "additionalProperties": True,
        },
    },
    total_results=NATURAL,
    performance=closed(
        [],
        search_time_ms=TEXT,
        total_time_ms=TEXT,
        target_time_ms={"type": "number"},
        enhanced_query={"type": "boolean"},
        reconstructed_docs={"type": "boolean"},
    ),
)
PAPER = closed(
    ["doc_id", "title", "journal", "pub_types", "quality", "version"],
    doc_id=TEXT,
    title=MAYBE_TEXT,
    abstract=MAYBE_TEXT,
    journal=MAYBE_TEXT,
    pub_types=TEXTS,
    pdat=MAYBE_TEXT,
    edat=MAYBE_TEXT,
    lr=MAYBE_TEXT,
    pmcid=MAYBE_TEXT,
    quality=closed(
        ["total"], design=MAYBE_WHOLE, recency=MAYBE_WHOLE, journal=MAYBE_WHOLE, human=MAYBE_WHOLE, total=WHOLE
    ),
    version={"type": "integer", "minimum": 1},
)
CHECKPOINT = closed(
    ["checkpoint_id", "name", "created_at"],
    checkpoint_id=TEXT,
    name=TEXT,
    description=MAYBE_TEXT,
    created_at=TEXT,
    primary_queries=TEXTS,
)
CODES = [
    "RATE_LIMIT",
    "UPSTREAM",
    "VALIDATION",
    "NOT_FOUND",
    "INVARIANT_FAILURE",
    "STORE",
    "EMBEDDINGS",
    "WEAVIATE",
    "ENTREZ",
    "UNKNOWN",
]
ERROR = closed(
    ["error"],
    error=closed(
        ["code", "message"],
        code={"type": "string", "enum": CODES},
        message=TEXT,
        details={"type": ["object", "array", "string", "null"]},
    ),
)
ANSWERS: dict[str, Schema] = {
    "rag.search": SEARCH,
    "rag.get": PAPER,
    "corpus.checkpoint.get": CHECKPOINT,
    "corpus.checkpoint.create": CHECKPOINT,
}

# The arguments, as the contract has them: type, bounds, default. What is added to them is optional.
ARGUMENTS: dict[str, dict[str, Schema]] = {
    "rag.search": {
        "query": {"type": "string", "minLength": 1},
        "top_k": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
        "search_mode": {"type": "string", "enum": ["hybrid", "semantic", "bm25"], "default": "hybrid"},
        # Null is as good as left out.
        "alpha": {"type": ["number", "null"], "minimum": 0.0, "maximum": 1.0, "default": 0.5},
        "rerank_by_quality": {"type": "boolean", "default": True},
        "return_chunks": {"type": "boolean", "default": False},
        "enhance_query": {"type": "boolean", "default": True},
    },
    "rag.get": {"doc_id": {"type": "string", "pattern": "^pmid:[0-9]+$"}},
    "corpus.checkpoint.get": {"checkpoint_id": {"type": "string", "minLength": 1}},
}
REQUIRED = {"rag.search": ["query"], "rag.get": ["doc_id"], "corpus.checkpoint.get": ["checkpoint_id"]}
