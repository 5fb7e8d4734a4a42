"""Names and scopes that a new key may have, the same for the command line and the console."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sanya.kernel.contracts.catalogue import Catalogue

_MAX_NAME_CHARS = 100


class UnknownScope(ValueError):
    """A scope that nothing requires. The message lists the scopes."""


def explain_key_name(name: str) -> str | None:
    """Return what the name of a key must be, or None if this is one."""
    if 1 <= len(name) <= _MAX_NAME_CHARS and name.isprintable():
        return None
    return f"the name of a key must have 1 to {_MAX_NAME_CHARS} printable characters"


def list_scopes(catalogue: Catalogue) -> list[str]:
    """List every scope that a tool or a page requires, and `*` for all of them."""
    from sanya.surfaces.http.console.herb_review import REVIEW_SCOPE
    from sanya.surfaces.http.console.ledger import AUDIT_SCOPE
    from sanya.surfaces.http.metrics import METRICS_SCOPE

    own = ("*", AUDIT_SCOPE, METRICS_SCOPE, REVIEW_SCOPE)
    return sorted({*own, *(scope for tool in catalogue.tools for scope in tool.required_scopes)})


def list_read_scopes(catalogue: Catalogue) -> list[str]:
    """List the scopes of all read tools: what a new key gets if no scope is asked for."""
    return sorted({scope for tool in catalogue.tools if tool.effect == "read" for scope in tool.required_scopes})


def check_scopes(requested: Sequence[str], catalogue: Catalogue) -> list[str]:
    """Return the requested scopes. Raise UnknownScope for one that nothing requires: it is a typo."""
    known = list_scopes(catalogue)
    unknown = sorted(set(requested) - set(known))
    if unknown:
        raise UnknownScope(f"unknown scope {unknown[0]!r}; choose from {', '.join(known)}")
    return list(requested)
