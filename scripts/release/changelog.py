"""The changelog section of a release."""

from __future__ import annotations

import re

_UNRELEASED = re.compile(r"^## (\S+) \(unreleased\)$", re.MULTILINE)
_HEAD = re.compile(r"^## ", re.MULTILINE)


def cut_section(changelog: str, version: str) -> str:
    """Return the section of a version without its heading. Raise SystemExit if there is none, or nothing in it."""
    for part in _HEAD.split(changelog)[1:]:
        heading, _, body = part.partition("\n")
        if heading.split(" ")[0] == version and body.strip():
            return body.strip() + "\n"
    raise SystemExit(f"CHANGELOG.md has no section {version!r}, or an empty one: write what changed and why")


def date_section(changelog: str, version: str, day: str) -> str:
    """Return the changelog with the unreleased section of the version dated."""
    match = _UNRELEASED.search(changelog)
    if match is None or match.group(1) != version:
        raise SystemExit(f"CHANGELOG.md has no section '## {version} (unreleased)'")
    return changelog[: match.start()] + f"## {version} ({day})" + changelog[match.end() :]
