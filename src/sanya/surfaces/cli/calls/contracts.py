"""`sanya contracts`: publish the contracts as JSON Schemas with a lock, and compare the code with that lock."""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.diff import ContractDifference
from sanya.kernel.contracts.lock import find_publishing_problems
from sanya.kernel.contracts.tool import Tool
from sanya.published_contracts import (
    BadLock,
    build_published_files,
    find_checkout_folder,
    find_published_folder,
    read_lock,
    write_published,
)
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.terminal import BAD, GOOD, paint, write_json, write_line
from sanya.surfaces.grpc.field_numbers import FieldNumberConflict
from sanya.surfaces.schema_files import PROTO_NAME, build_schema_files, compare_schema_files

if TYPE_CHECKING:
    from sanya.app import App

STALE, BREAKING = 1, 2

EXAMPLES = """examples:
  sanya contracts check
  sanya contracts export --to published/

exit codes of check: 0 unchanged, 1 unpublished additions, 2 breaking differences"""


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    export = actions.add_parser(
        "export", help="Write the contract of every tool as JSON, and the lock.", allow_abbrev=False
    )
    export.add_argument(
        "--to", type=Path, metavar="FOLDER", help="Folder to write to (default: contracts/ of the checkout)."
    )
    export.add_argument("--allow-breaking", action="store_true", help="Publish breaking differences as well.")
    check = actions.add_parser("check", help="Compare the code with the lock.", allow_abbrev=False)
    check.add_argument(
        "--against", type=Path, metavar="FOLDER", help="Contracts to compare with (default: the published ones)."
    )
    check.add_argument("--json", action="store_true", help="Print the differences as JSON.")


def run(options: Namespace) -> int:
    catalogue = _read_catalogue()
    try:
        return _export(catalogue, options) if options.action == "export" else _check(catalogue, options)
    except BadLock as error:
        raise CommandFailed(str(error)) from None


def _read_catalogue() -> Catalogue:
    """Return the catalogue of an empty home: contracts do not depend on what a home holds."""

    async def work(app: App) -> Catalogue:
        return app.kernel.catalogue

    with tempfile.TemporaryDirectory(prefix="sanya-contracts-") as folder:
        return run_in_home(
            Namespace(home=folder), work, with_guests=False, database_url="", tasks_database="", suites_disabled=""
        )


def _export(catalogue: Catalogue, options: Namespace) -> int:
    folder, tools = options.to or _find_export_folder(), catalogue.tools
    problems = [problem for tool in tools for problem in find_publishing_problems(tool)]
    if problems:
        raise CommandFailed("these contracts cannot be published yet:\n  " + "\n  ".join(problems))
    if not options.allow_breaking:
        refuse_breaking_export(tools, folder)
    try:
        schemas = build_schema_files(catalogue, folder)
    except FieldNumberConflict as broken:
        raise CommandFailed(f"this export would break clients of contracts/{PROTO_NAME}: {broken}") from None
    changed = write_published(folder, {**build_published_files(tools), **schemas})
    write_line(f"{len(tools)} contracts in {folder}, {len(changed)} file{'s' * (len(changed) != 1)} changed")
    return OK


def _find_export_folder() -> Path:
    folder = find_checkout_folder()
    if not folder.is_dir():
        raise CommandFailed("this is not a checkout of Sanya; choose a folder with --to FOLDER")
    return folder


def refuse_breaking_export(tools: Sequence[Tool], folder: Path) -> None:
    if not (folder / "lock.json").exists():
        return
    breaking = [difference for difference in read_lock(folder).find_differences(tools) if difference.breaking]
    if breaking:
        listing = "\n  ".join(map(str, breaking))
        raise CommandFailed(
            f"this export would break published contracts:\n  {listing}\n"
            "Give the new behaviour a new tool or a new optional field, or publish it with --allow-breaking."
        )


def _check(catalogue: Catalogue, options: Namespace) -> int:
    folder, tools = options.against or find_published_folder(), catalogue.tools
    lock = read_lock(folder)
    differences = [*lock.find_differences(tools), *compare_schema_files(catalogue, folder)]
    current = lock.is_current(tools) and not differences
    if options.json:
        write_json([_as_json(difference) for difference in differences])
    else:
        _write_report(differences, current, len(tools))
    if any(difference.breaking for difference in differences):
        return BREAKING
    return OK if current else STALE


def _as_json(difference: ContractDifference) -> dict[str, str | bool]:
    return {name: getattr(difference, name) for name in ("tool", "kind", "breaking", "where", "says")}


def _write_report(differences: Sequence[ContractDifference], current: bool, count: int) -> None:
    for difference in differences:
        label = paint("breaking", BAD) if difference.breaking else paint("additive", GOOD)
        write_line(f"{label}  {difference}")
    if any(difference.breaking for difference in differences):
        write_line("A published contract is broken. Give the new behaviour a new tool or a new optional field.")
    elif current:
        write_line(f"All {count} contracts match the published ones.")
    else:
        write_line("There are unpublished additions. Run `sanya contracts export` (or `make contracts`).")
