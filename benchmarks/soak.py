"""Growth of memory and open files during half an hour of mixed load at 70 % of the peak rate.

The peak rate is measured first, at full speed, after enough calls to fill the caches, because filling them is not a
leak. Memory means anonymous pages of the process, because the system can reclaim pages of mapped files; the resident
size is reported as well. All samples are written to docs/soak.json and docs/soak.svg. SANYA_SOAK_MINUTES sets the
duration.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from urllib.request import urlopen

import orjson

from benchmarks.page import DOCS
from benchmarks.result import Result, judge_ratio
from benchmarks.servers import ROOT, build_server_command, find_free_port, pin, wait_until_open
from benchmarks.soak_load import FULL_SPEED
from benchmarks.soak_plot import plot

GOAL = 1.02
SHARE_OF_PEAK = 0.7
KEPT, PLOT = DOCS / "soak.json", DOCS / "soak.svg"
_WARM_UP_CALLS, _PEAK_CALLS = 50_000, 15_000
_SETTLING = 0.2  # share of the run in which caches and request windows fill
_WINDOW = 0.2
_MIB = 1024 * 1024
_LOG_CHARACTERS = 20_000  # characters of the server's log to print: warnings and errors
_TASKS = re.compile(rb"^sanya_tasks (\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sample:
    """Measurements of the server and its load over the seconds before `at_s`."""

    at_s: float
    answered: int
    errors: int
    first_error: str | None
    p50_ms: float
    p99_ms: float
    own_mib: float
    resident_mib: float
    descriptors: int
    threads: int
    tasks: int
    home_mib: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """Comparison of two windows: `before` follows the settling time, `after` ends the run."""

    per_second: float
    answered: int
    errors: int
    first_error: str | None
    own_mib_before: float
    own_mib_after: float
    resident_mib_before: float
    resident_mib_after: float
    descriptors_before: int
    descriptors_after: int

    @property
    def growth(self) -> float:
        return self.own_mib_after / self.own_mib_before


@dataclass(frozen=True, slots=True)
class Server:
    """Running server with default settings, and the id of its process."""

    pid: int
    port: int
    grpc_port: int
    home: Path

    def calls(self, count: int) -> Iterator[Sample]:
        """Make this many calls at full speed."""
        return self._load(FULL_SPEED, count)

    def load(self, rate: float, seconds: float) -> Iterator[Sample]:
        """Make `rate` calls per second for some seconds."""
        return self._load(rate, seconds)

    def _load(self, *asked: object) -> Iterator[Sample]:
        """Run the load in its own process, and sample the server for each line that it prints."""
        command = [sys.executable, "-m", "benchmarks.soak_load", *map(str, (self.port, self.grpc_port, *asked))]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, preexec_fn=pin(-1)) as process:
            assert process.stdout is not None
            for line in process.stdout:
                yield self._sample(orjson.loads(line))
        if process.returncode:
            raise RuntimeError("The load process failed. Its output is above")

    def _sample(self, load: dict[str, float]) -> Sample:
        status = Path(f"/proc/{self.pid}/status").read_text("ascii")
        kib = {name: int(value) for name, value in re.findall(r"^(RssAnon|VmRSS|Threads):\s+(\d+)", status, re.M)}
        with urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=60) as page:
            tasks = _TASKS.search(page.read())
        return Sample(
            **load,  # type: ignore[arg-type]
            own_mib=round(kib["RssAnon"] / 1024, 2),
            resident_mib=round(kib["VmRSS"] / 1024, 2),
            descriptors=len(list(Path(f"/proc/{self.pid}/fd").iterdir())),
            threads=kib["Threads"],
            tasks=int(tasks[1]) if tasks else 0,
            home_mib=round(_measure_size(self.home) / _MIB, 2),
        )


@contextmanager
def served() -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="sanya-soak-") as folder, tempfile.TemporaryFile() as said:
        home, port, grpc_port = Path(folder) / "home", find_free_port(), find_free_port()
        command = [*build_server_command(home)(port), "--grpc", "on", "--grpc-port", str(grpc_port)]
        with subprocess.Popen(command, cwd=ROOT, preexec_fn=pin(0), stdout=said, stderr=said) as process:
            try:
                wait_until_open(port, process, said)
                yield Server(process.pid, port, grpc_port, home)
            finally:
                process.terminate()
                process.wait(timeout=60)
                said.seek(0)
                sys.stderr.write(said.read().decode("utf-8", "replace")[-_LOG_CHARACTERS:])


def run() -> Result:
    minutes = float(os.environ.get("SANYA_SOAK_MINUTES", "30"))
    with served() as server:
        per_second = SHARE_OF_PEAK * measure_peak(server)
        samples = [_report(line) for line in server.load(per_second, 60 * minutes)]
    verdict = judge(samples, per_second)
    KEPT.write_bytes(
        orjson.dumps({"verdict": asdict(verdict), "samples": [asdict(sample) for sample in samples]}) + b"\n"
    )
    PLOT.write_text(plot(samples), encoding="utf-8")
    result = judge_ratio("soak", verdict.own_mib_after, verdict.own_mib_before, ("<=", GOAL))
    result["holds"] &= verdict.errors == 0 and verdict.descriptors_after <= verdict.descriptors_before
    return result


def measure_peak(server: Server) -> float:
    """Return the requests per second at full speed in the slowest sample. The last sample is incomplete and ignored."""
    for _ in map(_report, server.calls(_WARM_UP_CALLS)):
        pass
    *samples, _ = map(_report, server.calls(_PEAK_CALLS))
    begun = [0.0, *(sample.at_s for sample in samples)]
    return min(sample.answered / (sample.at_s - since) for since, sample in zip(begun, samples, strict=False))


def judge(samples: Sequence[Sample], per_second: float) -> Verdict:
    """Compare the start and the end of the run. The last sample is incomplete and ignored."""
    window = max(1, int(len(samples) * _WINDOW))
    first = int(len(samples) * _SETTLING)
    before, after = samples[first : first + window], samples[-window - 1 : -1] or samples[-1:]
    return Verdict(
        per_second=round(per_second, 1),
        answered=sum(sample.answered for sample in samples),
        errors=sum(sample.errors for sample in samples),
        first_error=next((sample.first_error for sample in samples if sample.first_error), None),
        own_mib_before=round(median(sample.own_mib for sample in before), 2),
        own_mib_after=round(median(sample.own_mib for sample in after), 2),
        resident_mib_before=round(median(sample.resident_mib for sample in before), 2),
        resident_mib_after=round(median(sample.resident_mib for sample in after), 2),
        descriptors_before=max(sample.descriptors for sample in before),
        descriptors_after=int(median(sample.descriptors for sample in after)),
    )


def _report(sample: Sample) -> Sample:
    shown = ("own_mib", "descriptors", "threads", "tasks", "p50_ms", "p99_ms", "answered", "errors", "home_mib")
    values = " ".join(f"{name}={getattr(sample, name):g}" for name in shown)
    print(f"{sample.at_s:7.0f} s {values} {sample.first_error or ''}", file=sys.stderr, flush=True)
    return sample


def _measure_size(folder: Path) -> int:
    sizes = []
    for path in folder.rglob("*"):
        try:
            sizes.append(path.stat().st_size)
        except FileNotFoundError:  # the index replaces its files while we list them
            continue
    return sum(sizes)
