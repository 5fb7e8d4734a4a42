"""Stands in for `record_json.pyx` where that was not compiled, and declines every record: `record.py` writes it."""

from __future__ import annotations

from typing import Any

IS_COMPILED = False


def json_of(value: Any) -> bytes:  # noqa: ARG001
    raise ValueError("not compiled")


def canonical_json(
    values: dict[str, Any],  # noqa: ARG001
    names: tuple[str, ...],  # noqa: ARG001
    written: dict[str, list[bytes]] | None = None,  # noqa: ARG001
) -> bytes:
    raise ValueError("not compiled")
