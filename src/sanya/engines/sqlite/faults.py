"""Translates errors of SQLite: what the owner can fix becomes StoreUnavailable, a mistake in our SQL stays an error."""

from __future__ import annotations

import sqlite3

from sanya.kernel.faults import StoreUnavailable

_BUSY_RETRY_MS = 1000

# By primary result code: SQLITE_IOERR also stands for SQLITE_IOERR_WRITE and the like.
_ADVICE = {
    "SQLITE_BUSY": "is locked by another program; close it or wait, then try again",
    "SQLITE_LOCKED": "is locked by another program; close it or wait, then try again",
    "SQLITE_FULL": "cannot grow because the disk is full; free disk space",
    "SQLITE_IOERR": "cannot be read or written; check the disk and the permissions of its folder",
    "SQLITE_READONLY": "cannot be written; check the permissions of the file and its folder",
    "SQLITE_PERM": "may not be opened; check the permissions of the file and its folder",
    "SQLITE_CANTOPEN": "cannot be opened; check that the file and its folder exist and may be read and written",
    "SQLITE_CORRUPT": "is damaged; restore it from a backup (run `sanya doctor` to see what is wrong)",
    "SQLITE_NOTADB": "is not a SQLite database; check the path",
    "SQLITE_PROTOCOL": "is locked by another program; close it or wait, then try again",
    "SQLITE_NOMEM": "cannot be used because memory ran out; free memory, then try again",
}


def is_busy(error: sqlite3.Error) -> bool:
    return _get_primary_code(error) in ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL")


def is_write_by_reader(error: sqlite3.Error) -> bool:
    """Return whether a fetch tried to write, which is a mistake in our code and not a problem of the file."""
    return getattr(error, "sqlite_errorname", "") == "SQLITE_READONLY"


def to_fault(error: sqlite3.Error, name: str) -> StoreUnavailable | None:
    """Return the fault for an error of the store; None for a mistake of the code that uses it."""
    code = _get_primary_code(error)
    advice = _ADVICE.get(code)
    if advice is None:
        return None
    retry_after_ms = _BUSY_RETRY_MS if is_busy(error) else None
    return StoreUnavailable(f"the database {name} {advice}", retry_after_ms=retry_after_ms, details={"reason": code})


def to_external_fault(error: sqlite3.Error, name: str) -> StoreUnavailable | None:
    """Return the fault for an external file, whose tables may not be the expected ones."""
    message = str(error)
    if message.startswith(("no such table", "no such column")):
        return StoreUnavailable(
            f"the database {name} has another schema than expected ({message}); check that it is the right file"
        )
    return to_fault(error, name)


def _get_primary_code(error: sqlite3.Error) -> str:
    # Errors that the sqlite3 module itself raises lack the attribute.
    name: str = getattr(error, "sqlite_errorname", "")
    return "_".join(name.split("_")[:2])
