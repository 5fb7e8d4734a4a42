"""Whose memories a caller works with. Nobody sees another's, unless the owner has put both into one group."""

from __future__ import annotations

from dataclasses import dataclass

from sanya.kernel.call import OWNER, Caller

SHARED = "shared"
EVERYBODY = "*"
# Without authentication, whoever calls on loopback is the person at the machine, as on the command line.
_AT_THE_MACHINE = (OWNER.id, "anonymous")


@dataclass(frozen=True, slots=True)
class Namespaces:
    shared_by: frozenset[str] = frozenset()
    """Ids of the callers who share one memory, `*` for all."""

    def find_namespace(self, caller: Caller) -> str:
        if EVERYBODY in self.shared_by or caller.id in self.shared_by:
            return SHARED
        return OWNER.id if caller.id in _AT_THE_MACHINE else caller.id
