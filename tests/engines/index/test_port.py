"""The promises of the index port, on every index."""

from __future__ import annotations

import numpy as np
import pytest

from sanya.engines.index.weaviate.index import WeaviateIndex
from sanya.kernel.faults import Fault, InvalidArgument
from sanya.kernel.storage.database import Database
from sanya.retrieval.documents import AnyOf, Between, Equals, Filter
from sanya.retrieval.embedding import Model
from sanya.retrieval.index import Index, Probe
from tests.engines.index.conftest import (
    SPACES,
    list_ids,
    make_entry,
    make_vector,
    probe_vector,
    probe_words,
    rank_ids,
    read_answer,
)

HERBS = [
    make_entry("a", "ginger warms ginger", year=2001, journal="Roots", tags=("hot", "sweet"), score=0.5),
    make_entry("b", "ginger and galangal", year=2002, journal="Roots", tags=("hot",), score=1.5),
    make_entry("c", "galangal soup", year=2003, journal="Soups & Stews", tags=(), score=2.5),
    make_entry("d", "plain rice", year=2004, journal="Soups & Stews", open=True, score=3.0),
]


async def test_words_find_documents_best_first(index: Index) -> None:
    await index.upsert("notes", HERBS)
    assert await rank_ids(await index.search(probe_words("ginger"))) == ["a", "b"]
    assert await rank_ids(await index.search(probe_words("galangal soup"))) == ["c", "b"]
    assert await list_ids(await index.search(probe_words("nothing"))) == []


async def test_meaning_finds_the_nearest(index: Index) -> None:
    await index.upsert("notes", HERBS)
    found = await index.search(probe_vector(HERBS[2].vectors["meaning"], pool=1))
    assert await list_ids(found) == ["c"]
    assert float(found.vectors["meaning"][0] @ HERBS[2].vectors["meaning"]) == pytest.approx(1, abs=1e-3)


async def test_candidates_of_both_ways_come_with_scores_of_both(index: Index) -> None:
    await index.upsert("notes", HERBS)
    probe = Probe("notes", "en", {"words": {"rice": 1.0}}, {"meaning": HERBS[0].vectors["meaning"]}, pool=1)
    found = await index.search(probe)
    assert await list_ids(found) == ["a", "d"]
    assert found.vectors["meaning"].shape == (2, 16)


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ((Equals("journal", "Roots"),), "ab"),
        ((Equals("journal", "Soups & Stews"),), "cd"),
        ((Equals("year", 2003),), "c"),
        ((Equals("open", True),), "d"),
        ((Equals("tags", "hot"),), "ab"),
        ((AnyOf("journal", ("Roots", "Nowhere")),), "ab"),
        ((AnyOf("year", (2001, 2004)),), "ad"),
        ((AnyOf("year", ()),), ""),
        ((Between("year", 2002, 2003),), "bc"),
        ((Between("year", least=2003),), "cd"),
        ((Between("year", most=2001),), "a"),
        ((Between("score", 1.0, 2.75),), "bc"),
        ((Between("year", 2002), Equals("journal", "Roots")), "b"),
        ((Equals("journal", "roots"),), ""),
        ((Equals("missing", "x"),), ""),
    ],
)
async def test_filters_let_through_what_they_say(index: Index, filters: tuple[Filter, ...], ids: str) -> None:
    await index.upsert("notes", HERBS)
    assert await index.count("notes", filters) == len(ids)
    assert await list_ids(await index.search(probe_vector(make_vector(1), filters=filters))) == list(ids)
    by_words = await index.search(probe_words("ginger galangal rice soup", filters=filters))
    assert await list_ids(by_words) == list(ids)


async def test_a_replaced_document_is_found_by_its_new_text_alone(index: Index) -> None:
    await index.upsert("notes", HERBS)
    await index.upsert("notes", [make_entry("a", "cold water", year=1999)])
    assert await rank_ids(await index.search(probe_words("ginger"))) == ["b"]
    assert await rank_ids(await index.search(probe_words("water"))) == ["a"]
    assert await index.count("notes") == 4


async def test_of_two_documents_with_one_id_in_one_change_the_last_counts(index: Index) -> None:
    await index.upsert("notes", [make_entry("a", "first"), make_entry("a", "second")])
    assert await index.count("notes") == 1
    assert await rank_ids(await index.search(probe_words("second"))) == ["a"]


async def test_a_document_may_move_to_another_partition(index: Index) -> None:
    await index.upsert("notes", [make_entry("a", "ginger")])
    await index.upsert("notes", [make_entry("a", "khing", partition="th")])
    assert await list_ids(await index.search(probe_words("ginger"))) == []
    found = await index.search(Probe("notes", "th", {"words": {"khing": 1.0}}))
    assert await list_ids(found) == ["a"]
    assert await index.count("notes") == 1


async def test_a_removed_document_is_gone_and_the_others_stay(index: Index) -> None:
    await index.upsert("notes", HERBS)
    await index.delete("notes", ["b", "unknown"])
    assert await rank_ids(await index.search(probe_words("ginger"))) == ["a"]
    assert await index.count("notes") == 3
    assert await list_ids(await index.search(probe_vector(make_vector(1)))) == ["a", "c", "d"]


async def test_removing_what_is_not_there_changes_nothing(index: Index) -> None:
    seq = await index.upsert("notes", HERBS)
    assert await index.delete("notes", ["unknown"]) == seq


async def test_every_earlier_state_can_still_be_searched(index: Index) -> None:
    first = await index.upsert("notes", HERBS[:2])
    second = await index.upsert("notes", [make_entry("a", "cold water"), HERBS[2]])
    third = await index.delete("notes", ["b"])
    assert first < second < third
    counts = [await index.count("notes", as_of=seq) for seq in (first - 1, first, second, third)]
    assert counts == [0, 2, 3, 2]
    at_first = await index.search(probe_words("ginger water galangal", as_of=first))
    at_second = await index.search(probe_words("ginger water galangal", as_of=second))
    at_third = await index.search(probe_words("ginger water galangal", as_of=third))
    assert [await list_ids(answer) for answer in (at_first, at_second, at_third)] == [
        ["a", "b"],
        ["a", "b", "c"],
        ["a", "c"],
    ]
    old, new = [(await index.fetch_documents("notes", ["a"], as_of=seq))["a"] for seq in (first, second)]
    assert (old.text, new.text) == ("ginger warms ginger", "cold water")


async def test_namespaces_do_not_see_each_other(index: Index) -> None:
    await index.declare("other", SPACES)
    await index.upsert("notes", HERBS[:2])
    await index.upsert("other", [make_entry("a", "ginger elsewhere")])
    assert await index.count("other") == 1
    assert await list_ids(await index.search(probe_words("ginger"))) == ["a", "b"]
    await index.delete("other", ["a"])
    assert await index.count("notes") == 2


async def test_documents_come_back_as_they_were_given(index: Index) -> None:
    await index.upsert("notes", HERBS)
    found = await index.fetch_documents("notes", ["a", "d", "unknown"])
    assert found == {"a": HERBS[0].document, "d": HERBS[3].document}


async def test_vectors_of_another_model_are_refused(index: Index) -> None:
    with pytest.raises(InvalidArgument, match="cannot be mixed"):
        await index.declare("notes", {"meaning": Model("another", 16, "another-digest")})


async def test_a_vector_of_the_wrong_size_or_length_is_refused_whole(index: Index) -> None:
    short = make_entry("x", "short")
    short.vectors["meaning"].resize((8,), refcheck=False)
    long = make_entry("y", "long")
    long.vectors["meaning"][:] *= 3
    for wrong in (short, long):
        with pytest.raises(Fault):
            await index.upsert("notes", [HERBS[0], wrong])
    assert await index.count("notes") == 0


async def test_the_same_probe_gets_the_same_answer_and_so_does_a_rebuilt_index(index: Index) -> None:
    for start in range(0, 60, 7):
        await index.upsert("notes", [make_entry(f"d{n}", f"w{n % 5} w{n % 3} common") for n in range(start, start + 7)])
    await index.upsert("notes", [make_entry("d3", "w1 replaced")])
    await index.delete("notes", ["d5"])
    probe = Probe("notes", "en", {"words": {"common": 1.0, "w1": 1.0}}, {"meaning": make_vector(9)}, pool=10)
    before = await read_answer(await index.search(probe))
    assert await read_answer(await index.search(probe)) == before
    await index.rebuild("notes")
    assert await read_answer(await index.search(probe)) == before
    assert len(before) >= 10


async def test_equal_documents_at_the_edge_of_the_pool_are_chosen_by_age(index: Index) -> None:
    for start in range(0, 40, 4):
        await index.upsert("notes", [make_entry(f"d{n:02}", "alike") for n in range(start, start + 4)])
    found = await index.search(probe_words("alike", pool=6))
    assert await list_ids(found) == [f"d{n:02}" for n in range(6)]


async def test_a_change_in_the_callers_transaction_counts_only_with_it(index: Index, index_database: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        async with index_database.transaction() as transaction:
            await index.upsert("notes", HERBS, transaction)
            raise ZeroDivisionError
    await index.refresh()
    assert await index.count("notes") == 0
    async with index_database.transaction() as transaction:
        await index.upsert("notes", HERBS, transaction)
    await index.refresh()
    assert await index.count("notes") == 4


@pytest.mark.parametrize("term", ["", " ", "\x00", "a:b", "AND", '"', "w" * 70_000, "ก" * 30_000, "*", "\ufffd", "(["])
async def test_no_term_is_read_as_an_instruction(index: Index, term: str) -> None:
    await index.upsert("notes", HERBS)
    found = await index.search(Probe("notes", "en", {"words": {term: 1.0}}))
    assert len(found) == 0


async def test_an_unknown_namespace_is_empty(index: Index) -> None:
    found = await index.search(Probe("nowhere", "en", {"words": {"x": 1.0}}, {"meaning": make_vector(1)}))
    assert len(found) == 0 and await index.count("nowhere") == 0
    assert np.asarray(found.bm25).shape == (0,)


async def test_no_score_exceeds_the_bound_and_an_unknown_term_raises_it(index: Index) -> None:
    if isinstance(index, WeaviateIndex):
        pytest.skip("Weaviate does not tell the frequencies of terms")
    await index.upsert("notes", HERBS)
    known = await index.search(probe_words("ginger"))
    assert 0 < float(known.bm25.max()) < known.word_bound
    wider = await index.search(probe_words("ginger unheard"))
    assert wider.bm25.tolist() == known.bm25.tolist()
    # The unknown term is rarer than the known one, so it is more than half of the bound.
    assert wider.word_bound > 2 * known.word_bound
    assert (await index.search(probe_vector(HERBS[0].vectors["meaning"]))).word_bound == 0


async def test_the_bound_as_of_a_change_stays_what_it_was(index: Index) -> None:
    if isinstance(index, WeaviateIndex):
        pytest.skip("Weaviate does not tell the frequencies of terms")
    seq = await index.upsert("notes", HERBS)
    before = await index.search(probe_words("ginger soup"))
    await index.upsert("notes", [make_entry(f"more{at}", "ginger soup") for at in range(5)])
    past = await index.search(probe_words("ginger soup", as_of=seq))
    assert past.word_bound == pytest.approx(before.word_bound)
