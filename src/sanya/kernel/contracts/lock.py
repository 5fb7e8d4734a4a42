"""The lock on the published contracts: checks what may be published, and stops a server whose code breaks a
contract."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import jsonschema_rs

from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.diff import Contract, ContractDifference, diff_catalogues
from sanya.kernel.contracts.tool import Tool


class BrokenContract(Exception):
    """Raised when the code breaks a published contract; the message names every breaking difference."""

    def __init__(self, breaches: list[ContractDifference]) -> None:
        named = "\n".join(f"  {breach}" for breach in breaches)
        super().__init__(
            f"the code has {len(breaches)} breaking contract change{'s' if len(breaches) > 1 else ''}:\n{named}\n"
            "Put the new behaviour into a new tool or a new optional field, then run `sanya contracts check`."
        )
        self.breaches = breaches


@dataclass(frozen=True, slots=True)
class ContractLock:
    """The digests of all published contracts. `read` loads one contract, which is needed only if its digest differs."""

    digests: Mapping[str, str]
    read: Callable[[str], Contract]

    def is_current(self, tools: Iterable[Tool]) -> bool:
        return self.digests == {tool.name: tool.contract_hash for tool in tools}

    def find_differences(self, tools: Iterable[Tool]) -> list[ContractDifference]:
        """Return what changed since the contracts were published, breaking differences first."""
        now = {tool.name: tool for tool in tools}
        changed = [name for name, tool in now.items() if self.digests.get(name) != tool.contract_hash]
        gone = [name for name in self.digests if name not in now]
        published = {name: self.read(name) for name in (*changed, *gone) if name in self.digests}
        return diff_catalogues(published, {name: now[name].contract for name in changed})


def refuse_breaking(catalogue: Catalogue, lock: ContractLock) -> None:
    """Raise BrokenContract if a tool differs from its published contract in a way that breaks callers."""
    breaches = [difference for difference in lock.find_differences(catalogue.tools) if difference.breaking]
    if breaches:
        raise BrokenContract(breaches)


def find_publishing_problems(tool: Tool) -> list[str]:
    """Return why a contract may not be published: hosts need inlined schemas, models a description of every field."""
    found = [] if tool.description.strip() else [f"{tool.name} has no description"]
    for side, schema in (("input", tool.input_schema), ("output", tool.output_schema)):
        if not jsonschema_rs.meta.is_valid({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}):
            found.append(f"{tool.name}: {side} is not a JSON Schema of draft 2020-12")
        found += [f"{tool.name}: {problem}" for problem in _find_schema_problems(schema, side)]
    return found


def _find_schema_problems(schema: Mapping[str, Any], where: str) -> Iterator[str]:
    for keyword in ("$ref", "$defs"):
        if keyword in schema:
            yield f"{where} has a {keyword}; publish it inlined"
    for name, field in schema.get("properties", {}).items():
        if not str(field.get("description", "")).strip():
            yield f"{where}.{name} has no description"
        yield from _find_schema_problems(field, f"{where}.{name}")
    for keyword in ("items", "additionalProperties"):
        if isinstance(nested := schema.get(keyword), Mapping):
            yield from _find_schema_problems(nested, f"{where}[]")
    for keyword in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for branch in schema.get(keyword, ()):
            yield from _find_schema_problems(branch, where)
