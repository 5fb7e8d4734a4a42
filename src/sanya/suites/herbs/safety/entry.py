"""An entry of the request (a herb, a formulation, a drug or a condition as somebody typed it) and what it was read as.

Only `known` and `ambiguous` entries were understood whole. An `unsure` entry was understood in part ("heat stroke"
holds "stroke") or by its likeness to a name ("warfrin"). Its nodes are checked as well, because a warning must not be
lost to a slip of the keyboard, but a pair without a warning stays `not_checked`: what was guessed is no reason for
silence.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as declare_field
from typing import Literal

from sanya.suites.herbs.graph.model import HerbNode

EntryStatus = Literal["known", "ambiguous", "unsure", "unknown"]


@dataclass(frozen=True, slots=True)
class Entry:
    """`nodes` are all that the entry may mean; an unknown entry has none. `elsewhere` are nodes of another kind that an
    unknown entry names exactly: a herb among the drugs. `longer` are herbs whose names begin with it. `is_substance`:
    the entry names a constituent, and `nodes` are the plants that contain it. `is_exact`: the narrower forms of the
    nodes do not hold, for a child of 11 is under 12 and not under 6. `allergens` are the plants and medicines that the
    entry names an allergy to."""

    given: str
    field: str
    status: EntryStatus
    nodes: tuple[HerbNode, ...] = ()
    elsewhere: tuple[HerbNode, ...] = ()
    longer: tuple[HerbNode, ...] = ()
    is_substance: bool = False
    is_exact: bool = False
    allergens: tuple[HerbNode, ...] = ()
    key: tuple[str, ...] = declare_field(init=False, repr=False, compare=False)
    """All that tells an entry from another on one graph. Entries are kept, and every request with one asks for it."""

    target_key: tuple[str, ...] = declare_field(init=False, repr=False, compare=False)
    """All that decides what a warning about the entry may name."""

    def __post_init__(self) -> None:
        allergens = (f"allergy to {node.id}" for node in self.allergens)
        target_key = ("exact" if self.is_exact else "", *allergens, *(node.id for node in self.nodes))
        object.__setattr__(self, "target_key", target_key)
        object.__setattr__(self, "key", (self.given, self.field, self.status, *target_key))

    @property
    def is_understood(self) -> bool:
        return self.status in ("known", "ambiguous")

    @property
    def offered(self) -> tuple[HerbNode, ...]:
        """All that the entry may mean, checked or not."""
        return self.nodes or self.longer
