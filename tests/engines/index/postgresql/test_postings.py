"""Packed postings: after packing, unpacking, caching and scoring they give what a plain count of words gives."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from sanya.engines.database import open_database
from sanya.engines.index.bm25 import compute_idf, round_length
from sanya.engines.index.postgresql.caches import PostingsCache
from sanya.engines.index.postgresql.index import open_postgresql_index
from sanya.engines.index.postgresql.postings import (
    NO_POSTINGS,
    Bm25Ranking,
    Population,
    Postings,
    QueryTerm,
    hash_term,
    pack_postings,
)
from sanya.retrieval.index import JoinedTerms
from tests.engines.index.conftest import SPACES, make_entry, probe_words, read_answer, read_words

WORDS = ["a", "b", "c", "d", "w" * 5000, "\ud800", "\x00"]
# Around the end of the first stretch of rows.
FIRST = 2**16 - 150
PARTITION = "notes", "en"


def make_texts(seed: int) -> dict[int, list[str]]:
    print(f"seed {seed}")
    chance = random.Random(seed)
    return {FIRST + at: chance.choices(WORDS, k=chance.randint(1, 400)) for at in range(300)}


def build_postings(rows: dict[int, list[str]]) -> dict[bytes, Postings]:
    known: dict[bytes, Postings] = {}
    read = [(position, {"words": JoinedTerms(" " + " ".join(words), len(words))}) for position, words in rows.items()]
    for key, first, string in pack_postings(read):
        known[key] = known.get(key, NO_POSTINGS).extend([(first, string)])
    return known


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_best_are_those_that_plain_counting_gives(seed: int) -> None:
    rows, asked = make_texts(seed), {"a": 1.0, "c": 0.5, "w" * 5000: 2.0}
    known, last, count = build_postings(rows), FIRST + 299, FIRST + 299
    total = sum(map(len, rows.values()))
    terms = [QueryTerm("words", weight, known[hash_term("words", word)]) for word, weight in asked.items()]
    found, scores = Bm25Ranking(terms, last, Population(count, {"words": total})).find_best(20)
    expected = {position: score_plainly(words, asked, rows, count) for position, words in rows.items()}
    best = sorted(expected, key=lambda position: (-expected[position], position))[:20]
    assert found.tolist() == best
    assert scores == pytest.approx([expected[position] for position in best], rel=1e-6)


def score_plainly(words: list[str], asked: dict[str, float], rows: dict[int, list[str]], count: int) -> float:
    average, counts = sum(map(len, rows.values())) / count, Counter(words)
    slope = 1.2 * (0.25 + 0.75 * round_length(len(words)) / average)
    spread = {word: sum(word in row_words for row_words in rows.values()) for word in asked}
    parts = {word: min(often, 255) * 2.2 / (min(often, 255) + slope) for word, often in counts.items()}
    return sum(weight * compute_idf(count, spread[word]) * parts.get(word, 0.0) for word, weight in asked.items())


def test_rows_after_the_last_one_do_not_count() -> None:
    known = build_postings(make_texts(4))[hash_term("words", "a")]
    early, _ = known.slice_to(FIRST + 99)
    assert early.tolist() == [position for position in known.positions.tolist() if position < FIRST + 100]


def test_what_is_known_grows_and_the_least_used_is_forgotten() -> None:
    known = PostingsCache(max_weight=10)
    few, more = (Postings(np.arange(n, dtype=np.uint32), np.zeros(n, np.uint16), n) for n in (4, 6))
    known.put((PARTITION, 0, b"a"), few)
    known.put((PARTITION, 0, b"a"), more)
    known.put((PARTITION, 0, b"a"), few)
    assert known.get((PARTITION, 0, b"a")) is more
    known.put((PARTITION, 0, b"b"), few)
    assert known.get((PARTITION, 0, b"a")) is more
    known.put((PARTITION, 0, b"c"), few)
    assert known.get((PARTITION, 0, b"b")) is NO_POSTINGS
    assert known.get((PARTITION, 1, b"a")) is NO_POSTINGS


async def test_words_that_came_one_by_one_are_gathered_and_found_once(home: Path, postgresql_url: str) -> None:
    """Search with a warm cache, with a cold one, and after a rebuild."""
    rows = [make_entry(f"d{number:04}", f"common w{number % 7}") for number in range(1100)]
    probe = probe_words("common w3 w5", pool=40)
    async with open_database(postgresql_url, home) as database, open_postgresql_index(database, read_words) as index:
        await index.declare("notes", SPACES)
        for start in range(0, len(rows), 220):
            await index.upsert("notes", rows[start : start + 220])
            remembered = await read_answer(await index.search(probe))
        ((lasting, new),) = await database.fetch(
            "SELECT (SELECT count(*) FROM retrieval_terms), (SELECT count(DISTINCT first) FROM retrieval_new_terms)"
        )
        assert lasting == 8 and new == 0
        await index.upsert("notes", [make_entry("e", "common w3")])
        remembered = await read_answer(await index.search(probe))
        async with open_postgresql_index(database, read_words) as other:
            assert await read_answer(await other.search(probe)) == remembered
            await other.rebuild("notes")
        assert await read_answer(await index.search(probe)) == remembered
