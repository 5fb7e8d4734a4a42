"""Receipts: signed statements of how far the ledger's chains have come, kept outside the home.

A hash chain proves that no row inside it was altered, but whoever can write to the database can write the whole chain
anew, and it verifies again. A receipt names the last row of every chain at a time. Kept where that person cannot write,
it shows later that a row up to there was altered, removed or replaced.

Each receipt is a file of one line of canonical JSON, signed with an Ed25519 key of the home's vault. It carries the
digest of the receipt before it in its folder, so a receipt taken from the middle is missed. The signature tells a
receipt of this home from one that somebody else wrote. It does not protect against whoever has both the home, and with
it the key, and the folder.
"""

from __future__ import annotations

import os
import re
import secrets
from base64 import b64decode, b64encode
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson

from sanya.kernel.canonical import to_canonical_json
from sanya.kernel.ledger.anchors import Anchor
from sanya.kernel.ledger.receipts import BadReceipt, Receipt

SECRET_NAME = "ledger receipts"  # noqa: S105 - the name of a secret
_FORMAT = "sanya-ledger-receipt/1"
_FILE_NAME = re.compile(r"receipt-(\d{8})\.json")
_TRIES = 100


def derive_public_key(seed: bytes) -> str:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return b64encode(Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()).decode("ascii")


def write_receipt(folder: Path, heads: Sequence[Anchor], at: str, seed: bytes) -> Path:
    """Write the next receipt into the folder. Several processes may do so at once: each number is taken once."""
    folder.mkdir(parents=True, exist_ok=True)
    for _ in range(_TRIES):
        files = _list_files(folder)
        number = int(_FILE_NAME.fullmatch(files[-1].name)[1]) + 1 if files else 1  # type: ignore[index]
        previous = sha256(files[-1].read_bytes()).hexdigest() if files else ""
        path = folder / f"receipt-{number:08d}.json"
        try:
            _write_new(path, _sign(_describe(number, previous, at, heads), seed))
        except FileExistsError:
            continue  # another process took the number
        return path
    raise BadReceipt(f"{folder} changes faster than a receipt can be written; try again")


def read_receipts(folder: Path, public_key: str) -> list[Receipt]:
    """Return the receipts of a folder, or the one in a file. Raise BadReceipt where one is missing, altered or signed
    with another key."""
    paths = [folder] if folder.is_file() else _list_files(folder)
    if not paths:
        raise BadReceipt(f"{folder} has no receipts; `sanya audit anchor --to FOLDER` writes one")
    receipts = [_read(path, public_key) for path in paths]
    for before, receipt in pairwise(receipts):
        if receipt.number != before.number + 1 or receipt.previous != before.digest:
            raise BadReceipt(f"a receipt before number {receipt.number} was removed or replaced in {folder}")
    if folder.is_dir() and (receipts[0].number != 1 or receipts[0].previous):
        raise BadReceipt(f"the receipts before number {receipts[0].number} were removed from {folder}")
    return receipts


def _list_files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if _FILE_NAME.fullmatch(path.name))


def _describe(number: int, previous: str, at: str, heads: Sequence[Anchor]) -> dict[str, Any]:
    return {
        "format": _FORMAT,
        "number": number,
        "previous": previous,
        "at": at,
        "heads": [head._asdict() for head in heads],
    }


def _sign(content: dict[str, Any], seed: bytes) -> bytes:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    signed = {**content, "public_key": derive_public_key(seed)}
    signature = Ed25519PrivateKey.from_private_bytes(seed).sign(to_canonical_json(signed))
    return to_canonical_json({**signed, "signature": b64encode(signature).decode("ascii")}) + b"\n"


def _write_new(path: Path, data: bytes) -> None:
    """Write a file that did not exist, whole and durable, or raise FileExistsError."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.link(part, path)  # fails if the number is taken, and never shows half a file
    finally:
        part.unlink(missing_ok=True)


def _read(path: Path, public_key: str) -> Receipt:
    data = path.read_bytes()
    try:
        content = orjson.loads(data)
        signature = content.pop("signature")
        heads = tuple(Anchor(**head) for head in content["heads"])
        receipt = Receipt(
            content["number"],
            content["previous"],
            content["at"],
            heads,
            content["public_key"],
            signature,
            sha256(data).hexdigest(),
        )
        is_genuine = _is_signed(content, signature) and content["format"] == _FORMAT
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BadReceipt(f"{path} is not a receipt, or was altered") from None
    if not is_genuine:
        raise BadReceipt(f"{path} was altered: its signature does not match")
    if receipt.public_key != public_key:
        raise BadReceipt(f"{path} is signed with another key than this home's; somebody replaced the one or the other")
    return receipt


def _is_signed(content: dict[str, Any], signature: str) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    key = Ed25519PublicKey.from_public_bytes(b64decode(content["public_key"], validate=True))
    try:
        key.verify(b64decode(signature, validate=True), to_canonical_json(content))
    except InvalidSignature:
        return False
    return True
