"""The bill of materials in the wheel names every package of the lock, in a form that CycloneDX accepts."""

from __future__ import annotations

import json
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from hatch_build import build_sbom

ROOT = Path(__file__).resolve().parents[2]


def test_it_is_valid_and_the_same_each_time() -> None:
    bill = json.dumps(build_sbom(ROOT, "0.1.0"))
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(bill) is None
    assert bill == json.dumps(build_sbom(ROOT, "0.1.0"))


def test_every_package_of_the_lock_is_listed_with_its_hashes() -> None:
    lock = (ROOT / "requirements" / "serve.txt").read_text(encoding="utf-8")
    components = build_sbom(ROOT, "0.1.0")["components"]
    assert len(components) == sum("==" in line for line in lock.splitlines())
    assert sum(len(component["hashes"]) for component in components) == lock.count("--hash=sha256:")
