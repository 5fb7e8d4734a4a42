"""The audit of the locks: what it found, and what it could not look up."""

from __future__ import annotations

import json

from scripts.audit import AuditResult, describe, read_npm_report, read_pip_report


def test_a_known_vulnerability_is_named_with_the_release_that_mends_it() -> None:
    report = {
        "dependencies": [
            {"name": "good", "version": "1", "vulns": []},
            {"name": "bad", "version": "2", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1"]}]},
        ]
    }
    result = read_pip_report("serve.txt", json.dumps(report), "")
    assert result == AuditResult("serve.txt", 2, (), ("bad 2: PYSEC-1, fixed in 2.1",))
    assert "  VULNERABLE bad 2: PYSEC-1, fixed in 2.1" in list(describe(result))


def test_a_package_that_was_not_looked_up_is_not_called_checked() -> None:
    report = {"dependencies": [{"name": "odd", "skip_reason": "not found"}]}
    result = read_pip_report("serve.txt", json.dumps(report), "")
    assert (result.checked, result.unchecked) == (0, ("odd: not found",))
    assert list(describe(result))[-1] == "  not checked: 1, for example odd: not found"


def test_a_registry_that_refuses_is_a_reason_and_no_success() -> None:
    assert read_pip_report("serve.txt", "", "connection refused").unchecked == ("connection refused",)
    refused = json.dumps({"message": "405 Method Not Allowed", "error": {}})
    assert read_npm_report("web/package-lock.json", refused, "").unchecked == ("405 Method Not Allowed",)


def test_npm_names_packages_and_severity() -> None:
    report = {"vulnerabilities": {"left-pad": {"severity": "high"}}, "metadata": {"dependencies": {"total": 9}}}
    result = read_npm_report("web/package-lock.json", json.dumps(report), "")
    assert (result.checked, result.vulnerabilities) == (9, ("left-pad: high",))
