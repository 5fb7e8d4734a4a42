"""The engines themselves, side by side on the same data: the same answers, and where they are not, exactly what."""

from __future__ import annotations

from pathlib import Path

import sanya
from sanya.engines.database import open_database
from sanya.kernel.calls.call import Call
from sanya.parity.comparison import list_resource_cases, list_tool_cases
from sanya.shadow.ledger_comparison import compare, list_recorded_calls, open_pair
from sanya.transfer import move
from tests.engines.index.weaviate_server.choice import build_settings, weaviate_options
from tests.long_form import often
from tests.shadow.stage import counted, settings_of

QUERIES = ("weight loss", "structured abstract", "การทดลองแบบสุ่ม", "ตัวอย่าง", "dose of a weekly injection")
ASKED = {"query": "When does the library close?"}
# Their first search reads all of the herb graph on both sides, which takes as long as all the rest.
LEFT_OUT = () if often(0, 1) else ("tool.hybrid_search", "tool.rag_answer")
# Weaviate ranks words by statistics of its own, and a score is made from all that was found.
OF_SCORES = ("bm25", "relevance", "score", "score_parts.")


async def test_a_home_on_postgresql_answers_every_example_as_the_embedded_one(home: Path, postgresql_url: str) -> None:
    async with sanya.open(home) as app:
        for text in ("The library closes at eight.", "ห้องสมุดปิดสองทุ่ม"):
            await app.call("send_memory", {"content": text})
        # Searched before it moves: what the embedded index declared must be found there.
        await app.call("get_memory", ASKED)
        for query in QUERIES[:2]:
            await app.call("rag.search", {"query": query})
    await move(settings_of(home), postgresql_url)
    async with open_pair(settings_of(home, shadow=postgresql_url)) as sides:
        catalogue = sides.primary.kernel.catalogue
        tools = [tool for tool in catalogue.tools if tool.name not in LEFT_OUT]
        cases = list_tool_cases(tools) + await list_resource_cases(catalogue)
        calls = [Call(case.name, case.arguments) for case in cases]
        calls += [Call("rag.search", {"query": query, "top_k": 5}) for query in QUERIES]
        calls += await list_recorded_calls(sides.primary, 2)
        report = await compare(sides, calls)
        assert report.is_clean, report.as_json()
        assert report.count_calls("equal", "rounding") == len(calls)
        assert {tool.name for tool in tools if tool.effect == "read" and tool.examples} <= {
            tool_report.tool for tool_report in report.tools
        }
        assert [call.arguments["query"] for call in calls[-2:]] == [*QUERIES[:2]]

        async with open_database(postgresql_url, home) as shadow, shadow.transaction() as transaction:
            await transaction.execute("UPDATE memories SET content = 'My code is 4711'")
        altered = await compare(sides, [Call("get_memory", ASKED)])
        # What a memory says is in no ledger, and not in the report either.
        assert counted(altered, "get_memory") == {"different": 1}
        assert "$.memories[0].content" in {place.path for place in altered.differences[0].places}
        assert "4711" not in str(altered.as_json())
        assert [link.entry.surface for link in await sides.primary.ledger_store.page(10)] == ["python"] * 5


async def test_weaviate_finds_by_meaning_what_the_embedded_index_does_and_scores_words_its_own_way(home: Path) -> None:
    async with (
        weaviate_options() as options,
        open_pair(settings_of(home, shadow_index="weaviate", **build_settings(options))) as sides,
    ):
        by_meaning = [Call("rag.search", {"query": query, "search_mode": "semantic"}) for query in QUERIES]
        assert (await compare(sides, by_meaning)).is_clean
        by_both = await compare(sides, [Call("rag.search", {"query": query}) for query in QUERIES])
        assert by_both.count_calls("failed") == 0
        differing = {place.path.partition("].")[2] for comparison in by_both.differences for place in comparison.places}
        assert all(path.startswith(OF_SCORES) for path in differing), differing
        assert by_both.trial == "SQLite, embedded | SQLite, weaviate"
