"""Search for a piece of text in title, description or notes, in any language and spelling."""

from __future__ import annotations

import pytest

from sanya.kernel.storage.database import Database
from tests.suites.tasks.harness import TasksHarness, fill, task

NAM_SARA_AM = "น\u0e49\u0e33"  # water, as keyboards write it
NAM_SPLIT = "น\u0e49\u0e4d\u0e32"  # the same with nikhahit and sara aa
NAM_SPLIT_TONE_LAST = "น\u0e4d\u0e49\u0e32"


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Release NOTES", "release notes"),
        ("Straße fegen", "STRASSE"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("Cafe\u0301 menu", "CAFÉ"),
        ("Café menu", "cafe\u0301"),
        ("İstanbul", "i\u0307stanbul"),
        ("สรุปรายงานยอดขาย", "รายงาน"),
        ("ที่\u0e19ี่", "ที่นี่"),
        (f"ดื่ม{NAM_SARA_AM}", NAM_SPLIT),
        (f"ดื่ม{NAM_SPLIT}", NAM_SARA_AM),
        (f"ดื่ม{NAM_SPLIT_TONE_LAST}", NAM_SARA_AM),
        ("กุ\u0e48", "ก\u0e48ุ"),
        ("เ\u0e40ม่ครัว", "แม่ครัว"),
        ("ซื้อ\u200bนม", "ซื้อนม"),
        ("50% off", "0% o"),
        ("snake_case", "e_c"),
        (r"back\slash", "k\\s"),
        ('it\'s "quoted"', "'s \""),
        ("😀 smile", "😀"),
        ("two\nlines", "o\nl"),
    ],
)
async def test_a_text_is_found(database: Database, harness: TasksHarness, text: str, query: str) -> None:
    await fill(
        database,
        [
            task("in-title", title=text),
            task("in-description", description=text),
            task("in-notes", notes_markdown=text),
            task("elsewhere"),
        ],
    )
    page = await harness.call("search_tasks", query=query)
    assert {item["id"] for item in page["items"]} == {"in-title", "in-description", "in-notes"}
    assert (await harness.call("get_tasks", search=query))["items"] == page["items"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("plain text", "%"),
        ("plain text", "_"),
        ("plain text", "p%t"),
        ("plain text", "pl_in"),
        ("ก้าว", "กาว"),  # another tone mark is another word
        ("resume", "résumé"),
    ],
)
async def test_another_text_is_not_found(database: Database, harness: TasksHarness, text: str, query: str) -> None:
    await fill(database, [task("t1", title=text)])
    assert (await harness.call("search_tasks", query=query))["items"] == []


async def test_no_match_runs_from_one_text_into_the_next(database: Database, harness: TasksHarness) -> None:
    await fill(database, [task("t1", title="left", description="right", notes_markdown="end")])
    for query in ("leftright", "left right", "left\x1fright", "left\nright", "t\x1fr"):
        assert (await harness.call("search_tasks", query=query))["items"] == [], query


async def test_matches_are_paged_in_the_order_of_all_lists_and_may_be_narrowed(
    database: Database, harness: TasksHarness
) -> None:
    rows = [
        task(f"t{n}", title="งานที่ต้องทำ" if n % 2 else "other", status="DONE" if n % 3 else "TODO", updated_at=at)
        for n, at in enumerate(f"2025-01-01T00:00:{second:02d}.000Z" for second in range(12))
    ]
    await fill(database, rows)
    assert await harness.all_ids("search_tasks", 2, query="งาน") == ["t11", "t9", "t7", "t5", "t3", "t1"]
    assert await harness.all_ids("search_tasks", 2, query="งาน", status="TODO") == ["t9", "t3"]
    assert await harness.all_ids("get_tasks", 2, search="งาน", status="TODO") == ["t9", "t3"]


async def test_an_empty_search_of_get_tasks_filters_nothing(database: Database, harness: TasksHarness) -> None:
    await fill(database, [task("t1"), task("t2")])
    assert len((await harness.call("get_tasks", search=""))["items"]) == 2


@pytest.mark.parametrize("query", ["", " ", "\n\t", "\u200b"])
async def test_a_blank_query_is_refused(harness: TasksHarness, query: str) -> None:
    refused = await harness.refusal("search_tasks", {"query": query})
    assert refused.error["code"] == "INVALID_ARGUMENT"
    assert refused.error["details"]["field"] == "query"
