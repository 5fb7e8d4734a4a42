"""Finds weights inside installed packages and reads them only if they are, to the byte, the ones we measured."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

from sanya.kernel.faults import Unavailable


def packaged_file(package: str, path: str, install: str) -> Path:
    """A file inside an installed package. The package itself is not imported."""
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        file = Path(folder) / path
        if file.is_file():
            return file
    raise Unavailable(f"the embedding model of {install} is not installed; run: pip install {install}")


def file_digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def verified_bytes(file: Path, digest: str) -> bytes:
    content = file.read_bytes()
    if hashlib.sha256(content).hexdigest() != digest:
        raise Unavailable(
            f"{file.name} is not the file that this version of Sanya was made for; install its package again"
        )
    return content
