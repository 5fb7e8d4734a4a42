"""Jobs: work that outlives its call, held by one worker at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sanya.suite.lazy_names import load_by_name

# Names are loaded with their first use: `sanya call` reads a tool's dialect, and must not wait for pydantic shapes,
# segmenters or numpy. The table and the imports for type checkers say the same; a test compares them.
_ORIGINS = {
    "Job": "sanya.kernel.jobs.job",
    "JobEnding": "sanya.kernel.jobs.job",
    "JobResult": "sanya.kernel.jobs.job",
    "JobRunner": "sanya.kernel.jobs.runner",
    "JobState": "sanya.kernel.jobs.job",
    "Jobs": "sanya.kernel.jobs.job",
    "Part": "sanya.kernel.jobs.job",
    "RunningJob": "sanya.kernel.jobs.runner",
    "make_job_id": "sanya.kernel.jobs.job",
}
__all__ = [*_ORIGINS]

if TYPE_CHECKING:
    from sanya.kernel.jobs.job import Job as Job
    from sanya.kernel.jobs.job import JobEnding as JobEnding
    from sanya.kernel.jobs.job import JobResult as JobResult
    from sanya.kernel.jobs.job import Jobs as Jobs
    from sanya.kernel.jobs.job import JobState as JobState
    from sanya.kernel.jobs.job import Part as Part
    from sanya.kernel.jobs.job import make_job_id as make_job_id
    from sanya.kernel.jobs.runner import JobRunner as JobRunner
    from sanya.kernel.jobs.runner import RunningJob as RunningJob
else:
    __getattr__ = load_by_name(__name__, _ORIGINS)
