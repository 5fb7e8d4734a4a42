"""From a `file://` address to an open file below one of the owner's folders, and to no other.

The address is read strictly and once. Links are resolved first; then the file is opened from its folder downwards, one
name after the other and following no link, so that nothing can be exchanged between the check and the use.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote_to_bytes

from sanya.kernel.faults import Fault, Forbidden, InvalidArgument, NotFound, TooLarge, Unavailable

_START = "file:///"
_MAX_LENGTH = 4096
# Files there are no documents: reading one may do things, or never end.
_SYSTEM = tuple(map(Path, ("/proc", "/sys", "/dev")))
_OUTSIDE = "This address is outside the folders that documents are read from."
_PUT_IT_THERE = "Put the document into a folder of the setting ingest_roots (unless set, `inbox` in the home)."


@dataclass(frozen=True, slots=True)
class Opened:
    """`descriptor` is the caller's to close."""

    descriptor: int
    suffix: str


def open_document(uri: str, roots: Iterable[Path], closed: Iterable[Path], max_bytes: int) -> Opened:
    """Blocks: the file may be on a slow disk."""
    if os.open not in os.supports_dir_fd:
        raise Unavailable("Documents can only be read on Linux and macOS.")
    named = path_of(uri)
    folders = [Path(os.path.realpath(root)) for root in roots]
    root, path = _resolved(named, folders, [Path(os.path.realpath(one)) for one in closed])
    descriptor = _open_from(root, path)
    try:
        _check(os.fstat(descriptor), max_bytes)
    except BaseException:
        os.close(descriptor)
        raise
    return Opened(descriptor, path.suffix.lower())


def path_of(uri: str) -> Path:
    """The path that an address names, if it is one of a local file and nothing else."""
    if not uri.startswith(_START):
        raise InvalidArgument("Only addresses that begin with file:/// are read.", field="uri", hint=_PUT_IT_THERE)
    if len(uri) > _MAX_LENGTH:
        raise InvalidArgument(f"An address has at most {_MAX_LENGTH} characters.", field="uri")
    if any(sign in uri for sign in "?#\\") or not uri.isprintable():
        raise InvalidArgument(
            "An address has no ?, # or \\ and nothing unseen; in a name, percent-encode them.", field="uri"
        )
    try:
        names = [unquote_to_bytes(name).decode("utf-8") for name in uri[len(_START) :].split("/")]
    except UnicodeError:
        raise InvalidArgument("The address is not percent-encoded UTF-8.", field="uri") from None
    if any(name in ("", ".", "..") or "/" in name or "\\" in name or not name.isprintable() for name in names):
        raise InvalidArgument("The names in an address are plain: not empty, no dots alone, no slashes.", field="uri")
    return Path("/", *names)


def _resolved(named: Path, roots: list[Path], closed: list[Path]) -> tuple[Path, Path]:
    """The root that holds what the path leads to, and that. Whether something exists outside is not told."""
    try:
        path = Path(os.path.realpath(named, strict=True))
    except (OSError, ValueError):
        if any(named.is_relative_to(root) for root in roots):
            raise NotFound("There is no such document.", details={"field": "uri"}, hint=_PUT_IT_THERE) from None
        raise _outside() from None
    root = _deepest(path, roots)
    if root is None or root == path or any(path.is_relative_to(place) for place in _SYSTEM):
        raise _outside()
    barrier = _deepest(path, closed)
    if barrier is not None and len(barrier.parts) >= len(root.parts):
        raise _outside()
    return root, path


def _deepest(path: Path, folders: list[Path]) -> Path | None:
    return max((one for one in folders if path.is_relative_to(one)), key=lambda one: len(one.parts), default=None)


def _outside() -> Fault:
    return Forbidden(_OUTSIDE, details={"field": "uri"}, hint=_PUT_IT_THERE)


def _open_from(root: Path, path: Path) -> int:
    *folders, name = path.relative_to(root).parts
    try:
        here = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for folder in folders:
                below = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=here)
                os.close(here)
                here = below
            # Without waiting: a pipe has nobody at its other end. What was opened is judged afterwards.
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
            return os.open(name, flags, dir_fd=here)
        finally:
            os.close(here)
    except PermissionError:
        raise Forbidden("This document may not be read by the server's user.", details={"field": "uri"}) from None
    except OSError:
        raise NotFound("There is no such document.", details={"field": "uri"}) from None


def _check(status: os.stat_result, max_bytes: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise InvalidArgument("This is no file but a folder, a pipe or a device.", field="uri")
    if status.st_size > max_bytes:
        raise TooLarge(
            f"This document has {status.st_size} bytes, more than the {max_bytes} that are read.",
            hint="Split it, or raise the setting ingest_max_bytes.",
        )
