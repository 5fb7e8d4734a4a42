from typing import Any

IS_COMPILED: bool

def write_canonical_json(values: dict[str, Any], names: tuple[str, ...]) -> bytes: ...
