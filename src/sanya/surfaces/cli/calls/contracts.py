"""`sanya contracts`: publish the contracts as JSON Schemas under a lock, and compare the code with that lock."""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sanya.kernel.catalogue import Catalogue
from sanya.kernel.contract_diff import Difference
from sanya.kernel.contract_lock import publishing_problems
from sanya.kernel.tool import Tool
from sanya.published_contracts import (
    BadLock,
    checkout_folder,
    published_files,
    published_folder,
    read_lock,
    write_published,
)
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.terminal import BAD, GOOD, paint, write_json, write_line
from sanya.surfaces.grpc.field_numbers import BrokenNumbers
from sanya.surfaces.schema_files import PROTO_NAME, schema_differences, schema_files

if TYPE_CHECKING:
    from sanya.app import App

STALE, BREAKING = 1, 2

EXAMPLES = """examples:
  sanya contracts check
  sanya contracts export --to published/

exit codes of check: 0 as published, 1 additions that are not published yet, 2 a broken promise"""


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    export = actions.add_parser(
        "export", help="Write the contract of every tool as JSON, and the lock.", allow_abbrev=False
    )
    export.add_argument("--to", type=Path, metavar="FOLDER", help="Write there. Default: contracts/ of the checkout.")
    export.add_argument("--allow-breaking", action="store_true", help="Publish even what breaks an earlier promise.")
    check = actions.add_parser("check", help="Compare the code with the lock.", allow_abbrev=False)
    check.add_argument("--against", type=Path, metavar="FOLDER", help="Compare with these. Default: those published.")
    check.add_argument("--json", action="store_true", help="Print the differences as JSON.")


def run(options: Namespace) -> int:
    catalogue = _catalogue()
    try:
        return _export(catalogue, options) if options.action == "export" else _check(catalogue, options)
    except BadLock as error:
        raise CommandFailed(str(error)) from None


def _catalogue() -> Catalogue:
    """That of a bare home: contracts are the same whatever a home holds."""

    async def work(app: App) -> Catalogue:
        return app.kernel.catalogue

    with tempfile.TemporaryDirectory(prefix="sanya-contracts-") as bare:
        return in_home(Namespace(home=bare), work, database_url="", tasks_database="")


def _export(catalogue: Catalogue, options: Namespace) -> int:
    folder, tools = options.to or _folder_to_write(), catalogue.tools
    problems = [problem for tool in tools for problem in publishing_problems(tool)]
    if problems:
        raise CommandFailed("these contracts cannot be published yet:\n  " + "\n  ".join(problems))
    if not options.allow_breaking:
        _refuse_breaches(tools, folder)
    try:
        schemas = schema_files(catalogue, folder)
    except BrokenNumbers as broken:
        raise CommandFailed(f"this would break the clients of contracts/{PROTO_NAME}: {broken}") from None
    changed = write_published(folder, {**published_files(tools), **schemas})
    write_line(f"{len(tools)} contracts in {folder}, {len(changed)} file{'s' * (len(changed) != 1)} changed")
    return OK


def _folder_to_write() -> Path:
    folder = checkout_folder()
    if not folder.is_dir():
        raise CommandFailed("this is not a checkout of Sanya; say where to write with --to FOLDER")
    return folder


def _refuse_breaches(tools: Sequence[Tool], folder: Path) -> None:
    if not (folder / "lock.json").exists():
        return
    breaches = [one for one in read_lock(folder).differences(tools) if one.breaking]
    if breaches:
        named = "\n  ".join(map(str, breaches))
        raise CommandFailed(
            f"this would break promises already published:\n  {named}\n"
            "Give the new behaviour a new tool or a new optional field; --allow-breaking publishes it all the same."
        )


def _check(catalogue: Catalogue, options: Namespace) -> int:
    folder, tools = options.against or published_folder(), catalogue.tools
    lock = read_lock(folder)
    differences = [*lock.differences(tools), *schema_differences(catalogue, folder)]
    current = lock.is_current(tools) and not differences
    if options.json:
        write_json([_as_json(one) for one in differences])
    else:
        _write_report(differences, current, len(tools))
    if any(one.breaking for one in differences):
        return BREAKING
    return OK if current else STALE


def _as_json(one: Difference) -> dict[str, str | bool]:
    return {"tool": one.tool, "kind": one.kind, "breaking": one.breaking, "where": one.where, "says": one.says}


def _write_report(differences: Sequence[Difference], current: bool, count: int) -> None:
    for one in differences:
        label = paint("breaking", BAD) if one.breaking else paint("additive", GOOD)
        write_line(f"{label}  {one}")
    if any(one.breaking for one in differences):
        write_line("A published promise is broken; give the new behaviour a new tool or a new optional field.")
    elif current:
        write_line(f"{count} contracts are as published.")
    else:
        write_line("Additions only, not published yet; run `sanya contracts export` (or `make contracts`).")
