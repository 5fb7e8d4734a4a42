"""Latencies as counts in logarithmic buckets: small for any number of calls, and sums of several servers add up."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor, log2

# Eight buckets for each doubling keep the error below 4.5 %.
_BUCKETS_PER_DOUBLING = 8


def find_bucket(microseconds: float) -> int:
    return floor(log2(max(microseconds, 1.0)) * _BUCKETS_PER_DOUBLING)


def estimate_quantile_ms(share: float, buckets: Mapping[int, int]) -> float | None:
    """Return the time within which this share of the calls ended, or None for no calls."""
    rank = ceil(share * sum(buckets.values()))
    for bucket in sorted(buckets):
        rank -= buckets[bucket]
        if rank <= 0:
            return float(2 ** ((bucket + 0.5) / _BUCKETS_PER_DOUBLING) / 1000)
    return None
