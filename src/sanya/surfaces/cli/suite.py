"""`sanya suite`: write the package of a new suite, publish the contracts of a suite, and check it."""

from __future__ import annotations

import asyncio
import os
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sanya.assembly.guest_entries import find_guest_entries
from sanya.assembly.guests import open_server, read_suite_settings
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.published_contracts import build_published_files, find_published_folder, write_published
from sanya.settings import load_settings
from sanya.suite.definition import check_suite_name
from sanya.suite.proxy import ProxySuite, write_listing
from sanya.surfaces.cli.calls.contracts import refuse_breaking_export
from sanya.surfaces.cli.calls.parity import find_parity_problems
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import FAULT, OK, UsageError
from sanya.surfaces.cli.output.terminal import BAD, GOOD, paint, write_line
from sanya.surfaces.cli.suite_packages import write_example_package, write_proxy_package, write_sketched_package
from sanya.surfaces.cli.suite_sources import (
    fetch_listing,
    is_file_source,
    read_address,
    read_listed_tools,
    read_sketches,
)
from sanya.surfaces.schema_files import build_guest_numbers
from sanya.surfaces.suite_checks import find_suite_problems

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.assembly.guests import GuestSuite

_Result = TypeVar("_Result")

EXAMPLES = """examples:
  sanya suite new glossary
  sanya suite new shop --from openapi.json
  sanya suite new weather --from http://127.0.0.1:8000/mcp --proxy
  sanya suite new files --from "npx -y @modelcontextprotocol/server-filesystem /data" --proxy
  sanya suite lock glossary
  sanya suite check glossary"""


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    new = actions.add_parser("new", help="Write a package with a suite that works.", allow_abbrev=False)
    new.add_argument("name", help="Name of the suite: lower-case letters and digits.")
    new.add_argument("--to", type=Path, metavar="FOLDER", help="Folder to write (default: sanya-NAME).")
    new.add_argument(
        "--from",
        dest="source",
        metavar="SOURCE",
        help="OpenAPI file, JSON Schema, or MCP server (a URL or the command that starts it) to make the tools from.",
    )
    new.add_argument("--proxy", action="store_true", help="Serve the tools of that MCP server instead of writing them.")
    refresh = actions.add_parser("refresh", help="Save the listing of a proxied server again.", allow_abbrev=False)
    refresh.add_argument("name", help="Name of the suite, as `sanya suites` shows it.")
    lock = actions.add_parser("lock", help="Publish the contracts of an installed suite.", allow_abbrev=False)
    lock.add_argument("name", help="Name of the suite, as `sanya suites` shows it.")
    lock.add_argument("--to", type=Path, metavar="FOLDER", help="Folder (default: the one that the suite declares).")
    lock.add_argument("--allow-breaking", action="store_true", help="Publish breaking differences as well.")
    check = actions.add_parser("check", help="Check what we demand of every suite.", allow_abbrev=False)
    check.add_argument("name", help="Name of the suite, as `sanya suites` shows it.")


def run(options: Namespace) -> int:
    actions = {"new": _write_package, "lock": _lock, "check": _check, "refresh": _refresh}
    return actions[str(options.action)](options)


def _write_package(options: Namespace) -> int:
    try:
        check_suite_name(options.name)
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    if options.proxy and (not options.source or is_file_source(options.source)):
        raise UsageError("--proxy needs --from with the URL of an MCP server or the command that starts it")
    folder: Path = options.to or Path(f"sanya-{options.name}")
    if not options.source:
        count = write_example_package(folder, options.name)
    elif is_file_source(options.source):
        count = write_sketched_package(folder, options.name, read_sketches(Path(options.source)))
    else:
        address = read_address(options.source)
        listing = asyncio.run(fetch_listing(options.name, address, open_server))
        if options.proxy:
            count = write_proxy_package(folder, options.name, address, listing)
        else:
            count = write_sketched_package(folder, options.name, read_listed_tools(listing))
    write_line(f"{count} files in {folder}. Next: cd {folder} && pip install -e '.[test]' && pytest")
    return OK


def _refresh(options: Namespace) -> int:
    entry = next((entry for entry in find_guest_entries() if entry.name == options.name), None)
    proxy = None if entry is None else entry.load()
    if not isinstance(proxy, ProxySuite):
        raise CommandFailed(f"no installed package declares a proxy suite {options.name!r}")
    if not isinstance(proxy.listing, Path):
        raise CommandFailed(
            "the listing is inside an archive; install the package from its folder, with pip install -e"
        )
    settings = read_suite_settings(proxy.definition, load_settings({"home": options.home}).home)
    listing = asyncio.run(fetch_listing(options.name, proxy.get_address(settings), open_server))
    tools = proxy.build_tools(listing)
    proxy.listing.write_bytes(write_listing(listing))
    write_line(f"{len(tools)} tools in {proxy.listing}. Next: sanya suite lock {options.name}")
    return OK


def _lock(options: Namespace) -> int:
    guest = _run_with_guest(options.name, _return_guest)
    if guest.suite is None or guest.definition is None:
        raise CommandFailed(f"{guest.name} is not served: {guest.reason}")
    declared = guest.definition.contracts
    folder = options.to or (declared if isinstance(declared, Path) else None)
    if folder is None:
        raise CommandFailed("the suite declares no folder of contracts; choose one with --to FOLDER")
    if not options.allow_breaking:
        refuse_breaking_export(guest.suite.tools, folder)
    numbers = build_guest_numbers(Catalogue([guest.suite]), folder, find_published_folder())
    changed = write_published(folder, {**build_published_files(guest.suite.tools), **numbers})
    write_line(
        f"{len(guest.suite.tools)} contracts in {folder}, {len(changed)} file{'s' * (len(changed) != 1)} changed"
    )
    return OK


def _check(options: Namespace) -> int:
    problems = _run_with_guest(options.name, _find_problems)
    for problem in problems:
        write_line(f"{paint('✗', BAD)} {problem}")
    if not problems:
        checked = "bounds, descriptions, examples, made-up inputs, lock, GraphQL, gRPC and parity on all surfaces"
        write_line(f"{paint('✓', GOOD)} {options.name}: {checked} hold")
    return FAULT if problems else OK


async def _find_problems(app: App, guest: GuestSuite) -> list[str]:
    problems = await find_suite_problems(app, guest)
    if problems or guest.suite is None:
        return problems
    return await find_parity_problems(app, guest.suite.tools)


async def _return_guest(_: App, guest: GuestSuite) -> GuestSuite:
    return guest


def _run_with_guest(name: str, work: Callable[[App, GuestSuite], Awaitable[_Result]]) -> _Result:
    """Do the work with the installed suite of this name, in an empty home."""

    async def find_and_work(app: App) -> _Result:
        guest = next((guest for guest in app.guests if guest.name == name), None)
        if guest is None:
            raise CommandFailed(f"no installed package declares the suite {name!r}; `sanya suites` lists them")
        return await work(app, guest)

    for setting in ("DATABASE_URL", "TASKS_DATABASE", "SUITES_DISABLED"):
        os.environ.pop(f"SANYA_{setting}", None)  # the server of the parity check inherits them
    with tempfile.TemporaryDirectory(prefix="sanya-suite-") as folder:
        empty = Namespace(home=folder)
        return run_in_home(empty, find_and_work, database_url="", tasks_database="", suites_disabled="")
