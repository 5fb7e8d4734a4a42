"""The client of E-utilities against a server that speaks their wire and misbehaves on demand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pytest

from sanya.kernel.faults import Fault, InvalidArgument, RateLimited, UpstreamFailed
from sanya.sources.egress import BadDestination, EgressLimits
from sanya.sources.entrez import EntrezClient, EntrezIdentity, open_entrez
from sanya.sources.pacing import Clock, LocalBudget, RetryPolicy, get_process_budget
from sanya.suites.papers.dialect import DIALECT
from tests.sources.eutils import FIRST_PMID, EUtils, Trouble, article, local_eutils

SPAN = ("2024/01/01", "2024/12/31")
LIMITS = EgressLimits(max_bytes=1024 * 1024, total_s=30.0)


@dataclass
class FastClock:
    """Time that passes only by waiting, at once."""

    now: float = 1000.0
    waits: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.now, self.sleep)


@pytest.fixture
def time() -> FastClock:
    return FastClock()


@pytest.fixture
async def eutils() -> AsyncIterator[EUtils]:
    async with local_eutils([article(number) for number in range(7)]) as utils:
        yield utils


@pytest.fixture
async def entrez(eutils: EUtils, time: FastClock) -> AsyncIterator[EntrezClient]:
    budget = LocalBudget(3, time.clock)
    asker = EntrezIdentity("somebody@example.org", "the-key")
    async with open_entrez(eutils.url, asker, budget, clock=time.clock, limits=LIMITS) as client:
        yield client


def ids(*numbers: int) -> list[str]:
    return [str(FIRST_PMID + number) for number in numbers]


async def test_a_search_by_day_of_entry_lists_the_papers_of_that_span(entrez: EntrezClient) -> None:
    found = await entrez.esearch("sample", "2024/01/02", "2024/01/04")
    assert (found.count, found.pmids) == (3, tuple(ids(3, 2, 1)))


async def test_who_asks_is_told_in_the_body_and_never_in_the_address(entrez: EntrezClient, eutils: EUtils) -> None:
    await entrez.esearch("sample", *SPAN)
    ((_, fields),) = eutils.asked
    assert fields["tool"] == "sanya"
    assert fields["email"] == "somebody@example.org"
    assert fields["api_key"] == "the-key"
    assert (fields["usehistory"], fields["datetype"]) == ("y", "edat")


async def test_a_long_list_comes_in_pages_of_one_moment(entrez: EntrezClient, eutils: EUtils) -> None:
    eutils.page = 2
    found = await entrez.esearch("sample", *SPAN)
    assert found.pmids == tuple(ids(6, 5, 4, 3, 2, 1, 0))
    assert eutils.count("esearch") == 1
    assert all(fields["WebEnv"] for name, fields in eutils.asked if name == "efetch")


async def test_a_list_without_a_history_key_comes_in_pages_all_the_same(entrez: EntrezClient, eutils: EUtils) -> None:
    eutils.page = 3
    eutils.troubles = [Trouble("esearch", "no_history")]
    found = await entrez.esearch("sample", *SPAN)
    assert found.pmids == tuple(ids(6, 5, 4, 3, 2, 1, 0))
    assert eutils.count("efetch") == 0


async def test_ids_that_come_twice_count_once(entrez: EntrezClient, eutils: EUtils) -> None:
    eutils.twice = True
    found = await entrez.esearch("sample", *SPAN)
    assert found.pmids == tuple(ids(6, 5, 4, 3, 2, 1, 0))
    assert [record.pmid for record in await entrez.efetch([*ids(1, 2), *ids(1)])] == ids(1, 2)


async def test_more_than_pubmed_lists_are_found_by_narrower_dates(entrez: EntrezClient, eutils: EUtils) -> None:
    many = {str(FIRST_PMID + number): (date(2024, 1 + number % 12, 1 + number % 28), "") for number in range(12_000)}
    eutils.articles = dict(many)
    assert (await entrez.esearch("all[sb]", *SPAN)).pmids is None
    found = await entrez.esearch_delta("all[sb]", *SPAN)
    assert len(found) == len(set(found)) == 12_000
    assert set(found) == set(many)


async def test_a_day_with_more_papers_than_pubmed_lists_asks_for_a_narrower_query(
    entrez: EntrezClient, eutils: EUtils
) -> None:
    eutils.articles = {str(FIRST_PMID + number): (date(2024, 5, 1), "") for number in range(10_000)}
    with pytest.raises(InvalidArgument, match="2024-05-01; narrow the query"):
        await entrez.esearch_delta("all[sb]", *SPAN)


async def test_a_query_that_finds_nothing_says_which_words_are_unknown(entrez: EntrezClient) -> None:
    found = await entrez.esearch("zzzz", *SPAN)
    assert (found.count, found.pmids, found.warnings) == (0, (), ("phrasesnotfound: zzzz",))


async def test_records_come_in_full_and_withdrawn_ones_are_left_out(entrez: EntrezClient, eutils: EUtils) -> None:
    eutils.withdrawn = set(ids(2))
    records = await entrez.efetch(ids(1, 2, 3))
    assert [record.pmid for record in records] == ids(1, 3)
    assert [section.label for section in records[0].sections] == ["METHODS", "RESULTS"]
    eutils.withdrawn = set(ids(1, 2, 3))
    assert await entrez.efetch(ids(1, 2, 3)) == []


async def test_summaries_have_the_fields_of_the_contract(entrez: EntrezClient, eutils: EUtils) -> None:
    eutils.withdrawn = set(ids(2))
    first, second = await entrez.esummary_batch(ids(1, 2, 3))
    assert (first.pmid, second.pmid) == tuple(ids(1, 3))
    assert first.title == "Sample 1: sample."
    assert (first.pdat, first.edat) == ("2016-10-21", "2024-01-02T06:00:00Z")
    assert (first.journal, first.pub_types, first.authors) == ("Gut", ["Journal Article"], ["Person A"])


@pytest.mark.parametrize(
    "trouble",
    [
        Trouble("efetch", "status", 429),
        Trouble("efetch", "status", 429, {"retry-after": "2"}),
        Trouble("efetch", "status", 500),
        Trouble("efetch", "status", 503),
        Trouble("efetch", "html"),
        Trouble("efetch", "cut"),
        Trouble("efetch", "empty"),
        Trouble("efetch", "close"),
        Trouble("efetch", "endless"),
    ],
    ids=lambda trouble: f"{trouble.kind}-{trouble.status}",
)
async def test_trouble_that_passes_is_waited_out(
    trouble: Trouble, entrez: EntrezClient, eutils: EUtils, time: FastClock
) -> None:
    eutils.troubles = [trouble, trouble]
    async with asyncio.timeout(60):
        assert [record.pmid for record in await entrez.efetch(ids(4))] == ids(4)
    assert eutils.count("efetch") == 3
    assert len(time.waits) >= 2


@pytest.mark.parametrize(
    ("trouble", "kind", "code"),
    [
        (Trouble("esearch", "status", 429), RateLimited, "RATE_LIMIT"),
        (Trouble("esearch", "status", 502), UpstreamFailed, "ENTREZ"),
        (Trouble("esearch", "html"), UpstreamFailed, "ENTREZ"),
        (Trouble("esearch", "cut"), UpstreamFailed, "ENTREZ"),
        (Trouble("esearch", "endless"), UpstreamFailed, "ENTREZ"),
        (Trouble("esearch", "close"), UpstreamFailed, "ENTREZ"),
    ],
    ids=lambda value: f"{value.kind}-{value.status}" if isinstance(value, Trouble) else "",
)
async def test_trouble_that_stays_is_told_in_the_contracts_words(
    trouble: Trouble, kind: type[Fault], code: str, entrez: EntrezClient, eutils: EUtils
) -> None:
    eutils.troubles = [trouble] * 5
    async with asyncio.timeout(60):
        with pytest.raises(kind) as caught:
            await entrez.esearch("sample", *SPAN)
    assert DIALECT.render_fault(caught.value, None).error["code"] == code
    assert eutils.count("esearch") == 5


@pytest.mark.parametrize("troubles", [1, 5])
async def test_an_answer_that_drips_is_not_waited_for(troubles: int, eutils: EUtils, time: FastClock) -> None:
    eutils.troubles = [Trouble("esearch", "drip")] * troubles
    limits = EgressLimits(total_s=2.0 if troubles == 1 else 0.1)
    budget = LocalBudget(3, time.clock)
    async with open_entrez(eutils.url, EntrezIdentity(), budget, clock=time.clock, limits=limits) as client:
        if troubles == 1:
            assert (await client.esearch("sample", *SPAN)).count == 7
            return
        with pytest.raises(UpstreamFailed, match=r"did not answer within|broke off|cannot be reached") as caught:
            await client.esearch("sample", *SPAN)
    assert DIALECT.render_fault(caught.value, None).error["code"] == "ENTREZ"
    assert caught.value.retry_after_ms


async def test_a_status_that_will_not_pass_is_not_asked_again(entrez: EntrezClient, eutils: EUtils) -> None:
    eutils.troubles = [Trouble("efetch", "status", 400)]
    with pytest.raises(UpstreamFailed, match="status 400"):
        await entrez.efetch(ids(1))
    assert eutils.count("efetch") == 1


async def test_a_query_that_pubmed_refuses_is_the_callers_to_mend(entrez: EntrezClient, eutils: EUtils) -> None:
    eutils.troubles = [Trouble("esearch", "refused")]
    with pytest.raises(InvalidArgument, match="refuses this query"):
        await entrez.esearch("sample", *SPAN)


async def test_a_server_that_is_not_there_is_told_as_unreachable(time: FastClock) -> None:
    budget = LocalBudget(3, time.clock)
    async with open_entrez("http://127.0.0.1:9", EntrezIdentity(), budget, clock=time.clock, limits=LIMITS) as client:
        with pytest.raises(UpstreamFailed, match="cannot be reached") as caught:
            await client.efetch(ids(1))
    assert DIALECT.render_fault(caught.value, None).error["code"] == "ENTREZ"
    assert caught.value.retry_after_ms


async def test_an_address_that_may_not_be_reached_is_refused_at_once() -> None:
    with pytest.raises(BadDestination):
        async with open_entrez("ftp://example.org", EntrezIdentity(), LocalBudget(3, Clock())):
            raise AssertionError("opened")


async def test_no_more_questions_a_second_than_the_budget_has_whoever_asks(
    entrez: EntrezClient, eutils: EUtils, time: FastClock
) -> None:
    begun = time.now
    await asyncio.gather(*(entrez.esearch("sample", *SPAN) for _ in range(10)))
    assert eutils.count("esearch") == 10
    assert time.now - begun >= 9 / 3 - 1e-6


def test_a_process_has_one_budget_for_a_party() -> None:
    assert get_process_budget("https://one.example", 3) is get_process_budget("https://one.example", 3)
    assert get_process_budget("https://one.example", 3) is not get_process_budget("https://two.example", 3)


def test_waits_double_up_to_the_longest_and_chance_cuts_at_most_half() -> None:
    shortest, longest = RetryPolicy(chance=lambda: 0.0), RetryPolicy(chance=lambda: 1.0)
    assert [longest.compute_wait_s(attempt) for attempt in range(3)] == [0.5, 1.0, 2.0]
    assert [shortest.compute_wait_s(attempt) for attempt in range(3)] == [0.25, 0.5, 1.0]
    assert longest.compute_wait_s(20) == longest.most_s
    assert longest.compute_wait_s(0, 7.0) == 7.0
    assert longest.compute_wait_s(0, 3600.0) == longest.most_s


async def test_what_was_asked_of_a_wait_is_kept(entrez: EntrezClient, eutils: EUtils, time: FastClock) -> None:
    eutils.troubles = [Trouble("esearch", "status", 429, {"retry-after": "7"})]
    await entrez.esearch("sample", *SPAN)
    assert 7.0 in time.waits


@pytest.fixture(scope="session")
def real_files() -> list[Path]:
    folder = Path(__file__).parents[3] / "shared" / "data" / "papers"
    found = sorted(folder.glob("biopython_pubmed*.xml"))
    if not found:
        pytest.skip("the samples of PubMed's answers are not here")
    return found


async def test_real_answers_of_efetch_are_read(real_files: list[Path], time: FastClock) -> None:
    documents = [
        f"<PubmedArticle>{part}</PubmedArticle>"
        for path in real_files
        for part in path.read_text("utf-8")
        .replace("</PubmedArticle>", "<PubmedArticle>")
        .split("<PubmedArticle>")[1::2]
    ]
    budget = LocalBudget(3, time.clock)
    async with (
        local_eutils(documents) as utils,
        open_entrez(utils.url, EntrezIdentity(), budget, clock=time.clock) as client,
    ):
        records = await client.efetch(list(utils.articles))
        assert {record.pmid for record in records} == set(utils.articles)
        assert all(record.title and record.edat and record.journal for record in records)
