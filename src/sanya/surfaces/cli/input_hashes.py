"""Hashes of imported files: the ledger records them instead of the content."""

from __future__ import annotations

from hashlib import file_digest, sha256
from pathlib import Path


def hash_input(content: bytes) -> str:
    return sha256(content).hexdigest()


def describe_input(name: str, content: bytes) -> dict[str, str | int]:
    """Return the name without its folder, the size and the hash."""
    return {"name": Path(name).name, "bytes": len(content), "sha256": hash_input(content)}


def describe_file(path: Path) -> dict[str, str | int]:
    """Return the same for a file that is too large to hold in memory."""
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
        return {"name": path.name, "bytes": file.tell(), "sha256": digest}
