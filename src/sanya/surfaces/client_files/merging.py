"""Merge Sanya's entry into a client's configuration file and leave everything else unchanged."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from sanya.surfaces.client_files.jsonc_edit import BadJson, parse_jsonc, set_member
from sanya.surfaces.client_files.toml_edit import format_table, set_table
from sanya.surfaces.client_files.yaml_edit import format_entry, set_entry
from sanya.surfaces.clients import ENTRY_NAME, FileFormat


class NotMergeable(Exception):
    """A file with content that a rewrite would lose, or that cannot be read."""


def format_configuration(file_format: FileFormat, section: str, entry: dict[str, Any]) -> str:
    """Format the entry as the whole content of a client's file."""
    match file_format:
        case "json":
            return json.dumps({section: {ENTRY_NAME: entry}}, indent=2, ensure_ascii=False) + "\n"
        case "toml":
            return format_table(section, ENTRY_NAME, entry)
        case "yaml":
            return format_entry(section, ENTRY_NAME, entry)


def merge_entry(file_format: FileFormat, text: str | None, section: str, entry: dict[str, Any]) -> str:
    """Return the new text of the file: Sanya's entry is replaced; order, indentation and other entries stay."""
    if not text or not text.strip():
        return format_configuration(file_format, section, entry)
    match file_format:
        case "json":
            return _merge_json(text, section, entry)
        case "toml":
            return _merge_toml(text, section, entry)
        case "yaml":
            new = set_entry(text, section, ENTRY_NAME, entry)
            if new is None:
                raise NotMergeable(f"its {section!r} is not a plain list of entries below that name")
            return new


def _merge_json(text: str, section: str, entry: dict[str, Any]) -> str:
    config = _read_json(text)
    if not isinstance(config, dict):
        raise NotMergeable("it does not hold a JSON object")
    servers = config.get(section)
    if servers is None:
        servers = {}
    if not isinstance(servers, dict):
        raise NotMergeable(f"its {section!r} is not a JSON object")
    if servers.get(ENTRY_NAME) == entry:
        return text
    wanted = {**config, section: {**servers, ENTRY_NAME: entry}}
    if _is_plain_json(text):
        return json.dumps(wanted, indent=_detect_indent(text), ensure_ascii=False) + "\n"
    # A rewrite would lose comments, so only the entry is put into the text. The result is read back to be sure.
    new = set_member(text, (section, ENTRY_NAME), entry) if config.get(section, {}) is not None else text
    if _read_json(new) != wanted:
        raise NotMergeable("the entry cannot be put into it without losing its comments")
    return new


def _is_plain_json(text: str) -> bool:
    try:
        json.loads(text)
    except json.JSONDecodeError:
        return False
    return True


def _read_json(text: str) -> Any:
    try:
        return parse_jsonc(text)
    except BadJson as error:
        raise NotMergeable(f"it is not JSON ({error})") from None


def _merge_toml(text: str, section: str, entry: dict[str, Any]) -> str:
    try:
        new = set_table(text, section, ENTRY_NAME, entry)
    except tomllib.TOMLDecodeError as error:
        raise NotMergeable(f"it is not TOML ({str(error).lower()})") from None
    if new is None:
        raise NotMergeable(f"its {section!r} is not written as tables")
    return new


def _detect_indent(text: str) -> int | str:
    match = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    if match is None:
        return 2
    return match.group(1) if "\t" in match.group(1) else len(match.group(1))
