"""Stands in for `record_json.pyx` where that was not compiled, and declines every record: `record.py` writes it."""

from __future__ import annotations

from typing import Any

IS_COMPILED = False


def write_canonical_json(values: dict[str, Any], names: tuple[str, ...]) -> bytes:  # noqa: ARG001
    raise ValueError("not compiled")
