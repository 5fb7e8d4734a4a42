from __future__ import annotations

import gzip
import sqlite3
import threading
from asyncio import Event, new_event_loop, run_coroutine_threadsafe
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sanya.sources.pacing import RetryPolicy
from tests.sources.eutils import FIRST_PMID, HTML, EUtils, article, article_set, local_eutils

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run


@pytest.fixture
def eutils(monkeypatch: pytest.MonkeyPatch) -> Iterator[EUtils]:
    """E-utilities on their own thread, because a command runs its own event loop."""
    loop = new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    ready, done, opened = threading.Event(), Event(), []

    async def serve() -> None:
        async with local_eutils([article(number) for number in range(3)]) as utils:
            opened.append(utils)
            ready.set()
            await done.wait()

    served = run_coroutine_threadsafe(serve(), loop)
    assert ready.wait(10)
    monkeypatch.setenv("SANYA_ENTREZ_URL", opened[0].url)
    monkeypatch.setenv("SANYA_ENTREZ_REQUESTS_PER_SECOND", "1000")
    yield opened[0]
    loop.call_soon_threadsafe(done.set)
    served.result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_from_an_empty_home_to_a_paper_with_two_commands(sanya: Run, eutils: EUtils) -> None:
    ran = sanya("papers", "sync", "sample", "--words-only")
    assert ran.code == 0, ran.err
    header, row, newest = ran.out.splitlines()
    assert header.split() == ["inserted", "updated", "skipped", "pmids_processed"]
    assert row.split() == ["3", "0", "0", "3"]
    assert newest == "The newest paper entered PubMed on 2024-01-03."
    found = sanya("papers", "search", "sample 1", "--mode", "bm25")
    assert f"pmid:{FIRST_PMID + 1}" in found.out
    again = sanya("papers", "sync", "sample", "--limit", "5", "--words-only")
    assert again.out == "0 new papers of 3 found; nothing is left to bring\n"


def test_single_papers_are_fetched_by_what_people_paste(sanya: Run, eutils: EUtils) -> None:
    address = f"https://pubmed.ncbi.nlm.nih.gov/{FIRST_PMID + 1}/"
    ran = sanya("papers", "fetch", str(FIRST_PMID), address, "pmid:77")
    assert (ran.code, ran.out.splitlines()[1].split()) == (1, ["2", "0", "0"])
    assert ran.err.endswith("PubMed does not have, or has withdrawn: pmid:77\n")
    again = sanya("papers", "fetch", str(FIRST_PMID), "--json")
    assert again.json == {"inserted": 0, "updated": 0, "skipped": 1, "not_found": []}
    assert "is no PMID" in sanya("papers", "fetch", "GLP-1 obesity").err


def test_the_papers_of_the_herb_graph_are_brought_by_one_command(sanya: Run, eutils: EUtils) -> None:
    cited = "32312261"
    eutils.add(article(0).replace(f">{FIRST_PMID}<", f">{cited}<"))
    before = sanya("herbs", "papers")
    assert "are not stored here; `sanya herbs papers --sync`" in before.err
    ran = sanya("herbs", "papers", "--sync", "--json")
    assert ran.json["inserted"] == 1
    assert len(ran.json["not_found"]) == len(before.out.splitlines()) - 2
    listed = {paper["pmid"]: paper for paper in sanya("herbs", "papers", "--json").json}
    assert [pmid for pmid, paper in listed.items() if paper["stored"]] == [cited]
    shown = sanya("call", f"paper://pmid/{cited}").json
    assert shown["stored"] is True
    assert (shown["abstract"] != "", shown["missing"], shown["advice"]) == (True, [], None)
    assert shown["about"] == ["zingiber-officinale"]


def test_a_file_is_read_again_for_what_an_older_version_left_out(sanya: Run, tmp_path: Path) -> None:
    path = tmp_path / "papers.xml"
    path.write_bytes(article_set([article(1)]))
    sanya("papers", "import", str(path))
    with closing(sqlite3.connect(next((tmp_path / "home").glob("*.db")))) as database:
        # As if a version that read less had stored it.
        database.execute("UPDATE paper_versions SET content_hash = 'earlier' WHERE to_seq IS NULL")
        database.commit()
    assert sanya("papers", "import", str(path)).out == "papers.xml: imported earlier\n"
    assert (
        sanya("papers", "import", "--again", str(path)).out == "papers.xml: 0 new, 1 updated, 0 unchanged, 0 deleted\n"
    )
    assert (
        sanya("papers", "import", "--again", str(path)).out == "papers.xml: 0 new, 0 updated, 1 unchanged, 0 deleted\n"
    )


def test_mesh_headings_are_shown_and_imported(sanya: Run, tmp_path: Path) -> None:
    shown = sanya("papers", "mesh", "Double-Blind", "Method", "--limit", "1")
    assert (shown.code, "pmid:99000000" in shown.out) == (0, True)
    assert "sanya papers mesh import FILE" in shown.err
    unknown = sanya("papers", "mesh", "ปลาทู", "--lang", "th")
    assert (unknown.code, "ไม่มีหัวเรื่อง" in unknown.out) == (1, True)
    path = tmp_path / "desc2099.xml"
    path.write_text(
        "<DescriptorRecordSet><DescriptorRecord><DescriptorUI>D999001</DescriptorUI><DescriptorName><String>"
        "Sample Lamps</String></DescriptorName></DescriptorRecord></DescriptorRecordSet>"
    )
    assert sanya("papers", "mesh", "import", str(path)).out == (
        "desc2099: 1 headings, 0 places in the tree, 0 entry terms\n"
    )
    assert "D999001" in sanya("papers", "mesh", "sample lamps").out
    assert "file not found" in sanya("papers", "mesh", "import", "nowhere.xml").err


def test_a_server_that_is_not_there_is_told_in_a_sentence(sanya: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANYA_ENTREZ_URL", "http://127.0.0.1:9")
    monkeypatch.setattr(RetryPolicy, "compute_wait_s", lambda *_: 0.0)
    # Or the log would say as well that it is left alone for a while.
    monkeypatch.setenv("SANYA_ENGINE_FAILURES", "100")
    monkeypatch.setenv("SANYA_ENTREZ_REQUESTS_PER_SECOND", "1000")
    ran = sanya("papers", "sync", "sample")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("sanya: PubMed cannot be reached")


def test_files_are_imported_and_each_is_reported(sanya: Run, tmp_path: Path) -> None:
    first, second = tmp_path / "one.xml.gz", tmp_path / "two.xml"
    first.write_bytes(gzip.compress(article_set([article(1), article(2)])))
    second.write_bytes(article_set([article(3)], [str(FIRST_PMID + 1)]))
    ran = sanya("papers", "import", str(first), str(second))
    assert ran.code == 0, ran.err
    assert ran.out.splitlines() == [
        "one.xml.gz: 2 new, 0 updated, 0 unchanged, 0 deleted",
        "two.xml: 1 new, 0 updated, 0 unchanged, 1 deleted",
    ]
    again = sanya("papers", "import", str(first), "--json")
    assert again.json[0]["was_stored"] is True


@pytest.mark.parametrize(("content", "says"), [(HTML, "is an HTML page"), (None, "file not found")])
def test_a_file_that_cannot_be_read_is_told_in_a_sentence(
    content: bytes | None, says: str, sanya: Run, tmp_path: Path
) -> None:
    path = tmp_path / "bad.xml"
    if content is not None:
        path.write_bytes(content)
    ran = sanya("papers", "import", str(path))
    assert ran.code == 1
    assert says in ran.err


def test_queries_are_watched_listed_and_let_go(sanya: Run) -> None:
    assert sanya("papers", "watch").out == "There are no watched queries.\n"
    ran = sanya("papers", "watch", "tea AND Thailand", "--every", "1w")
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[1].startswith("tea AND Thailand  1w ")
    assert sanya("papers", "watch", "--json").json[0]["every_s"] == 604_800
    assert sanya("papers", "watch", "tea AND Thailand", "--remove").out == "There are no watched queries.\n"
    assert "is not watched" in sanya("papers", "watch", "tea", "--remove").err
    assert sanya("papers", "watch", "tea", "--every", "soon").code == 2
