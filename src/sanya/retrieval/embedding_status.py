"""The state of embedding: how many documents await their vectors, and for how long."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EmbeddingStatus:
    """The documents of a namespace that await their vectors, and how many are embedded in a second at present."""

    awaiting: int
    per_second: float

    @property
    def seconds_left(self) -> int | None:
        """The time until all have vectors at the present rate; None if nobody is embedding them."""
        if not self.awaiting:
            return 0
        return math.ceil(self.awaiting / self.per_second) if self.per_second > 0 else None


@dataclass(slots=True)
class EmbeddingCounts:
    """The texts that this process embedded, the time that took, and the texts whose vectors it had already."""

    embedded: int = 0
    seconds: float = 0.0
    reused: int = 0
