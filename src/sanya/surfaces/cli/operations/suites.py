"""`sanya suites`: list the suites with their packages, versions and state, and disable or enable one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from sanya import __version__
from sanya.assembly.guest_entries import find_guest_entries
from sanya.assembly.guests import GuestStateName, GuestSuite
from sanya.settings import load_settings
from sanya.suites.registry import BUILT_IN
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.operations.settings import change_setting
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_note

if TYPE_CHECKING:
    from sanya.app import App

EXAMPLES = """examples:
  sanya suites
  sanya suites disable funds
  sanya suites enable funds"""

_SETTING = "suites_disabled"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="Print JSON.")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.add_parser("list", help="List the suites (default).", allow_abbrev=False)
    for name, help in (
        ("disable", "Stop serving a suite from the next start on. Its data stays."),
        ("enable", "Serve a disabled suite again."),
    ):
        action = actions.add_parser(name, help=help, allow_abbrev=False)
        action.add_argument("name", help="Name of the suite, as `sanya suites` shows it.")


def run(options: Namespace) -> int:
    if options.action in ("disable", "enable"):
        return _switch(options)
    rows = run_in_home(options, _list_rows, lazily=True)
    if options.json:
        write_json(rows)
        return OK
    columns = ("suite", "package", "version", "state", "tools")
    write_table(columns, [tuple(str(row[column]) for column in columns) for row in rows])
    for row in rows:
        if row["reason"]:
            write_note(f"{row['suite']}: {row['reason']}")
    return OK


async def _list_rows(app: App) -> list[dict[str, Any]]:
    served = {suite.name: suite for suite in app.kernel.catalogue.suites}
    rows = []
    for name in BUILT_IN:
        state: GuestStateName = "served" if name in served else "disabled"
        row = GuestSuite(name=name, package="sanya", version=__version__, state=state)
        rows.append(_make_row(row, len(served[name].tools) if name in served else 0))
    for guest in app.guests:
        rows.append(_make_row(guest, len(guest.suite.tools) if guest.suite else 0))
    return rows


def _make_row(suite: GuestSuite, tools: int) -> dict[str, Any]:
    return {
        "suite": suite.name,
        "package": suite.package,
        "version": suite.version,
        "state": suite.state,
        "tools": tools,
        "reason": suite.reason,
    }


def _switch(options: Namespace) -> int:
    disabled = set(load_settings({"home": options.home}).suites_disabled)
    known = {*BUILT_IN, *(entry.name for entry in find_guest_entries()), *disabled}
    if options.name not in known:
        raise CommandFailed(f"no suite is called {options.name!r}; `sanya suites` lists them")
    changed = disabled | {options.name} if options.action == "disable" else disabled - {options.name}
    return change_setting(options.home, _SETTING, ",".join(sorted(changed)))
