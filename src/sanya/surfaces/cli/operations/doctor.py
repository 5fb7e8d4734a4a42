"""`sanya doctor`: check a home and print a line per finding, with advice for each problem."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.output.terminal import BAD, GOOD, WARNING, paint, write_json, write_line

_MARKS = {"good": ("✓", GOOD), "note": ("•", WARNING), "bad": ("✗", BAD)}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="Print the findings as JSON.")


def run(options: Namespace) -> int:
    from sanya.checkup.findings import HomeFinding
    from sanya.checkup.home import check_home

    findings: list[HomeFinding] = asyncio.run(check_home({"home": options.home}))
    bad = [finding for finding in findings if finding.state == "bad"]
    if options.json:
        write_json({"ok": not bad, "findings": [asdict(finding) for finding in findings]})
        return FAULT if bad else OK
    for finding in findings:
        mark, colour = _MARKS[finding.state]
        write_line(f"{paint(mark, colour)} {finding.check}: {finding.found}")
        if finding.advice:
            write_line(f"  {finding.advice}")
    if bad:
        write_line(f"\n{len(bad)} problem{'s' * (len(bad) != 1)} to fix")
    return FAULT if bad else OK
