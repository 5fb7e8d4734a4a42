from __future__ import annotations

import asyncio

import pytest

from sanya.engines.index.store import IndexStore
from sanya.kernel.faults import InvalidArgument
from sanya.kernel.storage.database import Database
from sanya.retrieval.embedding import Model

MODEL, OTHER = Model("a model", 4, "a" * 64), Model("another", 4, "b" * 64)
_AT_ONCE = 6


async def test_a_namespace_that_many_declare_at_once_is_declared_once(database: Database) -> None:
    store = IndexStore(database)
    for number in range(5):
        await asyncio.gather(*(store.declare(f"space{number}", {"one": MODEL, "two": MODEL}) for _ in range(_AT_ONCE)))
        assert await store.read_spaces(f"space{number}") == {"one": MODEL, "two": MODEL}


async def test_of_two_models_at_once_one_is_refused(database: Database) -> None:
    store = IndexStore(database)
    for number in range(5):
        results = await asyncio.gather(
            *(store.declare(f"space{number}", {"one": model}) for model in (MODEL, OTHER)), return_exceptions=True
        )
        assert [type(error) for error in results if error is not None] == [InvalidArgument]
    with pytest.raises(InvalidArgument, match="sanya search embed"):
        await store.declare("space0", {"one": Model("a third", 4, "c" * 64)})
