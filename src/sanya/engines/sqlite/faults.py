"""SQLite's errors in our words: what the owner can mend is StoreUnavailable, a mistake in our SQL stays loud."""

from __future__ import annotations

import sqlite3

from sanya.kernel.faults import StoreUnavailable

_BUSY_RETRY_MS = 1000

# By primary result code; SQLITE_IOERR_WRITE and its kin are found by their beginning.
_ADVICE = {
    "SQLITE_BUSY": "is locked by another program; close it or wait, then try again",
    "SQLITE_LOCKED": "is locked by another program; close it or wait, then try again",
    "SQLITE_FULL": "cannot grow because the disk is full; free some space",
    "SQLITE_IOERR": "cannot be read or written; check the disk and the permissions of its folder",
    "SQLITE_READONLY": "cannot be written; check the permissions of the file and its folder",
    "SQLITE_PERM": "may not be opened; check the permissions of the file and its folder",
    "SQLITE_CANTOPEN": "cannot be opened; check that the file and its folder exist and may be read and written",
    "SQLITE_CORRUPT": "is damaged; restore it from a backup (`sanya doctor` shows what is wrong)",
    "SQLITE_NOTADB": "is not a SQLite database; check the path",
    "SQLITE_PROTOCOL": "is locked by another program; close it or wait, then try again",
    "SQLITE_NOMEM": "cannot be used because memory ran out",
}


def is_busy(error: sqlite3.Error) -> bool:
    return _primary_code(error) in ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL")


def is_write_by_reader(error: sqlite3.Error) -> bool:
    """Whether a fetch tried to write, which is a mistake of ours and none of the file's."""
    return getattr(error, "sqlite_errorname", "") == "SQLITE_READONLY"


def fault_of(error: sqlite3.Error, name: str) -> StoreUnavailable | None:
    """The fault for an error of the store itself; None for an error of the one who used it."""
    code = _primary_code(error)
    advice = _ADVICE.get(code)
    if advice is None:
        return None
    retry_after_ms = _BUSY_RETRY_MS if is_busy(error) else None
    return StoreUnavailable(f"the database {name} {advice}", retry_after_ms=retry_after_ms, details={"reason": code})


def attached_fault_of(error: sqlite3.Error, name: str) -> StoreUnavailable | None:
    """The same for a file of somebody else's, whose tables need not be those we look for."""
    message = str(error)
    if message.startswith(("no such table", "no such column")):
        return StoreUnavailable(f"the database {name} has changed ({message}); check that it is the right file")
    return fault_of(error, name)


def _primary_code(error: sqlite3.Error) -> str:
    # The attribute is missing on errors that the sqlite3 module raises by itself.
    name: str = getattr(error, "sqlite_errorname", "")
    return "_".join(name.split("_")[:2])
