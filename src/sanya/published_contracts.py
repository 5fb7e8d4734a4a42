"""The published contracts: one JSON file per tool, and a lock with their digests.

In a checkout they are the folder `contracts/`; an installed package contains a copy of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import orjson

from sanya.kernel.calls.stamp import digest
from sanya.kernel.canonical import to_canonical_json
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.diff import Contract
from sanya.kernel.contracts.lock import ContractLock, refuse_breaking
from sanya.kernel.contracts.tool import Tool

LOCK_NAME = "lock.json"
_FORMAT = 1


class BadLock(ValueError):
    """Published contracts that cannot be read. The message names the file and says what to do."""


def find_published_folder() -> Traversable:
    packaged = files("sanya") / "contracts"
    return packaged if packaged.is_dir() else find_checkout_folder()


def find_checkout_folder() -> Path:
    """Return the contracts folder of a checkout. In an installed package, this folder does not exist."""
    return Path(__file__).resolve().parents[2] / "contracts"


def read_lock(folder: Traversable, *, without: Collection[str] = ()) -> ContractLock:
    """Read the lock of a folder of contracts, `without` those of suites that are not served.

    Each contract is checked against its digest when it is read.
    """
    suites = {suite: tools for suite, tools in _read_locked_suites(folder).items() if suite not in without}
    suite_of = {tool: suite for suite, tools in suites.items() for tool in tools}
    digests = {tool: expected for tools in suites.values() for tool, expected in tools.items()}

    def read(tool: str) -> Contract:
        name = f"{suite_of[tool]}/{tool}.json"
        contract: Contract = _read_json(folder / suite_of[tool] / f"{tool}.json", name)
        if digest(to_canonical_json(contract)) != digests[tool]:
            raise BadLock(f"contracts/{name} does not match the lock; restore it, or run `sanya contracts export`")
        return contract

    return ContractLock(digests, read)


def refuse_unlocked(catalogue: Catalogue, *, without: Collection[str] = ()) -> None:
    """Raises BrokenContract where this code breaks a contract as it was published: such a server must not start."""
    refuse_breaking(catalogue, read_lock(find_published_folder(), without=without))


def compute_lock_digest() -> str:
    """Return the digest of all published contracts, or an empty text if nothing is published."""
    try:
        return digest((find_published_folder() / LOCK_NAME).read_bytes())
    except FileNotFoundError:
        return ""


def _read_locked_suites(folder: Traversable) -> Mapping[str, Mapping[str, str]]:
    lock = _read_json(folder / LOCK_NAME, LOCK_NAME)
    if not isinstance(lock, dict) or lock.get("format") != _FORMAT or not isinstance(lock.get("suites"), dict):
        raise BadLock(f"contracts/{LOCK_NAME} has an unknown layout; run `sanya contracts export`")
    suites: Mapping[str, Mapping[str, str]] = lock["suites"]
    return suites


def _read_json(file: Traversable, name: str) -> Any:
    try:
        return orjson.loads(file.read_bytes())
    except FileNotFoundError:
        raise BadLock(f"contracts/{name} is missing; run `sanya contracts export`") from None
    except orjson.JSONDecodeError as error:
        raise BadLock(f"contracts/{name} is not JSON ({error}); run `sanya contracts export`") from None


def build_published_files(tools: Iterable[Tool]) -> dict[str, bytes]:
    """Return the content of every file of the contracts folder, by its relative path."""
    contents: dict[str, bytes] = {}
    suites: dict[str, dict[str, str]] = {}
    for tool in sorted(tools, key=lambda tool: (tool.suite, tool.name)):
        suites.setdefault(tool.suite, {})[tool.name] = tool.contract_hash
        contents[f"{tool.suite}/{tool.name}.json"] = _dump_pretty(tool.contract)
    contents[LOCK_NAME] = _dump_pretty({"format": _FORMAT, "suites": suites})
    return contents


def write_published(folder: Path, contents: Mapping[str, bytes]) -> list[Path]:
    """Write these contracts, remove all others, and return the changed files. The lock is written last."""
    current = {folder / path: content for path, content in contents.items()}
    changed = [path for path, content in current.items() if not path.exists() or path.read_bytes() != content]
    for path in sorted(changed, key=lambda path: path.name == LOCK_NAME):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(current[path])
    stale = [path for path in sorted(folder.glob("*/*.json")) if path not in current]
    for path in stale:
        path.unlink()
    return changed + stale


def _dump_pretty(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
