"""Finds weights inside installed packages, and reads them only if their digest is the expected one."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

from sanya.kernel.faults import Unavailable


def find_packaged_file(package: str, path: str, install: str) -> Path:
    """Return a file inside an installed package, without importing the package."""
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        file = Path(folder) / path
        if file.is_file():
            return file
    raise Unavailable(f"the embedding model of {install} is not installed; run: pip install {install}")


def hash_file(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def read_verified(file: Path, digest: str) -> bytes:
    content = file.read_bytes()
    if hashlib.sha256(content).hexdigest() != digest:
        raise Unavailable(f"{file.name} is not the version that Sanya was tested with; install its package again")
    return content


def summarise_error(error: Exception) -> str:
    """Return the first line of what a library said, or the name of the error."""
    return next(iter(str(error).splitlines()), "") or type(error).__name__
