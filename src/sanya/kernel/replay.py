"""Runs a past call again, at the moment it first ran, and says what has changed since.

The replay is itself a call in the ledger, so what is compared is two rows: the answer's hash, and the contract, code
and data that each row was answered from. Its row names the first one as its trace, so that a replay of a replay goes
back to the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

import orjson

from sanya.kernel.call import OWNER, Call, Caller, Outcome
from sanya.kernel.catalogue import Catalogue
from sanya.kernel.dispatch import Kernel
from sanya.kernel.faults import InvalidArgument, NotFound
from sanya.kernel.ledger import Entry, Ledger, Link

Cause = Literal["contract", "code", "data"]

SURFACE = "replay"

# Refusals that hang on who called, how, how often and how long they waited, and not on what they asked.
OF_THE_MOMENT = frozenset(
    {"unauthorized", "forbidden", "rate_limited", "deadline_exceeded", "cancelled", "answer_too_large"}
)


class LinkFinder(Protocol):
    async def find(self, id_or_seq: str) -> Link | None: ...


@dataclass(frozen=True, slots=True)
class Replay:
    """`again` is the new row, or None where the tool is gone. `changed` holds all that differs between the two rows;
    where only the answer does, the data behind it must have. `outcome` is what the call came to this time; of the first
    time the ledger keeps the hash alone."""

    past: Link
    again: Link | None
    same: bool
    changed: tuple[Cause, ...]
    outcome: Outcome

    def as_json(self) -> dict[str, Any]:
        return {
            "tool": self.past.entry.tool,
            "at": self.past.entry.at,
            "same": self.same,
            "changed": list(self.changed),
            "then": compared_parts(self.past),
            "now": None if self.again is None else compared_parts(self.again),
        }


def compared_parts(link: Link) -> dict[str, Any]:
    """What of a row is held against another's."""
    return {
        "id": link.entry.id,
        "in_hash": link.entry.in_hash,
        "out_hash": link.entry.out_hash,
        "status": link.entry.fault or link.entry.status,
        "contract_hash": link.entry.contract_hash,
        "code_hash": link.code_hash,
        "data_revision": link.data_revision,
    }


async def replay(kernel: Kernel, ledger: Ledger, links: LinkFinder, id_or_seq: str) -> Replay:
    """Raises NotFound for an unknown id and InvalidArgument for a call that cannot or must not run again."""
    past = await links.find(id_or_seq)
    if past is not None and past.entry.surface == SURFACE and past.entry.trace_id:
        past = await links.find(past.entry.trace_id)
    if past is None:
        raise NotFound(f"the ledger has no call {id_or_seq[:80]!r}; `sanya audit list` shows the latest")
    check_replayable(past.entry)
    outcome = await _run_again(kernel, past.entry)
    if not outcome.id:
        return Replay(past, None, same=False, changed=("contract",), outcome=outcome)
    await ledger.flush()
    again = await links.find(outcome.id)
    assert again is not None, "a flushed call is in the ledger"
    same = _same_answer(past.entry, again.entry)
    return Replay(past, again, same, _changes(past, again, same), outcome)


def check_replayable(entry: Entry) -> None:
    """Raises InvalidArgument for a call that cannot or must not run again."""
    if entry.effect == "write":
        raise InvalidArgument(
            f"{entry.id} wrote ({entry.tool}); running it again would write again, so it is not replayed"
        )
    if entry.redacted:
        raise InvalidArgument(f"the ledger keeps {entry.id} without its secret arguments, so it cannot be run again")
    if entry.fault in OF_THE_MOMENT:
        raise InvalidArgument(
            f"{entry.id} was refused as {entry.fault}, which is about its caller and moment; there is nothing to repeat"
        )


async def _run_again(kernel: Kernel, entry: Entry) -> Outcome:
    call = recorded_call(kernel.catalogue, entry)._replace(surface=SURFACE, trace_id=entry.id)
    return await (kernel.call(call) if call.tool == entry.tool else kernel.read(call))


def recorded_call(catalogue: Catalogue, entry: Entry) -> Call:
    """The call of a row, or the reading of its address, at its moment. As the caller that it was, without a limit:
    whose memories are looked through, say, hangs on who asks."""
    arguments = orjson.loads(entry.input)
    caller = Caller(entry.caller, OWNER.scopes)
    now = datetime.fromisoformat(entry.at)
    if catalogue.tool(entry.tool) is None and isinstance(arguments.get("uri"), str):
        return Call(arguments["uri"], {}, caller, now=now)
    return Call(entry.tool, arguments, caller, now=now)


def _same_answer(past: Entry, again: Entry) -> bool:
    """Equal hashes; or the same failure of ours, whose answer holds an id that is new each time."""
    if past.error_id is not None and again.error_id is not None:
        return past.fault == again.fault
    return past.out_hash == again.out_hash


def _changes(past: Link, again: Link, same: bool) -> tuple[Cause, ...]:
    changed: list[Cause] = []
    if past.entry.contract_hash != again.entry.contract_hash:
        changed.append("contract")
    if past.code_hash != again.code_hash:
        changed.append("code")
    if past.data_revision != again.data_revision or (not same and not changed):
        changed.append("data")
    return tuple(changed)
