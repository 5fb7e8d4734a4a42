"""Files of what takes long to build and can be built again: one for each name, in a folder of the home.

A file counts only where it was written for the same key by the same code and is whole. One that cannot be read or
written is as none: the caller builds what it needs.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

_DIGEST_SIZE = 32


class PreparedFiles:
    def __init__(self, folder: Path, code_hash: str) -> None:
        self._folder = folder
        self._code_hash = code_hash

    def read(self, name: str, key: str) -> bytes | None:
        """Return what was written under this name, None where that was for another key or is not there."""
        try:
            stored = (self._folder / name).read_bytes()
        except OSError:
            return None
        content = stored[_DIGEST_SIZE:]
        return content if stored[:_DIGEST_SIZE] == self._compute_digest(key, content) else None

    def write(self, name: str, key: str, content: bytes) -> None:
        beside = self._folder / f"{name}.{os.getpid()}"
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, exist_ok=True)
            beside.write_bytes(self._compute_digest(key, content) + content)
            beside.replace(self._folder / name)
            return
        with suppress(OSError):
            beside.unlink(missing_ok=True)

    def _compute_digest(self, key: str, content: bytes) -> bytes:
        return sha256(f"{self._code_hash}\0{key}\0".encode() + content).digest()
