"""Merge Sanya's entry into a client's configuration file and leave everything else unchanged."""

from __future__ import annotations

import json
import re
from typing import Any

from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.clients import ENTRY_NAME


class NotMergeable(CommandFailed):
    """A file with content that a rewrite would lose, or that is not plain JSON."""


def merge_entry(text: str | None, section: str, entry: dict[str, Any]) -> str:
    """Return the new text of the file: Sanya's entry is replaced; order, indentation and other entries stay."""
    config = _read(text) if text and text.strip() else {}
    if not isinstance(config, dict):
        raise NotMergeable("it does not hold a JSON object")
    servers = config.get(section)
    if servers is None:
        servers = {}
    if not isinstance(servers, dict):
        raise NotMergeable(f"its {section!r} is not a JSON object")
    config[section] = {**servers, ENTRY_NAME: entry}
    return json.dumps(config, indent=_detect_indent(text or ""), ensure_ascii=False) + "\n"


def _read(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_refuse_duplicate_names)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        comments = "; a rewrite would lose its comments" if re.search(r"^\s*(//|/\*)", text, re.MULTILINE) else ""
        raise NotMergeable(f"it is not plain JSON ({error.msg.lower()} at {where}){comments}") from None
    except RecursionError:
        raise NotMergeable("it is nested too deeply") from None


def _refuse_duplicate_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        duplicate = next(name for name, _ in pairs if sum(name == other for other, _ in pairs) > 1)
        raise NotMergeable(f"it has {duplicate!r} twice in one object, and a rewrite would lose one of them")
    return members


def _detect_indent(text: str) -> int | str:
    match = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    if match is None:
        return 2
    return match.group(1) if "\t" in match.group(1) else len(match.group(1))
