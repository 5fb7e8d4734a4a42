"""`python -m benchmarks.agent_jobs URL MODEL`: lets a model do the jobs and prints its facts, calls and tokens.

The key, if the endpoint needs one, is read from the environment variable AGENT_JOBS_KEY.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile

import httpx

import sanya
from benchmarks.agent_jobs.jobs import load_jobs
from benchmarks.agent_jobs.model import Endpoint, ModelAgent
from benchmarks.agent_jobs.report import format_report
from benchmarks.agent_jobs.runner import connect


async def measure_model(endpoint: Endpoint) -> str:
    with tempfile.TemporaryDirectory(prefix="sanya-jobs-") as home:
        async with (
            sanya.open(home, log_level="error") as app,
            connect(app, portable=True) as client,
            httpx.AsyncClient() as http,
        ):
            agent = ModelAgent(client, endpoint, http)
            return format_report([await agent.do(job) for job in load_jobs()])


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    url, model = arguments
    print(asyncio.run(measure_model(Endpoint(url, model, os.environ.get("AGENT_JOBS_KEY", "")))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
