"""A short run of the mixed load of `python -m benchmarks soak` on a real server: no errors, no leaked files or memory.

The benchmark itself runs for half an hour.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from benchmarks.soak import Sample, Verdict, judge, served
from benchmarks.soak_plot import plot
from tests.long_form import often

WARM_UP_CALLS, CALLS = often(400, 3000), often(500, 20_000)
# Caches are still filling during so short a run. A call that leaked its answer would exceed this.
_MOST_KIB_A_CALL = 32
_SETTLING_MIB = 64
_SPARE_DESCRIPTORS = 4

SAMPLE = Sample(0.0, 100, 0, None, 5.0, 50.0, 500.0, 700.0, 60, 40, 30, 9.0)


def samples(*own_mib: float) -> list[Sample]:
    return [replace(SAMPLE, at_s=5.0 * at, own_mib=mib) for at, mib in enumerate(own_mib)]


def test_growth_is_measured_after_warm_up_and_ignores_peaks() -> None:
    filling, flat = [100.0, 300.0, 450.0, 490.0], [500.0] * 16
    flat[7] = 900.0
    assert judge(samples(*filling, *flat), 50.0).growth == 1.0
    rising = [500.0 + 2 * at for at in range(16)]
    verdict = judge(samples(*filling, *rising), 50.0)
    assert verdict.growth > 1.02
    assert (verdict.resident_mib_before, verdict.resident_mib_after) == (700.0, 700.0)


def test_errors_and_descriptors_are_counted() -> None:
    found = samples(*[500.0] * 20)
    found[12] = replace(found[12], errors=2, first_error="Failed: it broke")
    found[15:] = [replace(sample, descriptors=61) for sample in found[15:]]
    verdict = judge(found, 50.0)
    assert (verdict.errors, verdict.first_error, verdict.answered) == (2, "Failed: it broke", 2000)
    assert (verdict.descriptors_before, verdict.descriptors_after) == (60, 61)


def test_the_plot_has_every_line() -> None:
    drawn = plot(samples(*[500.0] * 20))
    assert drawn.count("<polyline") == 4 and "p99" in drawn


@pytest.mark.skipif(sys.platform != "linux", reason="looks at the server through /proc")
def test_a_server_under_mixed_load_leaks_no_files_and_no_memory() -> None:
    with served() as server:
        warm = list(server.calls(WARM_UP_CALLS))
        found = list(server.calls(CALLS))
    verdict: Verdict = judge(found, 0)
    assert [sample.first_error for sample in [*warm, *found] if sample.first_error] == []
    assert verdict.answered == CALLS
    last, first = found[-1], warm[-1]
    assert last.descriptors <= max(sample.descriptors for sample in [*warm, found[0]]) + _SPARE_DESCRIPTORS
    most = _SETTLING_MIB + verdict.answered * _MOST_KIB_A_CALL / 1024
    assert last.own_mib - first.own_mib < most, f"{last.own_mib - first.own_mib} MiB for {verdict.answered} calls"
