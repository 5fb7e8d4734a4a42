"""Half an hour of mixed load at 70 % of what the server can do: does it hold more memory at the end, or more files?

The peak is found first, by asking as fast as answers come, after so many calls that what is remembered for speed is at
its bounds: filling it is no growth. Memory is what the process holds for itself (anonymous pages): pages of mapped
files belong to the system, which takes them back when it wants them; what is resident with them is told beside it.
Everything that is sampled goes into docs/soak.json and docs/soak.svg. SANYA_SOAK_MINUTES makes it shorter.
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
from benchmarks.result import Result, judged
from benchmarks.servers import ROOT, free_port, ours_at, pin, wait_until_open
from benchmarks.soak_load import AS_FAST_AS_IT_GOES
from benchmarks.soak_plot import plot

GOAL = 1.02
SHARE_OF_PEAK = 0.7
KEPT, PLOT = DOCS / "soak.json", DOCS / "soak.svg"
_WARM_UP_CALLS, _PEAK_CALLS = 50_000, 15_000
_SETTLING = 0.2  # of the time: caches and request windows fill
_WINDOW = 0.2
_MIB = 1024 * 1024
_LAST_WORDS = 20_000  # of the server: warnings and our own mistakes
_TASKS = re.compile(rb"^sanya_tasks (\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sample:
    """The server and its load, over the seconds before `at_s`."""

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
    """`before` and `after` are medians of a window after the settling and of one at the end."""

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
    """A server as anybody starts it, in a process that can be looked at."""

    pid: int
    port: int
    grpc_port: int
    home: Path

    def calls(self, count: int) -> Iterator[Sample]:
        """So many, as fast as answers come."""
        return self._load(AS_FAST_AS_IT_GOES, count)

    def load(self, rate: float, seconds: float) -> Iterator[Sample]:
        """So many a second for so long."""
        return self._load(rate, seconds)

    def _load(self, *asked: object) -> Iterator[Sample]:
        """Runs the load in a process of its own, and looks at the server whenever that says something."""
        command = [sys.executable, "-m", "benchmarks.soak_load", *map(str, (self.port, self.grpc_port, *asked))]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, preexec_fn=pin(-1)) as process:
            assert process.stdout is not None
            for line in process.stdout:
                yield self._sample(orjson.loads(line))
        if process.returncode:
            raise RuntimeError("the load ended early; what it said is above")

    def _sample(self, told: dict[str, float]) -> Sample:
        status = Path(f"/proc/{self.pid}/status").read_text("ascii")
        kib = {name: int(value) for name, value in re.findall(r"^(RssAnon|VmRSS|Threads):\s+(\d+)", status, re.M)}
        with urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=60) as page:
            tasks = _TASKS.search(page.read())
        return Sample(
            **told,  # type: ignore[arg-type]
            own_mib=round(kib["RssAnon"] / 1024, 2),
            resident_mib=round(kib["VmRSS"] / 1024, 2),
            descriptors=len(list(Path(f"/proc/{self.pid}/fd").iterdir())),
            threads=kib["Threads"],
            tasks=int(tasks[1]) if tasks else 0,
            home_mib=round(_size(self.home) / _MIB, 2),
        )


@contextmanager
def served() -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="sanya-soak-") as folder, tempfile.TemporaryFile() as said:
        home, port, grpc_port = Path(folder) / "home", free_port(), free_port()
        command = [*ours_at(home)(port), "--grpc", "on", "--grpc-port", str(grpc_port)]
        with subprocess.Popen(command, cwd=ROOT, preexec_fn=pin(0), stdout=said, stderr=said) as process:
            try:
                wait_until_open(port, process, said)
                yield Server(process.pid, port, grpc_port, home)
            finally:
                process.terminate()
                process.wait(timeout=60)
                said.seek(0)
                sys.stderr.write(said.read().decode("utf-8", "replace")[-_LAST_WORDS:])


def run() -> Result:
    minutes = float(os.environ.get("SANYA_SOAK_MINUTES", "30"))
    with served() as server:
        per_second = SHARE_OF_PEAK * peak(server)
        samples = [_told(line) for line in server.load(per_second, 60 * minutes)]
    verdict = judge(samples, per_second)
    KEPT.write_bytes(
        orjson.dumps({"verdict": asdict(verdict), "samples": [asdict(sample) for sample in samples]}) + b"\n"
    )
    PLOT.write_text(plot(samples), encoding="utf-8")
    result = judged("soak", verdict.own_mib_after, verdict.own_mib_before, ("<=", GOAL))
    result["holds"] &= verdict.errors == 0 and verdict.descriptors_after <= verdict.descriptors_before
    return result


def peak(server: Server) -> float:
    """Requests a second, as fast as answers come, that were held throughout: those of the slowest few seconds. The last
    sample is what was left."""
    for _ in map(_told, server.calls(_WARM_UP_CALLS)):
        pass
    *samples, _ = map(_told, server.calls(_PEAK_CALLS))
    begun = [0.0, *(sample.at_s for sample in samples)]
    return min(sample.answered / (sample.at_s - since) for since, sample in zip(begun, samples, strict=False))


def judge(samples: Sequence[Sample], per_second: float) -> Verdict:
    """The load ends with a sample of what was left; that one is not looked at."""
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


def _told(sample: Sample) -> Sample:
    shown = ("own_mib", "descriptors", "threads", "tasks", "p50_ms", "p99_ms", "answered", "errors", "home_mib")
    values = " ".join(f"{name}={getattr(sample, name):g}" for name in shown)
    print(f"{sample.at_s:7.0f} s {values} {sample.first_error or ''}", file=sys.stderr, flush=True)
    return sample


def _size(folder: Path) -> int:
    sizes = []
    for path in folder.rglob("*"):
        try:
            sizes.append(path.stat().st_size)
        except FileNotFoundError:  # the index replaces its files
            continue
    return sum(sizes)
