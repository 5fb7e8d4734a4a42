from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sanya as house
from sanya.surfaces.cli.papers.labels import format_count
from tests.suites.papers.golden import MICE, TRIAL

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run


@pytest.fixture(scope="module")
def sample_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the samples and a checkpoint."""
    folder = tmp_path_factory.mktemp("papers") / "home"

    async def fill() -> None:
        async with house.open(folder) as app:
            await app.call("corpus.checkpoint.create", {"name": "June", "primary_queries": ["obesity"]})

    asyncio.run(fill())
    return folder


@pytest.fixture
def home(sample_home: Path) -> Path:
    return sample_home


def test_what_is_found_is_a_table_that_says_it_is_of_samples(sanya: Run) -> None:
    ran = sanya("papers", "search", "placebo injection weight loss", "--mode", "bm25", "--limit", "3", "--explain")
    assert ran.code == 0
    header, first, *_ = ran.out.splitlines()
    assert header.split()[:7] == ["score", "words", "meaning", "section", "quality", "recency", "retraction"]
    assert "pmid:9900000001" in first
    figures = [float(figure) for figure in first.split()[:7]]
    assert figures[0] == pytest.approx(sum(figures[1:]), abs=0.004)
    assert "These are sample records that ship with Sanya" in ran.out


@pytest.mark.parametrize(("limit", "said"), [("1", "\n1 result in "), ("2", "\n2 results in ")])
def test_one_result_is_not_said_to_be_several(sanya: Run, limit: str, said: str) -> None:
    assert said in sanya("papers", "search", "placebo injection", "--mode", "bm25", "--limit", limit).out


def test_one_chunk_is_not_said_to_be_several() -> None:
    assert format_count(None, "unread", 1).startswith("1 chunk has no vector yet")
    assert format_count(None, "unread", 1200).startswith("1,200 chunks have no vectors yet")
    assert format_count("th", "unread", 1).startswith("ยังมีอีก 1 ส่วน")


def test_thai_is_answered_in_thai_and_chunks_show_their_text(sanya: Run) -> None:
    ran = sanya("papers", "search", "ความดันโลหิตสูง", "--mode", "bm25", "--chunks", "--limit", "1", "--lang", "th")
    assert "คะแนน" in ran.out
    assert "pmid:9900000038 w0 (abstract)" in ran.out
    assert "นั่งพัก 5 นาที" in ran.out
    assert "นี่คือตัวอย่าง" in ran.out


def test_filters_and_json_reach_the_tool(sanya: Run) -> None:
    words = ("papers", "search", "trial", "--mode", "bm25", "--json", "--plain")
    found = sanya(*words, "--from", "2025", "--to", "2025-04-30", "--journal", "Sanya Samples").json
    assert {document["year"] for document in found["documents"]} == {2025}
    assert found["performance"]["enhanced_query"] is False
    assert sanya(*words, "--journal", "Nowhere").json["documents"] == []


def test_one_paper_is_shown_with_what_speaks_for_it(sanya: Run) -> None:
    ran = sanya("papers", "show", "9900000036")
    assert "RETRACTED" in ran.out
    assert "0 (design 0, recency 0, journal 0, human 0)" in ran.out
    assert sanya("papers", "show", "pmid:9900000036", "--json").json["version"] == 1


def test_a_paper_that_is_not_there_is_a_sentence(sanya: Run) -> None:
    ran = sanya("papers", "show", "5")
    assert ran.code == 1
    assert ran.err.startswith("sanya: there is no paper pmid:5 ")


def test_checkpoints_are_listed_and_shown_in_both_languages(sanya: Run) -> None:
    listed = sanya("papers", "checkpoint", "list").out.splitlines()
    assert [line.split()[1] for line in listed] == ["name", "Samples", "June"]
    shown = sanya("papers", "checkpoint", "show", "cp_samples", "--lang", "th").out
    assert "จุดบันทึก" in shown
    assert "2026-01-31" in shown
    (june,) = [
        checkpoint
        for checkpoint in sanya("papers", "checkpoint", "list", "--json").json
        if checkpoint["name"] == "June"
    ]
    assert june["primary_queries"] == ["obesity"]
    ran = sanya("papers", "checkpoint", "show", "cp_nowhere")
    assert (ran.code, "sanya papers checkpoint list" in ran.err) == (1, True)


def test_three_commands_lead_from_an_empty_home_to_a_citation(sanya: Run, tmp_path: Path) -> None:
    file, new_home = tmp_path / "papers.xml", ("--home", str(tmp_path / "new"))
    file.write_text(f"<PubmedArticleSet>{TRIAL}{MICE}</PubmedArticleSet>", encoding="utf-8")
    assert sanya("papers", "import", str(file), *new_home).code == 0
    found = sanya("papers", "search", "made-up drug against placebo", "--mode", "bm25", *new_home).out.splitlines()
    assert "pmid:90000001" in found[1]
    assert not any("samples" in line for line in found)
    shown = sanya("papers", "show", "90000001", *new_home).out
    assert "The New England journal of medicine. 2024" in shown
    assert "https://pubmed.ncbi.nlm.nih.gov/90000001/" in shown


def test_papers_are_cited_on_screen_and_into_a_file(sanya: Run, tmp_path: Path) -> None:
    shown = sanya("papers", "cite", "9900000001", "9900000002")
    assert shown.code == 0
    assert [line[:3] for line in shown.out.splitlines()[:2]] == ["1. ", "2. "]
    assert "PubMed does not give of pmid:9900000001: author" in shown.err
    file = tmp_path / "review.bib"
    saved = sanya("papers", "cite", "9900000001", "--format", "bibtex", "--out", str(file))
    assert "Saved 1 citation" in saved.out
    assert file.read_text(encoding="utf-8").startswith("@article{")


def test_a_paper_that_is_not_here_is_named_and_the_exit_code_says_so(sanya: Run) -> None:
    cited = sanya("papers", "cite", "9900000001", "77")
    assert cited.code == 1
    assert "Not in this corpus: pmid:77" in cited.err
    resolved = sanya("papers", "resolve", "9900000001", "10.1000/nothing")
    assert resolved.code == 1
    assert "pmid:9900000001" in resolved.out
    assert "10.1000/nothing[doi]" in resolved.err


def test_related_papers_and_the_state_of_the_corpus_are_tables(sanya: Run) -> None:
    assert "pmid:99000000" in sanya("papers", "related", "9900000001", "--limit", "2").out
    status = sanya("papers", "status", "--lang", "th")
    assert "ตัวอย่าง" in status.out
    assert "39" in status.out
