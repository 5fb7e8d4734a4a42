"""Merging our entry into a client's configuration file, with everything else in it left as it is."""

from __future__ import annotations

import json
import re
from typing import Any

from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.clients import ENTRY_NAME


class NotMergeable(CommandFailed):
    """The file holds something that a rewrite would lose or that we cannot read."""


def merged(text: str | None, section: str, entry: dict[str, Any]) -> str:
    """The file's new text. Order, indentation and foreign entries stay; our own older entry is replaced."""
    config = _read(text) if text and text.strip() else {}
    if not isinstance(config, dict):
        raise NotMergeable("it does not hold a JSON object")
    servers = config.get(section)
    if servers is None:
        servers = {}
    if not isinstance(servers, dict):
        raise NotMergeable(f"its {section!r} is not a JSON object")
    config[section] = {**servers, ENTRY_NAME: entry}
    return json.dumps(config, indent=_indent_of(text or ""), ensure_ascii=False) + "\n"


def _read(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_without_doubles)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        comments = "; a rewrite would lose its comments" if re.search(r"^\s*(//|/\*)", text, re.MULTILINE) else ""
        raise NotMergeable(f"it is not plain JSON ({error.msg.lower()} at {where}){comments}") from None
    except RecursionError:
        raise NotMergeable("it is nested too deeply") from None


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        doubled = next(name for name, _ in pairs if sum(name == other for other, _ in pairs) > 1)
        raise NotMergeable(f"it has {doubled!r} twice in one object, and a rewrite would lose one of them")
    return found


def _indent_of(text: str) -> int | str:
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    if found is None:
        return 2
    return found.group(1) if "\t" in found.group(1) else len(found.group(1))
