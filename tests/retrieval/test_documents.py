"""Valid and invalid ids of documents."""

from __future__ import annotations

import pytest

from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.documents import MAX_ID_CHARACTERS, Document, check_document


@pytest.mark.parametrize("id", ["a", " ", "pmid:1~2", "ขิง", "é" * MAX_ID_CHARACTERS, "x" * MAX_ID_CHARACTERS])
def test_an_id_is_of_any_characters_that_show(id: str) -> None:
    check_document(Document(id, ()))


@pytest.mark.parametrize("id", ["", "a\n", "\x7f", "ข\x00", "\ud800", "x" * (MAX_ID_CHARACTERS + 1), "é" * 513])
def test_an_id_that_is_empty_too_long_or_holds_a_control_is_refused(id: str) -> None:
    with pytest.raises(InvalidArgument, match="no control characters"):
        check_document(Document(id, ()))
