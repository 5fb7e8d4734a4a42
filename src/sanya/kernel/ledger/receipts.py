"""Receipts of the ledger: the last row of every chain at a time, recorded outside the database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sanya.kernel.faults import InvalidArgument
from sanya.kernel.ledger.anchors import Anchor


class BadReceipt(InvalidArgument):
    """A receipt that cannot be trusted, or none at all. The message says which and why."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """`previous` is the digest of the receipt before it in the same folder, empty for the first."""

    number: int
    previous: str
    at: str
    heads: tuple[Anchor, ...]
    public_key: str
    signature: str
    digest: str


def collect_heads(receipts: Iterable[Receipt]) -> dict[str, dict[int, str]]:
    """Return the row hashes that the receipts record, by chain and row number. Raise BadReceipt if two disagree."""
    recorded: dict[str, dict[int, str]] = {}
    for receipt in receipts:
        for head in receipt.heads:
            if recorded.setdefault(head.chain, {}).setdefault(head.seq, head.row_hash) != head.row_hash:
                raise BadReceipt(f"receipt {receipt.number} has another row {head.seq} of {head.chain} than one before")
    return recorded
