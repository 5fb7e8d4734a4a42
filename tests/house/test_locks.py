"""What is installed is what the locks say, whatever is released meanwhile."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("place", ["scripts/setup", "deploy/Dockerfile"])
def test_a_lock_is_installed_as_it_is_and_nothing_is_resolved(place: str) -> None:
    installs = [line for line in (ROOT / place).read_text("utf-8").splitlines() if "--require-hashes" in line]
    assert installs
    assert all("--no-deps" in line for line in installs)


@pytest.mark.parametrize("name", ["dev", "serve"])
def test_a_lock_is_complete(name: str) -> None:
    """Nothing else would notice: what is not resolved is not missed either, until it is imported."""
    locked = _locked(name)
    missing = {
        f"{requirement} (for {package})"
        for package, extras in _wanted(locked).items()
        for requirement in _needed(package, extras)
        if requirement not in locked
    }
    assert not missing


def _locked(name: str) -> set[str]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    return {canonicalize_name(name) for name in re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==", text, re.MULTILINE)}


def _wanted(locked: set[str]) -> dict[str, set[str]]:
    """The extras that are asked for, of every locked package."""
    wanted: dict[str, set[str]] = {package: set() for package in locked}
    for package in locked:
        for line in _lines(package):
            asked = Requirement(line)
            if asked.marker is None or asked.marker.evaluate({"extra": ""}):
                wanted.get(canonicalize_name(asked.name), set()).update(asked.extras)
    return wanted


def _needed(package: str, extras: set[str]) -> set[str]:
    asked = [Requirement(line) for line in _lines(package)]
    return {
        canonicalize_name(requirement.name)
        for requirement in asked
        if requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in ("", *extras))
    }


def _lines(package: str) -> list[str]:
    try:
        return requires(package) or []
    except PackageNotFoundError:  # of another system, or of another Python
        return []
