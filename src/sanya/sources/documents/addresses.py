"""Opens a document by its `file://` URI, below one of the owner's folders and nowhere else.

The URI is parsed strictly and decoded once. Links are resolved first; then the file is opened from its root folder
downwards, one name after the other and without following links, so that nothing can be swapped between check and use.
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
# Files there are not documents: reading one may have side effects, or never end.
_SYSTEM = tuple(map(Path, ("/proc", "/sys", "/dev")))
_OUTSIDE = "This address is outside the folders that documents are read from."
_ROOTS_HINT = "Put the document into a folder of the setting ingest_roots (unless set, `inbox` in the home)."


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """An open document. The caller closes `descriptor`."""

    descriptor: int
    suffix: str


def open_document(uri: str, roots: Iterable[Path], closed: Iterable[Path], max_bytes: int) -> OpenDocument:
    """Open the document. This blocks: the file may be on a slow disk."""
    if os.open not in os.supports_dir_fd:
        raise Unavailable("Documents can only be read on Linux and macOS.")
    named = parse_file_uri(uri)
    folders = [Path(os.path.realpath(root)) for root in roots]
    root, path = _resolve_path(named, folders, [Path(os.path.realpath(folder)) for folder in closed])
    descriptor = _open_from(root, path)
    try:
        _check(os.fstat(descriptor), max_bytes)
    except BaseException:
        os.close(descriptor)
        raise
    return OpenDocument(descriptor, path.suffix.lower())


def parse_file_uri(uri: str) -> Path:
    """Return the path of a local file that the URI names."""
    if not uri.startswith(_START):
        raise InvalidArgument("The address must begin with file:///.", field="uri", hint=_ROOTS_HINT)
    if len(uri) > _MAX_LENGTH:
        raise InvalidArgument(f"An address has at most {_MAX_LENGTH} characters.", field="uri")
    if any(sign in uri for sign in "?#\\") or not uri.isprintable():
        raise InvalidArgument(
            "The address contains ?, #, \\ or an invisible character. Percent-encode them in names.", field="uri"
        )
    try:
        names = [unquote_to_bytes(name).decode("utf-8") for name in uri[len(_START) :].split("/")]
    except UnicodeError:
        raise InvalidArgument("The address is not percent-encoded UTF-8.", field="uri") from None
    if any(name in ("", ".", "..") or "/" in name or "\\" in name or not name.isprintable() for name in names):
        raise InvalidArgument(
            "The address contains an empty name, a name of dots alone, or an encoded slash.", field="uri"
        )
    return Path("/", *names)


def _resolve_path(named: Path, roots: list[Path], closed: list[Path]) -> tuple[Path, Path]:
    """Return the root folder and the resolved path. The error does not reveal what exists outside the roots."""
    try:
        path = Path(os.path.realpath(named, strict=True))
    except (OSError, ValueError):
        if any(named.is_relative_to(root) for root in roots):
            raise NotFound("There is no such document.", details={"field": "uri"}, hint=_ROOTS_HINT) from None
        raise _make_outside_fault() from None
    root = _find_deepest(path, roots)
    if root is None or root == path or any(path.is_relative_to(place) for place in _SYSTEM):
        raise _make_outside_fault()
    barrier = _find_deepest(path, closed)
    if barrier is not None and len(barrier.parts) >= len(root.parts):
        raise _make_outside_fault()
    return root, path


def _find_deepest(path: Path, folders: list[Path]) -> Path | None:
    return max(
        (folder for folder in folders if path.is_relative_to(folder)),
        key=lambda folder: len(folder.parts),
        default=None,
    )


def _make_outside_fault() -> Fault:
    return Forbidden(_OUTSIDE, details={"field": "uri"}, hint=_ROOTS_HINT)


def _open_from(root: Path, path: Path) -> int:
    *folders, name = path.relative_to(root).parts
    try:
        here = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for folder in folders:
                below = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=here)
                os.close(here)
                here = below
            # Non-blocking: a pipe may have no writer. The type of the file is checked afterwards.
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
        raise InvalidArgument("This is a folder, a pipe or a device, not a file.", field="uri")
    if status.st_size > max_bytes:
        raise TooLarge(
            f"This document has {status.st_size} bytes, more than the limit of {max_bytes}.",
            hint="Split it, or raise the setting ingest_max_bytes.",
        )
