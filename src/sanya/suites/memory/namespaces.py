"""Namespaces: each caller has memories of its own, unless the owner lets callers share one namespace."""

from __future__ import annotations

from dataclasses import dataclass

from sanya.suite import OWNER, Caller

SHARED = "shared"
ALL_CALLERS = "*"
# Without authentication, a caller on loopback is the person at the machine, as on the command line.
_LOCAL_CALLERS = (OWNER.id, "anonymous")


@dataclass(frozen=True, slots=True)
class Namespaces:
    shared_by: frozenset[str] = frozenset()
    """Ids of the callers that share one namespace, `*` for all."""

    def find_namespace(self, caller: Caller) -> str:
        if ALL_CALLERS in self.shared_by or caller.id in self.shared_by:
            return SHARED
        return OWNER.id if caller.id in _LOCAL_CALLERS else caller.id
