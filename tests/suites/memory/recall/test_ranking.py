"""What moves a memory up, one thing at a time, and what no filter lets through."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sanya.kernel.calls.call import Caller
from sanya.suites.memory.episodes import find_episode, find_speaker, is_question, make_word_keys
from sanya.suites.memory.ratings.rating import LETTERS, parse_rating
from sanya.suites.memory.recall.ranking import MemoryTrace, RecallCandidate, SearchScores, rank_candidates
from tests.long_form import often
from tests.suites.memory.memory_harness import MemoryHarness


def candidate(name: str, content: str = "the plant opens", **more: object) -> RecallCandidate:
    linked = bool(more.pop("linked", False))
    words = float(str(more.pop("words", 0.4)))
    fields: dict[str, object] = {
        "id": name,
        "episode": "one",
        "place": 10 * ord(name[0]),
        "letter": "C",
        "digit": 3,
        "arrival": 5,
        "speaker": None,
        "asks": 0,
        "length": 40,
        "keys": " ".join(make_word_keys(content)),
    }
    return RecallCandidate(MemoryTrace(**{**fields, **more}), SearchScores(words, 0.0), linked)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "better",
    [
        {"words": 0.5},
        {"speaker": "alice"},
        {"length": 300},
        {"arrival": 9},
        {"letter": "A"},
        {"digit": 1},
        {"linked": True},
        {"content": "when the plant opens"},
    ],
)
def test_each_of_these_moves_a_memory_up(better: dict[str, object]) -> None:
    content = str(better.pop("content", "the plant opens"))
    plain = candidate("a", "a pond" if content != "the plant opens" else content)
    matches, total = rank_candidates(
        "When did Alice say the plant opens?", [plain, candidate("z", content, **better)], 10
    )
    assert ([match.id for match in matches], total) == (["z", "a"], 2)


def test_a_question_stands_behind_its_answer() -> None:
    asked, answered = candidate("a", asks=1), candidate("z")
    assert [match.id for match in rank_candidates("plant", [asked, answered], 10)[0]] == ["z", "a"]


def test_an_answer_is_lifted_by_the_question_before_it() -> None:
    question = candidate("q", "where is the xylophone", place=1)
    answer = candidate("z", "in the cellar", place=2)
    other = candidate("a", "in the garden", place=9)
    order = [match.id for match in rank_candidates("xylophone", [question, answer, other], 10)[0]]
    assert order.index("z") < order.index("a")


def test_what_follows_a_question_ranks_above_what_follows_a_statement() -> None:
    order = [
        candidate("q", "where is the xylophone", place=1, asks=1),
        candidate("z", "in the cellar", place=2),
        candidate("s", "there is the xylophone", place=21),
        candidate("a", "in the garden", place=22),
    ]
    ids = [match.id for match in rank_candidates("xylophone", order, 10)[0]]
    assert ids.index("z") < ids.index("a")


@pytest.mark.parametrize(
    ("question", "vague", "dated"),
    [
        ("When did the plant open?", "the plant opens", "the plant opens last Saturday"),
        ("Which year did the plant open?", "the plant opens", "the plant opens 1998"),
        ("โรงงานเปิดเมื่อไหร่", "โรงงานเปิดแล้วจริงๆ", "โรงงานเปิดเมื่อวาน"),
    ],
)
def test_where_a_time_is_asked_for_a_remark_that_names_one_ranks_first(question: str, vague: str, dated: str) -> None:
    both = [candidate("a", vague), candidate("z", dated)]
    assert [match.id for match in rank_candidates(question, both, 10)[0]] == ["z", "a"]
    elsewhere = "What did she say when the plant opened?"
    assert all(match.parts["time"] == 0 for match in rank_candidates(elsewhere, both, 10)[0])


def test_what_nothing_speaks_for_is_left_out_and_equals_are_ordered_by_id() -> None:
    matches, total = rank_candidates("plant", [candidate("b"), candidate("a", place=980), candidate("c", words=0.0)], 1)
    assert ([match.id for match in matches], total) == (["a"], 2)
    assert rank_candidates("plant", [], 5) == ([], 0)


def test_how_a_text_is_read() -> None:
    assert find_speaker("[2025-03-01] Alice: The deadline is March 15.") == "Alice"
    assert find_speaker("The time was 10:30 exactly") is None
    assert is_question("Where is it?") and is_question("ไปไหม") and not is_question("It is here.")
    assert find_episode("[2025-03-01] Alice: x", None, "bo", "2026-01-01T00:00:00.000Z") == "day:2025-03-01:bo"
    assert find_episode("x", "doc:a", "bo", "2026-01-01T00:00:00.000Z") == "doc:a"
    assert make_word_keys("The Deadlines of กาแฟ") == ["deadl", "กาแ", "าแฟ"]


CALLERS = [Caller(f"key:{name}", frozenset({"*"})) for name in ("anna", "ben")]


@given(
    sent=st.lists(st.tuples(st.sampled_from([0, 1]), st.sampled_from(LETTERS), st.integers(0, 3)), max_size=8),
    least=st.builds(lambda letter, digit: f"{letter}{digit}", st.sampled_from(LETTERS), st.integers(1, 6)),
    limit=st.integers(1, 10),
)
@settings(max_examples=often(12, 40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_no_filter_ever_leaks(
    harness: MemoryHarness, sent: list[tuple[int, str, int]], least: str, limit: int
) -> None:
    """Other examples of this test have filled the same harness: the more there is, the more could leak."""
    own: set[str] = set()
    for caller, letter, contests in sent:
        memory_id = await harness.send("The turbine hums.", CALLERS[caller], confidence_hint=letter)
        own |= {memory_id} if caller == 0 else set()
        for _ in range(contests):
            await harness.call("correct_memory", CALLERS[caller], target_id=memory_id, action="contest")
    body = await harness.call("get_memory", CALLERS[0], query="turbine", min_confidence=least, limit=limit)
    assert len(body["memories"]) <= limit
    assert body["meta"]["truncated"] == (body["meta"]["total_found"] > len(body["memories"]))
    for memory in body["memories"]:
        assert parse_rating(memory["confidence"]).is_at_least(parse_rating(least))
        assert await harness.parts.store.reader.find_memory(CALLERS[0].id, memory["id"]) is not None
