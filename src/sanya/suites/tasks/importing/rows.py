"""The rows that a parser yields: a task, a rejected row, or a notice. Independent of formats and databases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from sanya.suite.text import fold
from sanya.suites.tasks.contract import MAX_ID_CHARS, Priority, TaskStatus

MAX_TITLE_CHARS = 4096
MAX_TEXT_CHARS = 65_536
_EXCERPT_CHARS = 80
_DIGEST_CHARS = 20


class BadRow(ValueError):
    """A row that cannot be read; the message is the reason that the report shows."""


@dataclass(frozen=True, slots=True)
class ProjectName:
    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedTask:
    """A task of a source, with times in UTC. `status_since` is when the status last changed.

    `key` is the source's own id. Without one, the id is a digest of `identity`, the part of the contents that edits
    change least.
    """

    line: int
    title: str
    key: str | None = None
    identity: tuple[str, ...] = ()
    description: str | None = None
    notes_markdown: str | None = None
    project: ProjectName | None = None
    status: TaskStatus = "TODO"
    priority: Priority = "NORMAL"
    is_important: bool = False
    due_at: datetime | None = None
    remind_at: datetime | None = None
    recurrence: str = "NONE"
    created_at: datetime | None = None
    updated_at: datetime | None = None
    status_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A row that was not imported: its line, the reason, and how it begins."""

    line: int
    reason: str
    excerpt: str


@dataclass(frozen=True, slots=True)
class ImportNotice:
    """A remark on something that was left out on purpose."""

    line: int
    text: str


ParsedRow = ImportedTask | RejectedRow | ImportNotice
ParsedRows = Iterator[ParsedRow]


def reject_row(line: int, reason: str, text: str) -> RejectedRow:
    shown = text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ").strip()
    return RejectedRow(line, reason, shown if len(shown) <= _EXCERPT_CHARS else f"{shown[:_EXCERPT_CHARS]}…")


def make_project(name: str) -> ProjectName:
    """Return a project that a source knows by name only. Its id is a digest of the name, ignoring case."""
    return ProjectName(f"project-{digest_content(fold(name))}", name)


def digest_content(*parts: str) -> str:
    return sha256("\x1f".join(parts).encode("utf-8")).hexdigest()[:_DIGEST_CHARS]


def check_text(field: str, text: str, limit: int = MAX_TEXT_CHARS) -> str:
    """Return the text if every engine and client can store it. Raises BadRow."""
    if "\0" in text:
        raise BadRow(f"{field} holds a NUL character; remove it")
    if not text.isascii() and not _is_unicode(text):
        raise BadRow(f"{field} is not UTF-8 text; save the file as UTF-8")
    if len(text) > limit:
        raise BadRow(f"{field} has {len(text):,} characters; shorten it to {limit:,}")
    return text


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def check_title(text: str) -> str:
    title = " ".join(check_text("the title", text, MAX_TITLE_CHARS).split())
    if not title:
        raise BadRow("it has no title; write one")
    return title


def check_key(text: str) -> str | None:
    """Return the source's own id; one that is too long becomes a digest."""
    key = check_text("the id", text.strip())
    return f"id-{digest_content(key)}" if len(key) > MAX_ID_CHARS else key or None


def check_optional_text(field: str, text: str | None) -> str | None:
    if text is None or not text.strip():
        return None
    return check_text(field, text.replace("\r\n", "\n"))
