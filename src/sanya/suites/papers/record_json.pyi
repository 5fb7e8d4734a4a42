from typing import Any

IS_COMPILED: bool

def json_of(value: Any) -> bytes: ...
def canonical_json(
    values: dict[str, Any], names: tuple[str, ...], written: dict[str, list[bytes]] | None = None
) -> bytes: ...
