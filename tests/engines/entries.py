"""Ledger entries for tests."""

from __future__ import annotations

from hashlib import sha256

from sanya.kernel.ledger.chain import LedgerEntry, StoredAnswer


def make_entry(number: int, *, suite: str = "tasks", tool: str = "get_tasks", caller: str = "owner") -> LedgerEntry:
    digest = sha256(str(number).encode()).hexdigest()
    return LedgerEntry(
        id=f"call_{number:016x}",
        at=f"2026-11-16T00:00:{number % 60:02d}.000Z",
        tool=tool,
        suite=suite,
        effect="read",
        surface="python",
        caller=caller,
        request_id=f"request-{number}",
        trace_id=None,
        in_hash=digest,
        out_hash=digest,
        latency_ms=number,
        status="ok",
        fault=None,
        error_id=None,
        input='{"limit":50,"search":"ยา"}',
        redacted=number % 2 == 1,
        contract_hash=digest,
    )


def make_answer(number: int, *, request_id: str = "r", expires_at: str = "2026-11-16T00:10:00.000Z") -> StoredAnswer:
    return StoredAnswer(f"call_{number:016x}", "owner", request_id, "add_task 00", '{"body":{}}', expires_at)
