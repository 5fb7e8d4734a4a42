"""Jobs: work that outlives its call, held by one worker at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sanya.suite.lazy_names import load_by_name

# Names are loaded with their first use: `sanya call` reads a tool's dialect, and must not wait for pydantic shapes,
# segmenters or numpy. The table and the imports for type checkers say the same; a test compares them.
_ORIGINS = {
    "Job": "sanya.kernel.jobs",
    "JobEnding": "sanya.kernel.jobs",
    "JobResult": "sanya.kernel.jobs",
    "JobRunner": "sanya.kernel.job_runner",
    "JobState": "sanya.kernel.jobs",
    "Jobs": "sanya.kernel.jobs",
    "Part": "sanya.kernel.jobs",
    "RunningJob": "sanya.kernel.job_runner",
    "make_job_id": "sanya.kernel.jobs",
}
__all__ = [*_ORIGINS]

if TYPE_CHECKING:
    from sanya.kernel.job_runner import JobRunner as JobRunner
    from sanya.kernel.job_runner import RunningJob as RunningJob
    from sanya.kernel.jobs import Job as Job
    from sanya.kernel.jobs import JobEnding as JobEnding
    from sanya.kernel.jobs import JobResult as JobResult
    from sanya.kernel.jobs import Jobs as Jobs
    from sanya.kernel.jobs import JobState as JobState
    from sanya.kernel.jobs import Part as Part
    from sanya.kernel.jobs import make_job_id as make_job_id
else:
    __getattr__ = load_by_name(__name__, _ORIGINS)
