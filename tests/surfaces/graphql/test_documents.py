"""The cache of documents, and that evicted documents leave no garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from graphql import Token, build_schema

from sanya.surfaces.graphql import documents
from sanya.surfaces.graphql.documents import DocumentCache

SCHEMA = build_schema("type Said { said: String } type Query { say(text: String): Said }")
KEPT = 2


@pytest.fixture
def no_collections() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def _tokens() -> int:
    return sum(isinstance(candidate, Token) for candidate in gc.get_objects())


def _read(kept: DocumentCache, number: int) -> None:
    """Read a document, then collect generation 1, so that cached objects join the seldom collected old ones."""
    kept.get_operation(f'query Q{number}($t: String) {{ say(text: $t) {{ said }} b: say(text: "b") {{ said }} }}', None)
    gc.collect(1)


@pytest.mark.usefixtures("no_collections")
def test_an_evicted_document_leaves_no_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "_MAX_CACHED", KEPT)
    kept, before = DocumentCache(SCHEMA), _tokens()
    for number in range(KEPT):
        _read(kept, number)
    held = _tokens() - before
    assert held > 0
    for number in range(KEPT, 10 * KEPT):
        _read(kept, number)
    assert _tokens() - before == held
