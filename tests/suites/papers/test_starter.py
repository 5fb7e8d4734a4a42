from __future__ import annotations

import asyncio
from importlib.resources import files

from sanya.engines.embedders.bundled_vectors import BundledVectors
from sanya.engines.embedders.offline import GRANITE, USE
from sanya.engines.index.store import hash_content
from sanya.kernel.calls.call import Answered, Call
from sanya.retrieval.terms import detect_text_language
from sanya.suites.papers.checkpoints import Checkpoints, list_checkpoints
from sanya.suites.papers.sample_ids import FIRST_SAMPLE, is_sample_id
from sanya.suites.papers.starter import SAMPLE_CHECKPOINT, PaperStarter, list_sample_texts, load_samples
from sanya.surfaces.mcp.results import build_tool_result
from tests.suites.papers.harness import PapersHarness, pmids, record


def test_no_sample_can_be_taken_for_a_paper() -> None:
    assert len(load_samples()) >= 35
    assert len({sample.pmid for sample in load_samples()}) == len(load_samples())
    for sample in load_samples():
        assert is_sample_id(sample.pmid)
        assert sample.title is not None and sample.title.startswith(("Sample: ", "ตัวอย่าง: "))
        assert sample.abstract is not None and "id is not a PubMed id" in sample.abstract
    assert not any(map(is_sample_id, ("1", "38400123", "9900000000", "9900001000", "", "pmid:990000")))


def test_their_vectors_come_with_them() -> None:
    shipped = BundledVectors(files("sanya.suites.papers") / "starter_vectors.npz")
    hashes = [hash_content(text) for text in list_sample_texts()]
    english = [hash_content(text) for text in list_sample_texts() if detect_text_language(text) == "en"]
    assert len(shipped.find(USE, hashes)) == len(set(hashes)), "run scripts/papers_vectors.py"
    assert len(shipped.find(GRANITE, english)) == len(set(english)), "run scripts/papers_vectors.py"


async def test_a_new_home_has_samples_that_say_so(harness: PapersHarness) -> None:
    found = await harness.search("randomized trial against placebo")
    assert len(found) == 10
    assert all(document["sample"] and document["source_url"] is None for document in found)
    for tool, arguments in (("rag.search", {"query": "placebo"}), ("rag.get", {"doc_id": f"pmid:{FIRST_SAMPLE}"})):
        outcome = await harness.kernel.call(Call(tool, arguments))
        assert isinstance(outcome, Answered)
        assert build_tool_result(outcome)["_meta"]["sanya/sample"] is True


async def test_the_first_real_paper_sends_them_away_for_good(harness: PapersHarness) -> None:
    await harness.search("placebo")
    await harness.put(record(123, "Salt", "Salt."))
    found = await harness.search("randomized trial against placebo", top_k=50)
    assert pmids(found) == ["123"]
    outcome = await harness.kernel.call(Call("rag.get", {"doc_id": "pmid:123"}))
    assert isinstance(outcome, Answered)
    assert "sanya/sample" not in build_tool_result(outcome)["_meta"]
    assert (await harness.refusal("rag.get", {"doc_id": f"pmid:{FIRST_SAMPLE}"}))["code"] == "NOT_FOUND"
    await harness.delete("123")
    assert await harness.search("placebo") == []


async def test_a_home_that_began_with_real_papers_never_has_samples(harness: PapersHarness) -> None:
    await harness.put(record(123, "Salt", "Salt."))
    assert pmids(await harness.search("randomized trial against placebo", top_k=50)) == ["123"]


async def test_many_first_questions_at_once_bring_them_once(harness: PapersHarness) -> None:
    answers = await asyncio.gather(*(harness.search("placebo", top_k=3) for _ in range(5)))
    assert all(answer == answers[0] for answer in answers)
    assert await harness.store.count(is_sample=True) == len(load_samples())


async def test_samples_without_their_checkpoint_get_it_at_the_next_start(harness: PapersHarness) -> None:
    """A process that is killed between the two leaves this state."""
    checkpoints = Checkpoints(harness.database, harness.index)
    await PaperStarter(harness.database, harness.store, checkpoints).load()
    async with harness.database.transaction() as transaction:
        await transaction.execute("DELETE FROM paper_checkpoints")
    starters = [PaperStarter(harness.database, harness.store, checkpoints) for _ in range(3)]
    await asyncio.gather(*(starter.load() for starter in starters))
    assert (await checkpoints.get(SAMPLE_CHECKPOINT)).papers == len(load_samples())
    assert len(await list_checkpoints(harness.database)) == 1
