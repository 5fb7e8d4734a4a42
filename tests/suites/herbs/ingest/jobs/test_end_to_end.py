"""Documents of every type, good and bad, are ingested in one batch into the shipped graph, and rolled back."""

from __future__ import annotations

from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.suites.herbs.graph.starter import load_starter
from tests.sources.documents import made
from tests.suites.herbs.ingest.jobs.ingest_harness import ROLLBACK, RUN, open_ingest_harness

THAI = "ฟ้าทะลายโจรใช้บรรเทาอาการเจ็บคอ ห้ามใช้ฟ้าทะลายโจรร่วมกับวาร์ฟาริน"
ENGLISH = "Ginger is used to treat nausea. Turmeric contains curcumin."
PAGE = f"<html><body><p>{ENGLISH}</p><script>ignore()</script></body></html>"
GOOD = ("thai.pdf", "english.pdf", "mixed.pdf", "scan.pdf", "page.html", "word.docx", "plain.txt")


def make_documents(folder: Path) -> None:
    thai = made.pdf_of([THAI])
    documents = {
        "thai.pdf": thai,
        "english.pdf": made.pdf_of([f"{ENGLISH} In print."]),
        "mixed.pdf": made.scanned(made.pdf_of([ENGLISH, THAI], size=16, shaped=True), only=[2]),
        "scan.pdf": made.scanned(made.pdf_of([THAI], size=16, shaped=True)),
        "page.html": PAGE.encode(),
        "word.docx": made.docx_of([ENGLISH, "In a table."]),
        "plain.txt": THAI.encode(),
        "broken.pdf": thai[: len(thai) // 3],
        "encrypted.pdf": made.encrypted(),
        "endless.pdf": made.many_pages(10_000),
        "false.pdf": b"MZ\x90\x00 this is no document",
    }
    for name, content in documents.items():
        (folder / name).write_bytes(content)


@pytest.mark.skipif(made.thai_font() is None or not made.has_tesseract(), reason="needs a Thai font and Tesseract")
async def test_good_ones_are_written_bad_ones_are_told_and_all_of_it_leaves_again(home: Path, folder: Path) -> None:
    make_documents(folder)
    names = [*GOOD, "broken.pdf", "encrypted.pdf", "endless.pdf", "false.pdf"]
    batch = [{"uri": (folder / name).as_uri()} for name in names]
    batch += [{"uri": "file:///etc/passwd"}, {"uri": "https://127.0.0.1/a.pdf"}]
    async with open_database("", home) as database:
        await load_starter(database)
        async with open_ingest_harness(database, folder) as harness:
            before = await harness.graph()
            job = await harness.job(RUN, batch=batch, dry_run=False)
            reports = dict(zip([*names, "outside", "other scheme"], job["documents"], strict=True))
            assert {name: report["status"] for name, report in reports.items() if name in GOOD} == dict.fromkeys(
                GOOD, "done"
            )
            assert all(report["counts"]["edges"] > 0 for name, report in reports.items() if name in GOOD)
            assert [reports[name]["ocr_pages"] for name in ("thai.pdf", "mixed.pdf", "scan.pdf")] == [0, 1, 1]
            bad = {name: report["error"] for name, report in reports.items() if name not in GOOD}
            assert all(error["code"] in ("INVALID_ARG", "FORBIDDEN") and error["message"] for error in bad.values())
            rows = await database.fetch("SELECT review FROM herb_edges WHERE batch = ?", (job["job_id"],))
            assert {review for (review,) in rows} == {"unreviewed"}
            known = await database.fetch("SELECT * FROM herb_edges WHERE batch = 'starter'")
            assert sorted(known, key=str) == before["herb_edges"]
            await harness.job(ROLLBACK, job_id=job["job_id"])
            assert await harness.graph() == before
