"""Looks the locked packages up in the lists of known vulnerabilities: `make audit`.

pip-audit asks about every lock in requirements/, npm about web/. Where a registry does not answer, this says what could
not be checked and why. It fails only for vulnerabilities that were found.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
_SECONDS = 300


@dataclass(frozen=True, slots=True)
class AuditResult:
    """`unchecked` is a reason for each package that could not be looked up."""

    source: str
    checked: int
    unchecked: tuple[str, ...]
    vulnerabilities: tuple[str, ...]


def audit_python(lock: Path) -> AuditResult:
    command = [sys.executable, "-m", "pip_audit", "--no-deps", "--disable-pip", "--format", "json", "-r", str(lock)]
    output, problem = _run(command)
    return read_pip_report(lock.name, output, problem)


def read_pip_report(source: str, output: str, problem: str) -> AuditResult:
    packages = _read_json(output).get("dependencies", [])
    if not packages:
        return AuditResult(source, 0, (problem or "pip-audit gave no report",), ())
    unchecked = [f"{package['name']}: {package['skip_reason']}" for package in packages if "skip_reason" in package]
    found = [
        f"{package['name']} {package['version']}: {vulnerability['id']}, fixed in "
        f"{', '.join(vulnerability['fix_versions']) or 'no release yet'}"
        for package in packages
        for vulnerability in package.get("vulns", ())
    ]
    return AuditResult(source, len(packages) - len(unchecked), tuple(unchecked), tuple(found))


def audit_pages(folder: Path) -> AuditResult:
    output, problem = _run(["npm", "audit", "--json", "--prefix", str(folder)])
    return read_npm_report(f"{folder.name}/package-lock.json", output, problem)


def read_npm_report(source: str, output: str, problem: str) -> AuditResult:
    report = _read_json(output)
    if "vulnerabilities" not in report:
        reason = report.get("message") or report.get("error") or problem or "npm gave no report"
        return AuditResult(source, 0, (str(reason)[:200],), ())
    found = [f"{name}: {details['severity']}" for name, details in report["vulnerabilities"].items()]
    total = report.get("metadata", {}).get("dependencies", {}).get("total", 0)
    return AuditResult(source, int(total), (), tuple(found))


def describe(result: AuditResult) -> Iterator[str]:
    yield f"{result.source}: {result.checked} packages checked, {len(result.vulnerabilities)} vulnerabilities"
    for vulnerability in result.vulnerabilities:
        yield f"  VULNERABLE {vulnerability}"
    if result.unchecked:
        yield f"  not checked: {len(result.unchecked)}, for example {result.unchecked[0]}"


def _run(command: Sequence[str]) -> tuple[str, str]:
    """Return the output, and the last line of what went wrong."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False, cwd=ROOT)  # noqa: S603 - fixed commands
    except (OSError, subprocess.TimeoutExpired) as error:
        return "", str(error)
    return done.stdout, (done.stderr.strip().splitlines() or [""])[-1]


def _read_json(text: str) -> dict[str, Any]:
    try:
        report = json.loads(text)
    except ValueError:
        return {}
    return report if isinstance(report, dict) else {}


def main() -> int:
    locks = [ROOT / "requirements" / f"{name}.txt" for name in ("serve", "dev", "bench")]
    results = [*map(audit_python, locks), audit_pages(ROOT / "web")]
    for result in results:
        sys.stdout.write("\n".join(describe(result)) + "\n")
    return 1 if any(result.vulnerabilities for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
