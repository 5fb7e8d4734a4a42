"""The folder of a home that holds what takes long to build."""

from __future__ import annotations

from sanya.code import compute_code_hash
from sanya.engines.prepared_files import PreparedFiles
from sanya.settings import Settings


def open_prepared_files(settings: Settings) -> PreparedFiles:
    return PreparedFiles(settings.home / "prepared", compute_code_hash())
