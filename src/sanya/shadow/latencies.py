"""How long calls took, kept as counts in buckets: small however many calls there were, and sums of several servers."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor, log2

# Eight buckets for each doubling: what is read back is at most 4.5 % off.
_BUCKETS_PER_DOUBLING = 8


def bucket_of(microseconds: float) -> int:
    return floor(log2(max(microseconds, 1.0)) * _BUCKETS_PER_DOUBLING)


def milliseconds_at(share: float, buckets: Mapping[int, int]) -> float | None:
    """The time within which this share of the calls ended; None where there were none."""
    rank = ceil(share * sum(buckets.values()))
    for bucket in sorted(buckets):
        rank -= buckets[bucket]
        if rank <= 0:
            return float(2 ** ((bucket + 0.5) / _BUCKETS_PER_DOUBLING) / 1000)
    return None
