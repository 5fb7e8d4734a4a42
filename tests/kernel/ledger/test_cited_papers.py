from __future__ import annotations

import orjson
import pytest

from sanya.kernel.calls.call import Call
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.ledger.chain import CitedPaper
from sanya.kernel.ledger.cited_papers import find_cited_pmids
from tests.kernel.conftest import House


@pytest.mark.parametrize(
    ("answer", "pmids"),
    [
        ({"pmid": "123"}, ["123"]),
        ({"pmid": 123}, ["123"]),
        ({"doc_id": "pmid:00123"}, ["123"]),
        ({"text": "ดู PMID: 123 และ PMID 456, pmid/789"}, ["123", "456", "789"]),
        ({"uri": "paper://pmid/123", "url": "https://pubmed.ncbi.nlm.nih.gov/456/"}, ["123", "456"]),
        ({"urls": ["https://www.ncbi.nlm.nih.gov/pubmed/1?x=2", "https://www.pubmed.gov/3/"]}, ["1", "3"]),
        ({"uri": "resource://pubmed/paper/55"}, ["55"]),
        ({"b": {"pmid": "9"}, "a": ["pmid:9", "pmid:8"]}, ["8", "9"]),
        ({"pmid": None, "pmids": [], "note": "123 papers on pubmed"}, []),
        ({"doc_id": "pmid:123456789012345"}, []),
        ({"doc_id": "pmcid:PMC55"}, []),
    ],
)
def test_papers_are_found_as_answers_name_them(answer: object, pmids: list[str]) -> None:
    assert find_cited_pmids(orjson.dumps(answer)) == pmids


def test_papers_that_a_handler_reports_are_added() -> None:
    assert find_cited_pmids(b'{"pmid":"2"}', ["1", "2"]) == ["1", "2"]


async def test_the_papers_of_an_answer_are_recorded_with_its_row(house: House) -> None:
    answered = await house.kernel.read(Call("demo://thing/pmid:77", {}))
    await house.kernel.read(Call("demo://thing/none", {}))
    await house.rows()
    assert house.store.cited == [CitedPaper("77", answered.id)]


async def test_nothing_is_recorded_for_a_tool_whose_contract_redacts(house: House) -> None:
    await house.kernel.call(Call("demo.echo", {"text": "pmid:77"}))
    await house.rows()
    assert house.store.cited == []


async def test_papers_of_a_group_that_could_not_be_written_are_kept(house: House) -> None:
    house.store.failing = True
    answered = await house.kernel.read(Call("demo://thing/pmid:77", {}))
    with pytest.raises(StoreUnavailable):
        await house.ledger.flush()
    house.store.failing = False
    await house.rows()
    assert house.store.cited == [CitedPaper("77", answered.id)]
