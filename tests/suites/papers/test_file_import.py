"""Imports of PubMed files of any size and in any condition, also repeated."""

from __future__ import annotations

import asyncio
import gzip
import sys
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.kernel.calls.call import Progress
from sanya.kernel.faults import InvalidArgument
from sanya.kernel.storage.database import Database
from sanya.suites.papers import file_import
from sanya.suites.papers.file_import import import_file
from sanya.suites.papers.pubmed.files import BadFile, Deletion, cut_items, open_file, read_items
from sanya.suites.papers.pubmed.record import PaperRecord
from tests.sources.eutils import FIRST_PMID, HTML, article, article_set
from tests.suites.papers.ingest_harness import NOW, ROOT, Crash, CrashAt, IngestHarness, dump, open_ingest_harness

PAPERS = 8
BATCH = 3
IMPORTER = """
import asyncio, sys
from pathlib import Path
from sanya.engines.database import open_database
from sanya.suites.papers import file_import
from tests.suites.papers.ingest_harness import NOW, open_ingest_harness

async def main(home, file):
    file_import.BATCH_ITEMS = 3
    async with open_database("", home) as database:
        async with open_ingest_harness(database, home, step=lambda name: print(name.split()[0], flush=True)) as harness:
            await file_import.import_file(harness.store, Path(file), NOW)
            print("done", flush=True)

asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
"""


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_import, "BATCH_ITEMS", BATCH)


@pytest.fixture
async def harness(database: Database, home: Path) -> AsyncIterator[IngestHarness]:
    async with open_ingest_harness(database, home) as opened:
        yield opened


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path / "papers.xml.gz", article_set([article(number) for number in range(PAPERS)]))


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def pmid(number: int) -> str:
    return str(FIRST_PMID + number)


async def test_a_file_is_imported_whole_and_the_second_time_passed_over(harness: IngestHarness, file: Path) -> None:
    reported: list[Progress] = []
    report = await import_file(harness.store, file, NOW, reported.append)
    assert (report.stored.inserted, report.resumed_at, report.was_stored) == (PAPERS, 0, False)
    assert reported[-1] == Progress(file.stat().st_size, file.stat().st_size, "8 records")
    assert await harness.library.count("papers") == 2 * PAPERS
    before = await harness.dump()
    for _ in range(3):
        assert (await import_file(harness.store, file, NOW)).was_stored
    assert await harness.dump() == before


async def test_the_same_records_in_another_file_change_nothing(
    harness: IngestHarness, file: Path, tmp_path: Path
) -> None:
    await import_file(harness.store, file, NOW)
    before = await harness.dump()
    plain = written(tmp_path / "papers.xml", article_set([article(number) for number in reversed(range(PAPERS))]))
    report = await import_file(harness.store, plain, NOW)
    assert (report.stored.skipped, report.stored.inserted, report.stored.updated) == (PAPERS, 0, 0)
    after = await harness.dump()
    assert {name: rows for name, rows in after.items() if name != "paper_imports"} == {
        name: rows for name, rows in before.items() if name != "paper_imports"
    }


async def test_updates_and_deletions_are_honoured_and_the_past_keeps_what_was(
    harness: IngestHarness, file: Path, tmp_path: Path
) -> None:
    await import_file(harness.store, file, NOW)
    seq = int(str((await harness.database.fetch("SELECT max(from_seq) FROM paper_versions"))[0][0]))
    update = article_set([article(1, "revised", revised=date(2025, 1, 1)), article(90)], [pmid(2), pmid(2), "77"])
    report = await import_file(harness.store, written(tmp_path / "update.xml", update), NOW)
    assert (report.stored.inserted, report.stored.updated, report.deleted) == (1, 1, 1)
    assert await harness.store.get_pubmed_doc(pmid(2)) is None
    then = await harness.store.get_pubmed_doc(pmid(2), seq)
    assert then is not None and then.version == 1
    revised = await harness.store.get_pubmed_doc(pmid(1))
    assert revised is not None and (revised.version, revised.record.lr) == (2, "2025-01-01T00:00:00Z")
    assert await harness.library.count("papers") == 2 * PAPERS


async def test_an_older_revision_never_replaces_a_newer(harness: IngestHarness, tmp_path: Path) -> None:
    newer = written(tmp_path / "newer.xml", article_set([article(1, "newer", revised=date(2025, 1, 1))]))
    older = written(tmp_path / "older.xml", article_set([article(1, "older")]))
    await import_file(harness.store, newer, NOW)
    assert (await import_file(harness.store, older, NOW)).stored.skipped == 1
    doc = await harness.store.get_pubmed_doc(pmid(1))
    assert doc is not None and doc.record.title == "Sample 1: newer."


async def test_broken_off_at_any_step_and_run_again_it_is_as_if_never_broken_off(
    file: Path, home: Path, tmp_path: Path
) -> None:
    async with open_database("", home) as database, open_ingest_harness(database, home) as harness:
        await import_file(harness.store, file, NOW)
        expected = await harness.dump()
    for at in range(1, 60, 4):
        fresh = tmp_path / f"home{at}"
        async with open_database("", fresh) as database:
            try:
                async with open_ingest_harness(database, fresh, step=CrashAt(at)) as harness:
                    await import_file(harness.store, file, NOW)
            except Crash:
                pass
            async with open_ingest_harness(database, fresh) as harness:
                await import_file(harness.store, file, NOW)
            assert await dump(database) == expected, f"broken off at step {at}"


async def test_no_step_of_a_batch_reads_all_that_is_stored(file: Path, home: Path) -> None:
    """Otherwise the cost of a batch would grow with the number of papers."""
    taken: list[str] = []
    async with open_database("", home) as database:
        async with open_ingest_harness(database, home, step=taken.append) as harness:
            await import_file(harness.store, file, NOW)
        asked = {sql for sql in taken if sql.lstrip().startswith(("SELECT", "UPDATE", "DELETE"))}
        plans = {sql: await database.fetch(f"EXPLAIN QUERY PLAN {sql}", [0] * sql.count("?")) for sql in asked}
    assert len(plans) > 5
    assert [sql for sql, plan in plans.items() if any(str(step[3]).startswith("SCAN") for step in plan)] == []


async def test_killed_in_the_middle_it_goes_on_where_it_was(file: Path, home: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", IMPORTER, str(home), str(file), stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    assert process.stdout is not None
    async with asyncio.timeout(60):
        while b"after" not in (line := await process.stdout.readline()):
            assert line != b"done\n"
        process.kill()
        await process.communicate()
    async with open_database("", home) as database, open_ingest_harness(database, home) as harness:
        report = await import_file(harness.store, file, NOW)
        assert report.resumed_at >= BATCH
        assert report.stored.processed == PAPERS - report.resumed_at
        assert await harness.store.count() == PAPERS
        assert await harness.library.count("papers") == 2 * PAPERS


WHOLE = article_set([article(number) for number in range(5)])


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (HTML, "is an HTML page"),
        (b"", "is empty"),
        (b"PK\x03\x04", "is no PubMed XML"),
        (b"<?xml version='1.0'?><eSearchResult></eSearchResult>", "begins with <eSearchResult>"),
        (WHOLE[:-40], "breaks off after 4 records"),
        (WHOLE[: len(WHOLE) // 2], "breaks off after 2 records"),
        (WHOLE.replace(b"PubmedArticleSet PUBLIC", b"PubmedArticleSet [<!ENTITY a 'b'>] PUBLIC"), "declares entities"),
        (b"<?xml version='1.0' encoding='latin-1'?><PubmedArticleSet></PubmedArticleSet>", "is encoded in latin-1"),
        (WHOLE.replace(b"Sample 3", b"Sample \xff"), "record 4 is not in UTF-8"),
        (WHOLE.replace(b"Sample 3", b"Sample &bomb;"), "record 4 cannot be read: its XML is not well-formed"),
        (
            WHOLE.replace(b"</PubmedArticle>\n<", b"</PubmedArticle><!-- x --><", 1),
            "has no record after record 1",
        ),
        (WHOLE.replace(b"9800000003</PMID>", b"?</PMID>"), "not a number"),
    ],
)
async def test_a_bad_file_is_named_with_its_fault_and_leaves_only_whole_batches(
    content: bytes, says: str, home: Path, tmp_path: Path
) -> None:
    path = written(tmp_path / "bad.xml", content)
    async with open_database("", home) as database, open_ingest_harness(database, home) as harness:
        with pytest.raises(InvalidArgument) as caught:
            await import_file(harness.store, path, NOW)
        assert caught.value.message.startswith("bad.xml ")
        assert says in caught.value.message
        assert await harness.store.count() in (0, BATCH)


@pytest.mark.parametrize("cut", [50, 400])
def test_a_damaged_compression_is_told(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "cut.xml.gz"
    packed = bytearray(gzip.compress(WHOLE))
    path.write_bytes(packed[:-cut])
    with pytest.raises(BadFile, match="breaks off inside its compression"):
        _read_all(path)
    packed[-6] ^= 0xFF
    path.write_bytes(packed)
    with pytest.raises(BadFile, match="is damaged"):
        _read_all(path)


def _read_all(path: Path) -> list[PaperRecord | Deletion]:
    with open_file(path) as (_, blocks):
        return list(read_items(blocks))


@pytest.mark.parametrize("size", [1, 7, 1000, 100_000])
def test_however_a_file_is_cut_into_blocks_its_records_are_the_same(size: int) -> None:
    whole = b"\xef\xbb\xbf" + article_set([article(number) for number in range(3)], [pmid(1)]) + b"\n\n"
    blocks = [whole[start : start + size] for start in range(0, len(whole), size)]
    assert list(read_items(blocks)) == list(read_items([whole]))
    assert len(list(cut_items(blocks))) == 4
    assert list(read_items(blocks, skip=3)) == [Deletion((pmid(1),))]


def test_a_set_without_records_is_no_fault() -> None:
    assert list(read_items([b"<?xml version='1.0'?>\n<PubmedArticleSet></PubmedArticleSet>"])) == []
    assert list(read_items([b"<?xml version='1.0'?>\n<PubmedArticleSet/>"])) == []
