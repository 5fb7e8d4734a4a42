"""The contracts as they were published: one JSON file a tool and a lock with their digests.

In a checkout they are the folder `contracts/`; an installed package carries a copy of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import orjson

from sanya.kernel.canonical import canonical_json
from sanya.kernel.catalogue import Catalogue
from sanya.kernel.contract_diff import Contract
from sanya.kernel.contract_lock import ContractLock, refuse_breaking
from sanya.kernel.stamp import digest
from sanya.kernel.tool import Tool

LOCK_NAME = "lock.json"
_FORMAT = 1


class BadLock(ValueError):
    """The published contracts cannot be read; the message says which file and what to do."""


def published_folder() -> Traversable:
    packaged = files("sanya") / "contracts"
    return packaged if packaged.is_dir() else checkout_folder()


def checkout_folder() -> Path:
    """Where a checkout keeps its contracts. Installed from a package, it is a folder that does not exist."""
    return Path(__file__).resolve().parents[2] / "contracts"


def read_lock(folder: Traversable) -> ContractLock:
    """The lock of a folder of contracts. Each contract is checked against its digest when it is read."""
    suites = _locked_suites(folder)
    suite_of = {tool: suite for suite, tools in suites.items() for tool in tools}
    digests = {tool: found for tools in suites.values() for tool, found in tools.items()}

    def read(tool: str) -> Contract:
        name = f"{suite_of[tool]}/{tool}.json"
        contract: Contract = _read_json(folder / suite_of[tool] / f"{tool}.json", name)
        if digest(canonical_json(contract)) != digests[tool]:
            raise BadLock(f"contracts/{name} is not what the lock holds; restore it, or run `sanya contracts export`")
        return contract

    return ContractLock(digests, read)


def refuse_unlocked(catalogue: Catalogue) -> None:
    """Raises BrokenPromise where this code breaks a contract as it was published: such a server must not start."""
    refuse_breaking(catalogue, read_lock(published_folder()))


def lock_digest() -> str:
    """One digest of everything that is published; empty where nothing is."""
    try:
        return digest((published_folder() / LOCK_NAME).read_bytes())
    except FileNotFoundError:
        return ""


def _locked_suites(folder: Traversable) -> Mapping[str, Mapping[str, str]]:
    lock = _read_json(folder / LOCK_NAME, LOCK_NAME)
    if not isinstance(lock, dict) or lock.get("format") != _FORMAT or not isinstance(lock.get("suites"), dict):
        raise BadLock(f"contracts/{LOCK_NAME} has a layout of its own; run `sanya contracts export`")
    suites: Mapping[str, Mapping[str, str]] = lock["suites"]
    return suites


def _read_json(file: Traversable, name: str) -> Any:
    try:
        return orjson.loads(file.read_bytes())
    except FileNotFoundError:
        raise BadLock(f"contracts/{name} is missing; run `sanya contracts export`") from None
    except orjson.JSONDecodeError as error:
        raise BadLock(f"contracts/{name} is not JSON ({error}); run `sanya contracts export`") from None


def published_files(tools: Iterable[Tool]) -> dict[str, bytes]:
    """The whole folder as it should be: path below it → content."""
    found: dict[str, bytes] = {}
    suites: dict[str, dict[str, str]] = {}
    for tool in sorted(tools, key=lambda one: (one.suite, one.name)):
        suites.setdefault(tool.suite, {})[tool.name] = tool.contract_hash
        found[f"{tool.suite}/{tool.name}.json"] = _pretty(tool.contract)
    found[LOCK_NAME] = _pretty({"format": _FORMAT, "suites": suites})
    return found


def write_published(folder: Path, contents: Mapping[str, bytes]) -> list[Path]:
    """Makes the folder hold these contracts and no others; the lock is written last. Gives the files that changed."""
    kept = {folder / path: content for path, content in contents.items()}
    changed = [path for path, content in kept.items() if not path.exists() or path.read_bytes() != content]
    for path in sorted(changed, key=lambda one: one.name == LOCK_NAME):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(kept[path])
    stale = [path for path in sorted(folder.glob("*/*.json")) if path not in kept]
    for path in stale:
        path.unlink()
    return changed + stale


def _pretty(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
