"""Write paths of herbs: documents ingested by jobs, and evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sanya.assembly.home_resources import HomeResources
from sanya.engines.job_queue import EmbeddedQueue
from sanya.kernel.clock import read_clock
from sanya.kernel.contracts.suite import Suite
from sanya.kernel.jobs.runner import JobRunner, JobTimings
from sanya.sources.documents.reader import open_reader
from sanya.suites.herbs.dialect import DIALECT
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.ingest.suite import define_ingest_resources, define_ingest_tools
from sanya.suites.herbs.ingest.tools import IngestTools
from sanya.suites.herbs.ingest.worker import KIND, IngestWorker
from tests.faults.house import CallFailed, House, get_inbox, replace_port
from tests.faults.trials import Path
from tests.faults.twin import Steps
from tests.long_form import often
from tests.suites.herbs.ingest.jobs.ingest_harness import TEXT, insert_small_graph

GRAPH = ("herb_nodes", "herb_edges", "herb_names", "herb_sources", "herb_documents")
# No heartbeat falls into a run, so that the tables between two steps show one state.
PACE = JobTimings(lease_s=60, beat_s=30, look_s=0.01)
RUN = "tool.ingest.run"
OTHER = "Ginger is used to treat flatulence.\n"


def ingest_suite(opened: HomeResources, twins: Mapping[str, Steps]) -> Suite:
    store = HerbStore(opened.database)
    reader = open_reader([opened.settings.home / "inbox"])
    work = IngestWorker(store, replace_port(twins, "reader", reader))
    runner = JobRunner(opened.jobs, lambda: EmbeddedQueue(opened.jobs, read_clock), {KIND: work.run}, PACE)
    tools = IngestTools(store, runner, opened.cursors)
    return Suite(
        name="herbs",
        title="Herbs",
        dialect=DIALECT,
        tools=define_ingest_tools(tools),
        resources=define_ingest_resources(tools),
    )


def _write_batch(house: House) -> list[dict[str, str]]:
    batch = []
    for name, text in (("one.txt", TEXT), ("two.txt", OTHER)):
        path = get_inbox(house.place) / name
        path.write_text(text, "utf-8")
        batch.append({"uri": path.as_uri()})
    return batch


async def _fill_graph(house: House) -> None:
    await insert_small_graph(house.database)


async def _ingest(house: House) -> None:
    # Every attempt is a job with its own id: content of an earlier one is recognised by its bytes.
    answer = await house.call(RUN, request_id=None, batch=_write_batch(house), dry_run=False)
    _check_done(answer)


def _check_done(answer: Mapping[str, Any]) -> None:
    if answer["status"] != "done":
        raise CallFailed(answer)


async def _fill_dry_run(house: House) -> None:
    await _fill_graph(house)
    await house.call(RUN, request_id="fill", batch=_write_batch(house)[:1], dry_run=True)


async def _apply(house: House) -> None:
    ((job,),) = await house.engine.fetch("SELECT id FROM jobs WHERE input LIKE '%\"dry_run\":true%'")
    _check_done(await house.call(RUN, request_id=None, apply_job=str(job), dry_run=False))


async def _fill_ingested(house: House) -> None:
    await _fill_graph(house)
    await house.call(RUN, request_id="fill", batch=_write_batch(house)[:1], dry_run=False)


async def _roll_back(house: House) -> Any:
    ((job,),) = await house.engine.fetch("SELECT id FROM jobs ORDER BY id LIMIT 1")
    return await house.call("tool.ingest.rollback", job_id=str(job))


async def _fill_queued(house: House) -> None:
    await _fill_graph(house)
    job = await house.opened.jobs.create(KIND, "owner", {"batch": _write_batch(house), "dry_run": False}, read_clock())
    assert job.state == "queued"


async def _cancel(house: House) -> None:
    ((job,),) = await house.engine.fetch("SELECT id FROM jobs")
    try:
        await house.call("tool.ingest.cancel", job_id=str(job))
    except CallFailed as told:
        if told.fault is not None or told.error["job"]["ending"] != "cancelled":
            raise


async def _evaluate(house: House) -> Any:
    question = {"text": "turmeric and warfarin", "relevant": ["curcuma-longa"]}
    return await house.call("tool.eval.run", set="custom", params={"questions": [question]})


async def _fill_searched(house: House) -> None:
    await house.call("tool.hybrid_search", request_id=None, query="turmeric")


# It indexes the whole starter graph every time.
_EVALUATION = Path(
    "herbs: eval.run", ("herbs",), _evaluate, ("herb_evaluations",), ("database", "ledger"), _fill_searched
)

PATHS = (
    *((_EVALUATION,) if often(0, 1) else ()),
    Path(
        "herbs: ingest",
        ("ingest",),
        _ingest,
        GRAPH,
        ("database", "jobs", "reader"),
        _fill_graph,
        states=3,
        apart=("reader",),
    ),
    Path("herbs: apply a dry run", ("ingest",), _apply, GRAPH, ("database", "jobs"), _fill_dry_run),
    Path("herbs: roll back", ("ingest",), _roll_back, (*GRAPH, "jobs"), ("database", "ledger"), _fill_ingested),
    Path("herbs: cancel", ("ingest",), _cancel, (*GRAPH, "jobs"), ("database",), _fill_queued),
)
