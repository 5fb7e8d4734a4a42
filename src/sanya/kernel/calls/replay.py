"""Runs a past call again, with the time at which it first ran, and reports what has changed since.

A replay is itself a call in the ledger. So two rows are compared: the hash of the answer, and the contract, the code
and the data revision that each row was answered from. The new row names the first one as its trace, so a replay of a
replay goes back to the first call.

A replay runs as the caller of the first call, because the answer may depend on whose data is searched, but with no more
scopes than both had: the first call then and the asker now. So nobody reads by a replay what they may not read by a
call, and the owner who replays another's call gets the answer that the other got. The new row names both.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

import orjson

from sanya.kernel.calls.call import OWNER, Call, Caller, Outcome, intersect_scopes
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.faults import Forbidden, InvalidArgument, NotFound
from sanya.kernel.ledger.chain import Ledger, LedgerEntry, LedgerLink

Cause = Literal["contract", "code", "data", "scopes"]

SURFACE = "replay"

# Refusals that depend on the caller, the connection and the load, and not on the arguments.
UNREPEATABLE_FAULTS = frozenset(
    {"unauthorized", "forbidden", "rate_limited", "deadline_exceeded", "cancelled", "answer_too_large"}
)


class LinkFinder(Protocol):
    async def find(self, id_or_seq: str) -> LedgerLink | None: ...


@dataclass(frozen=True, slots=True)
class Replay:
    """`again` is the new row, or None if the tool no longer exists. `changed` lists what differs between the two rows;
    if only the answer differs, its data must have changed. "scopes" means that the replay ran with fewer scopes than
    the first call. `outcome` is the new outcome; of the first one the ledger keeps only the hash."""

    past: LedgerLink
    again: LedgerLink | None
    same: bool
    changed: tuple[Cause, ...]
    outcome: Outcome

    def as_json(self) -> dict[str, Any]:
        return {
            "tool": self.past.entry.tool,
            "at": self.past.entry.at,
            "caller": self.past.entry.caller,
            "asked_by": None if self.again is None else self.again.entry.asked_by,
            "same": self.same,
            "changed": list(self.changed),
            "then": select_compared(self.past),
            "now": None if self.again is None else select_compared(self.again),
        }


def select_compared(link: LedgerLink) -> dict[str, Any]:
    """Return the fields of a row that a replay compares."""
    return {
        "id": link.entry.id,
        "in_hash": link.entry.in_hash,
        "out_hash": link.entry.out_hash,
        "status": link.entry.fault or link.entry.status,
        "contract_hash": link.entry.contract_hash,
        "code_hash": link.code_hash,
        "data_revision": link.data_revision,
        "scopes": link.entry.scopes,
    }


async def replay(kernel: Kernel, ledger: Ledger, links: LinkFinder, id_or_seq: str, asker: Caller) -> Replay:
    """Replay a call for `asker`, who must be allowed to see its row. Raises NotFound for an unknown id, InvalidArgument
    for a call that cannot or must not run again, Forbidden without the scopes of its tool."""
    past = await links.find(id_or_seq)
    if past is not None and past.entry.surface == SURFACE and past.entry.trace_id:
        past = await links.find(past.entry.trace_id)
    if past is None:
        raise NotFound(f"the ledger has no call {id_or_seq[:80]!r}; `sanya audit list` shows the latest")
    check_replayable(past.entry)
    outcome = await _run_again(kernel, past.entry, asker)
    if not outcome.id:
        return Replay(past, None, same=False, changed=("contract",), outcome=outcome)
    await ledger.flush()
    again = await links.find(outcome.id)
    assert again is not None, "a flushed call is in the ledger"
    if again.entry.fault == Forbidden.kind:
        raise Forbidden(
            f"replaying {past.entry.tool} needs its scopes: whoever asks must have them now, and {past.entry.caller} "
            "must have had them then"
        )
    same = _is_same_answer(past.entry, again.entry)
    return Replay(past, again, same, _find_changes(past, again, same), outcome)


def check_replayable(entry: LedgerEntry) -> None:
    """Raise InvalidArgument for a call that cannot or must not run again."""
    if entry.effect == "write":
        raise InvalidArgument(
            f"{entry.id} is a write ({entry.tool}); replaying it would write again, so only reads are replayed"
        )
    if entry.redacted:
        raise InvalidArgument(f"{entry.id} cannot be replayed: the ledger stores it without its secret arguments")
    if entry.fault in UNREPEATABLE_FAULTS:
        raise InvalidArgument(
            f"{entry.id} cannot be replayed: it was refused as {entry.fault}, which depends on its caller and its time"
        )


async def _run_again(kernel: Kernel, entry: LedgerEntry, asker: Caller) -> Outcome:
    call = rebuild_call(kernel.catalogue, entry, asker)
    call = call._replace(surface=SURFACE, trace_id=entry.id, asked_by=asker.id)
    # A resource without a template part has its address as its tool name, so the names do not tell.
    is_tool = kernel.catalogue.find_tool(call.tool) is not None
    return await (kernel.call(call) if is_tool else kernel.read(call))


def rebuild_call(catalogue: Catalogue, entry: LedgerEntry, asker: Caller = OWNER) -> Call:
    """Return the call of a row, or the read of its resource, with its original time.

    The caller stays the same, with the scopes that the first call and the asker have in common, and no rate limit.
    """
    arguments = orjson.loads(entry.input)
    now = datetime.fromisoformat(entry.at)
    tool, name = catalogue.find_tool(entry.tool), entry.tool
    if tool is None and isinstance(arguments.get("uri"), str):
        name, arguments = arguments["uri"], {}
        tool = catalogue.find_resource_tool(name)
    first_scopes = _read_scopes(entry, () if tool is None else tool.required_scopes)
    return Call(name, arguments, Caller(entry.caller, intersect_scopes(first_scopes, asker.scopes)), now=now)


def _read_scopes(entry: LedgerEntry, required: tuple[str, ...]) -> frozenset[str]:
    """Return the scopes of the first call. Of a row from before scopes were recorded only so much is certain: the owner
    had all of them, and any other caller those that the tool requires."""
    if entry.scopes is not None:
        return frozenset(entry.scopes.split())
    return OWNER.scopes if entry.caller == OWNER.id else frozenset(required)


def _is_same_answer(past: LedgerEntry, again: LedgerEntry) -> bool:
    """Return whether the hashes are equal, or both calls failed with the same internal error, whose id is always
    new."""
    if past.error_id is not None and again.error_id is not None:
        return past.fault == again.fault
    return past.out_hash == again.out_hash


def _find_changes(past: LedgerLink, again: LedgerLink, same: bool) -> tuple[Cause, ...]:
    changed: list[Cause] = []
    if past.entry.scopes is not None and past.entry.scopes != again.entry.scopes:
        changed.append("scopes")
    if past.entry.contract_hash != again.entry.contract_hash:
        changed.append("contract")
    if past.code_hash != again.code_hash:
        changed.append("code")
    if past.data_revision != again.data_revision or (not same and not changed):
        changed.append("data")
    return tuple(changed)
