"""The ingest's part of the herbs suite: its tools, the resource of a job's log, and the background worker."""

from __future__ import annotations

from functools import partial

from sanya.suite import Example, NotFound, Resource, Tool, Worker
from sanya.suites.herbs.dialect import DIALECT
from sanya.suites.herbs.graph.store import SUITE
from sanya.suites.herbs.ingest import contract
from sanya.suites.herbs.ingest.tools import IngestTools

# Without a server, the call itself does the work.
_MAX_TIMEOUT_MS = contract.MAX_WAIT_S * 1000
_TIMEOUT_MS = 120_000
_EXAMPLE_JOB = "job_019a8c00000000000000"


def define_ingest_tools(tools: IngestTools) -> tuple[Tool, ...]:
    tool = partial(Tool, suite=SUITE, dialect=DIALECT, operator=True)
    write = partial(tool, effect="write", output=contract.IngestAnswer, unhashed=("job_id", "status", "log_uri", "job"))
    return (
        write(
            name="tool.ingest.run",
            title="Ingest documents",
            description="Operators: reads documents into the herb graph as unreviewed and first shows the diff. "
            "Follow it with tool.ingest.status; without dry_run false it never writes.",
            input=contract.IngestRunInput,
            handler=tools.run,
            timeout_ms=_MAX_TIMEOUT_MS,
            faults=(NotFound,),
            idempotent=True,
            examples=(
                Example("What a document would change", {"batch": [{"uri": "file:///documents/turmeric.pdf"}]}),
                Example("Write it", {"dry_run": False, "batch": [{"uri": "file:///documents/turmeric.pdf"}]}),
            ),
        ),
        tool(
            name="tool.ingest.status",
            title="Follow an ingest",
            description="Operators: tells how far an ingest is, what became of its documents, and its diff page by "
            "page. To stop it use tool.ingest.cancel; it never changes a job.",
            input=contract.IngestStatusInput,
            output=contract.IngestStatus,
            handler=tools.get_status,
            timeout_ms=_TIMEOUT_MS,
            faults=(NotFound,),
            unhashed=("job", "jobs", "next_cursor"),
            examples=(Example("Your latest jobs", {"limit": 10}),),
        ),
        write(
            name="tool.ingest.cancel",
            title="Stop an ingest",
            description="Operators: stops a waiting or running ingest. Finished documents stay; to take them out "
            "again use tool.ingest.rollback.",
            input=contract.JobInput,
            handler=tools.cancel,
            timeout_ms=_TIMEOUT_MS,
            faults=(NotFound,),
            idempotent=True,
            examples=(Example("Stop a job", {"job_id": _EXAMPLE_JOB}),),
        ),
        write(
            name="tool.ingest.rollback",
            title="Take an ingest back",
            description="Operators: takes everything that an ingest wrote out of the graph again, whole. To stop a "
            "running one use tool.ingest.cancel; it never touches what other jobs wrote.",
            input=contract.JobInput,
            handler=tools.roll_back,
            timeout_ms=_TIMEOUT_MS,
            faults=(NotFound,),
            idempotent=True,
            destructive=True,
            examples=(Example("Take a job back", {"job_id": _EXAMPLE_JOB}),),
        ),
    )


def define_ingest_resources(tools: IngestTools) -> tuple[Resource, ...]:
    return (
        Resource(
            uri="job://{id}/log",
            suite=SUITE,
            name="job_log",
            title="Log of a job",
            description="What an ingest job did, line by line, for whoever started it.",
            read=tools.read_log,
            mime_type="text/plain",
            complete={"id": tools.complete_job_ids},
        ),
    )


def define_ingest_workers(tools: IngestTools) -> tuple[Worker, ...]:
    return (Worker("herbs: ingest jobs", tools.runner.serve_queue),)
