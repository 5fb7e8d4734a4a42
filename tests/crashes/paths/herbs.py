"""The herb graph: documents ingested and rolled back, jobs cancelled, and evaluations."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from hashlib import sha256

from sanya import App
from sanya.kernel.calls.call import OWNER, Answered, Call
from sanya.kernel.clock import read_clock
from sanya.suites.herbs.ingest.worker import KIND
from tests.crashes.ground import Fact, Ground, call_tool

_TABLES = ("herb_edges", "herb_names", "herb_nodes", "herb_sources", "herb_documents")
_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "zo", "bru", "cle")
_TEXT = "Mitragyna {epithet} Korth. is used to treat nausea. Mitragyna {epithet} Korth. contains curcumin.\n"


async def _count_rows(app: App) -> dict[str, list[int]]:
    """Count the rows of each batch in each table."""
    found: dict[str, list[int]] = {}
    for at, table in enumerate(_TABLES):
        sql = f"SELECT batch, count(*) FROM {table} WHERE batch <> 'starter' GROUP BY batch"
        for batch, count in await app.database.fetch(sql):
            found.setdefault(str(batch), [0] * len(_TABLES))[at] = int(str(count))
    return found


def _make_epithet(number: int) -> str:
    """Return a name unlike any other, or it would be taken for a misspelling."""
    return "".join(_SYLLABLES[byte % len(_SYLLABLES)] for byte in sha256(str(number).encode()).digest()[:5]) + "osa"


class Ingest:
    name = "herbs ingest"
    tools = frozenset({"tool.ingest.run", "tool.ingest.rollback", "tool.ingest.cancel"})

    async def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        if number % 3 == 0:
            waiting = await app.jobs.create(KIND, OWNER.id, {"batch": [], "dry_run": True}, read_clock())
            stopped = await call_tool(app, "tool.ingest.cancel", {"job_id": waiting.id})
            yield {"call": stopped.id, "job": waiting.id, "step": "cancelled"}
        file = ground.write_file(f"herb-{number}.txt", _TEXT.format(epithet=_make_epithet(number)).encode())
        run = await call_tool(app, "tool.ingest.run", {"batch": [{"uri": file.as_uri()}], "dry_run": False})
        assert run.body["status"] == "done", run.body
        job = run.body["job_id"]
        yield {"call": run.id, "job": job, "step": "written"}
        if number % 2:
            back = await call_tool(app, "tool.ingest.rollback", {"job_id": job})
            yield {"call": back.id, "job": job, "step": "rolled back"}

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        sizes = await _count_rows(app)
        # All documents have the same form, so a complete one always has the same rows.
        assert len({tuple(counts) for counts in sizes.values()}) <= 1, f"half a document: {sizes}"
        steps = {job: {fact["step"] for fact in facts if fact["job"] == job} for job in {fact["job"] for fact in facts}}
        endings = {str(id): ending for id, ending in await app.database.fetch("SELECT id, ending FROM jobs")}
        for job, done in steps.items():
            if "rolled back" in done:
                assert job not in sizes and endings[job] == "rolled_back"
            elif "cancelled" in done:
                assert endings[job] == "cancelled"
            else:
                # Not acknowledged, but it may have been rolled back, and then completely.
                assert (job in sizes) == (endings[job] is None), "an acknowledged document is lost"
        for fact in facts[-1:]:
            await call_tool(app, "tool.ingest.status", {"job_id": fact["job"]})


class Evaluation:
    name = "herbs eval"
    tools = frozenset({"tool.eval.run"})

    async def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        question = {"text": f"turmeric and warfarin {number}", "relevant": ["curcuma-longa"]}
        arguments = {"set": "custom", "metrics": ["R@5"], "params": {"questions": [question]}}
        run = await call_tool(app, "tool.eval.run", arguments, f"eval-{number}")
        yield {"call": run.id, "run": run.body["run_id"]}

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        kept = {str(id) for (id,) in await app.database.fetch("SELECT id FROM herb_evaluations")}
        assert {fact["run"] for fact in facts} <= kept, "an acknowledged evaluation is lost"
        for fact in facts[-1:]:
            report = await app.kernel.read(Call(f"eval://report/{fact['run']}", {}))
            assert isinstance(report, Answered) and report.body["text"].rstrip().endswith("</html>")
