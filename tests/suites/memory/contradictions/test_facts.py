"""Facts with one value at a time: another value later replaces the first, on one day it contradicts it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from benchmarks.memory_changes import count_pairs, find_links, read_pairs
from sanya.engines.database import open_database
from sanya.suites.memory.contradictions.facts import find_facts
from sanya.suites.memory.contradictions.stated_fact import find_fact_conflict
from sanya.suites.memory.storage.store import MemoryStore

LEAST_PRECISION = 0.97
LEAST_RECALL_SEEN, LEAST_RECALL_UNSEEN = 0.90, 0.77
DAY = date(2026, 3, 2)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The rent is 12,000 baht a month.", "The rent went up to 15,000 baht a month."),
        ("Marta lives in Berlin.", "Marta lives in Munich."),
        ("Beate Lorenz lives in Kassel.", "Beate Lorenz moved to Phuket."),
        ("The headquarters are in Rayong.", "The headquarters are in Trang."),
        ("The contract expires on 30 June.", "The contract expires on 31 December."),
        ("The offer is valid until 15 May.", "The offer is valid until 30 May."),
        ("The CEO of Norwind is Helen Park.", "Tomas Rivera became CEO of Norwind."),
        ("The staging server runs on port 8443.", "Correction: the staging server now runs on port 9443, not 8443."),
        ("งบ 2 ล้าน", "แก้ไข: งบ 3 ล้าน ไม่ใช่ 2 ล้าน"),
        ("Klaus resigned.", "Klaus did not resign."),
        ("คุณสมชายแต่งงานแล้ว", "คุณสมชายยังไม่ได้แต่งงาน"),
        ("The invoice from Marlow is unpaid.", "I paid the invoice from Marlow this morning."),
        ("Vera is pregnant.", "Vera gave birth to a girl."),
        ("คุณยายนอนโรงพยาบาล", "คุณยายออกจากโรงพยาบาลแล้ว"),
        ("The team uses Slack.", "The team switched from Slack to Teams."),
        ("ห้องประชุมใหญ่จุได้ 80 คน", "ห้องประชุมใหญ่จุได้ 120 คน"),
        ("The gym membership costs 39 euros a month.", "The gym put its membership up to 45 euros a month."),
    ],
)
def test_two_values_of_one_property_exclude_each_other(text: str, other: str) -> None:
    facts = find_facts(text, DAY)
    assert any(find_fact_conflict(fact, known) for fact in find_facts(other, DAY) for known in facts)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Tom speaks German.", "Tom speaks French."),
        ("The team uses Slack.", "The team uses Jira."),
        ("Anna bought three apples.", "Anna bought five apples."),
        ("The museum is in Germany.", "The museum is in Berlin."),
        ("The plant might close in June.", "The plant is open."),
        ("ค่าเช่าร้าน 12,000 บาท", "ค่าเช่าห้อง 15,000 บาท"),
        ("Ploy passed the theory exam.", "Ploy failed the practical exam."),
        ("The team uses Slack.", "The office switched from Slack to Teams."),
        ("The store is open.", "The store next door has closed."),
        ("หมอตรวจคนไข้ 18 คน", "หมอตรวจคนไข้ 24 คน"),
    ],
)
def test_what_can_have_many_values_excludes_nothing(text: str, other: str) -> None:
    facts = find_facts(text, DAY)
    assert not any(find_fact_conflict(fact, known) for fact in find_facts(other, DAY) for known in facts)


def test_a_correction_says_that_it_replaces_something() -> None:
    facts = find_facts("Correction: the staging server now runs on port 9443, not 8443.", DAY)
    assert all(fact.replaces for fact in facts)
    assert not any(fact.replaces for fact in find_facts("The staging server runs on port 8443.", DAY))


async def test_changes_are_linked_with_few_false_alarms(embedded_home: Path) -> None:
    pairs = read_pairs()
    assert len(pairs) >= 1_780
    async with open_database("", embedded_home) as database:
        found = list(zip(pairs, await find_links(MemoryStore(database), pairs), strict=True))
    seen = count_pairs((pair, link) for pair, link in found if not pair.is_unseen)
    unseen = count_pairs((pair, link) for pair, link in found if pair.is_unseen)
    assert min(seen.precision, unseen.precision) >= LEAST_PRECISION
    assert seen.recall >= LEAST_RECALL_SEEN
    assert unseen.recall >= LEAST_RECALL_UNSEEN


async def test_both_engines_link_the_same_changes(embedded_home: Path, postgresql_url: str, tmp_path: Path) -> None:
    pairs = read_pairs()[::20]
    async with (
        open_database("", embedded_home) as sqlite,
        open_database(postgresql_url, tmp_path / "other") as postgresql,
    ):
        links = await find_links(MemoryStore(sqlite), pairs)
        assert len(set(links)) > 1
        assert await find_links(MemoryStore(postgresql), pairs) == links
