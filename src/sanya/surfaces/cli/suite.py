"""`sanya suite`: write the package of a new suite, publish the contracts of a suite, and check it."""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sanya.kernel.catalogue import Catalogue
from sanya.published_contracts import build_published_files, find_published_folder, write_published
from sanya.suite.definition import check_suite_name
from sanya.surfaces.cli.calls.contracts import refuse_breaking_export
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import FAULT, OK, UsageError
from sanya.surfaces.cli.output.terminal import BAD, GOOD, paint, write_line
from sanya.surfaces.schema_files import build_guest_numbers
from sanya.surfaces.suite_checks import find_suite_problems

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.assembly.guests import GuestSuite

_Result = TypeVar("_Result")

EXAMPLES = """examples:
  sanya suite new glossary
  sanya suite lock glossary
  sanya suite check glossary"""

_FILES = {
    "pyproject.toml": "pyproject.toml.txt",
    "README.md": "README.md.txt",
    ".github/workflows/test.yml": "workflow.txt",
    "sanya_NAME/__init__.py": "package.txt",
    "sanya_NAME/contract.py": "contract.txt",
    "sanya_NAME/store.py": "store.txt",
    "sanya_NAME/tools.py": "tools.txt",
    "sanya_NAME/migrations/0001_notes.sql": "migration.txt",
    "tests/test_suite.py": "test_suite.txt",
}


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    new = actions.add_parser("new", help="Write a package with a suite that works.", allow_abbrev=False)
    new.add_argument("name", help="Name of the suite: lower-case letters and digits.")
    new.add_argument("--to", type=Path, metavar="FOLDER", help="Folder to write (default: sanya-NAME).")
    lock = actions.add_parser("lock", help="Publish the contracts of an installed suite.", allow_abbrev=False)
    lock.add_argument("name", help="Name of the suite, as `sanya suites` shows it.")
    lock.add_argument("--to", type=Path, metavar="FOLDER", help="Folder (default: the one that the suite declares).")
    lock.add_argument("--allow-breaking", action="store_true", help="Publish breaking differences as well.")
    check = actions.add_parser("check", help="Check what we demand of every suite.", allow_abbrev=False)
    check.add_argument("name", help="Name of the suite, as `sanya suites` shows it.")


def run(options: Namespace) -> int:
    return {"new": _write_package, "lock": _lock, "check": _check}[str(options.action)](options)


def _write_package(options: Namespace) -> int:
    try:
        check_suite_name(options.name)
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    folder: Path = options.to or Path(f"sanya-{options.name}")
    if folder.exists() and any(folder.iterdir()):
        raise CommandFailed(f"{folder} is not empty; choose another folder with --to")
    templates = files("sanya.surfaces.cli") / "suite_template"
    for name, template in _FILES.items():
        path = folder / name.replace("NAME", options.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = (templates / template).read_text("utf-8")
        path.write_text(text.replace("NAME", options.name).replace("TITLE", options.name.capitalize()), "utf-8")
    write_line(f"{len(_FILES)} files in {folder}. Next: cd {folder} && pip install -e '.[test]' && pytest")
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
    problems = _run_with_guest(options.name, find_suite_problems)
    for problem in problems:
        write_line(f"{paint('✗', BAD)} {problem}")
    if not problems:
        write_line(f"{paint('✓', GOOD)} {options.name}: bounds, descriptions, examples, lock, GraphQL and gRPC hold")
    return FAULT if problems else OK


async def _return_guest(_: App, guest: GuestSuite) -> GuestSuite:
    return guest


def _run_with_guest(name: str, work: Callable[[App, GuestSuite], Awaitable[_Result]]) -> _Result:
    """Do the work with the installed suite of this name, in an empty home."""

    async def find_and_work(app: App) -> _Result:
        guest = next((guest for guest in app.guests if guest.name == name), None)
        if guest is None:
            raise CommandFailed(f"no installed package declares the suite {name!r}; `sanya suites` lists them")
        return await work(app, guest)

    with tempfile.TemporaryDirectory(prefix="sanya-suite-") as folder:
        empty = Namespace(home=folder)
        return run_in_home(empty, find_and_work, database_url="", tasks_database="", suites_disabled="")
