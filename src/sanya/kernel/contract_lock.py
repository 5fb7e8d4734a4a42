"""The lock on the published contracts: what may be published at all, and no serving of a broken promise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import jsonschema_rs

from sanya.kernel.catalogue import Catalogue
from sanya.kernel.contract_diff import Contract, Difference, diff_catalogues
from sanya.kernel.tool import Tool


class BrokenPromise(Exception):
    """The code no longer keeps a contract as it was published; the message names every breach."""

    def __init__(self, breaches: list[Difference]) -> None:
        named = "\n".join(f"  {one}" for one in breaches)
        super().__init__(
            f"the code breaks {len(breaches)} published promise{'s' if len(breaches) > 1 else ''}:\n{named}\n"
            "Give the new behaviour a new tool or a new optional field; `sanya contracts check` shows what is left."
        )
        self.breaches = breaches


@dataclass(frozen=True, slots=True)
class ContractLock:
    """The digests of all published contracts. `read` fetches one, which only a change makes necessary."""

    digests: Mapping[str, str]
    read: Callable[[str], Contract]

    def is_current(self, tools: Iterable[Tool]) -> bool:
        return self.digests == {tool.name: tool.contract_hash for tool in tools}

    def differences(self, tools: Iterable[Tool]) -> list[Difference]:
        """What changed since the contracts were published, the breaking differences first."""
        now = {tool.name: tool for tool in tools}
        changed = [name for name, tool in now.items() if self.digests.get(name) != tool.contract_hash]
        gone = [name for name in self.digests if name not in now]
        published = {name: self.read(name) for name in (*changed, *gone) if name in self.digests}
        return diff_catalogues(published, {name: now[name].contract for name in changed})


def refuse_breaking(catalogue: Catalogue, lock: ContractLock) -> None:
    """Raises BrokenPromise where a tool differs from its published contract in a way that breaks callers."""
    breaches = [one for one in lock.differences(catalogue.tools) if one.breaking]
    if breaches:
        raise BrokenPromise(breaches)


def publishing_problems(tool: Tool) -> list[str]:
    """Why a contract may not be published: hosts need inlined schemas, and models need every field described."""
    found = [] if tool.description.strip() else [f"{tool.name} has no description"]
    for side, schema in (("input", tool.input_schema), ("output", tool.output_schema)):
        if not jsonschema_rs.meta.is_valid({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}):
            found.append(f"{tool.name}: {side} is not a JSON Schema of draft 2020-12")
        found += [f"{tool.name}: {problem}" for problem in _schema_problems(schema, side)]
    return found


def _schema_problems(schema: Mapping[str, Any], where: str) -> Iterator[str]:
    for keyword in ("$ref", "$defs"):
        if keyword in schema:
            yield f"{where} has a {keyword}; publish it inlined"
    for name, field in schema.get("properties", {}).items():
        if not str(field.get("description", "")).strip():
            yield f"{where}.{name} has no description"
        yield from _schema_problems(field, f"{where}.{name}")
    for keyword in ("items", "additionalProperties"):
        if isinstance(nested := schema.get(keyword), Mapping):
            yield from _schema_problems(nested, f"{where}[]")
    for keyword in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for branch in schema.get(keyword, ()):
            yield from _schema_problems(branch, where)
