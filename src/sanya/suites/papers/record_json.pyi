from typing import Any

IS_COMPILED: bool

def canonical_json(values: dict[str, Any], names: tuple[str, ...]) -> bytes: ...
