"""`sanya keys`: manage bearer keys for the HTTP address. A key is shown once, on creation; only its hash is stored."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from typing import TYPE_CHECKING

from sanya.kernel.ledger.owner_actions import record_owner_action
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import OK, UsageError
from sanya.surfaces.cli.option_values import parse_natural
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line, write_note
from sanya.surfaces.key_scopes import UnknownScope, check_scopes, explain_key_name, list_read_scopes

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.kernel.contracts.catalogue import Catalogue

EXAMPLES = """examples:
  sanya keys create laptop
  sanya keys create bot --scope tasks:read --calls-per-minute 60
  sanya keys list
  sanya keys revoke 0123456789ab
  sanya keys open"""


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    create = actions.add_parser("create", help="Create a key and show it once.", allow_abbrev=False)
    create.add_argument("name", help="Name of the key, shown only to you.")
    create.add_argument(
        "--scope",
        action="append",
        metavar="SCOPE",
        help="Scope to grant, e.g. tasks:read; repeatable (default: the scopes of all read tools).",
    )
    create.add_argument(
        "--calls-per-minute",
        type=parse_natural,
        metavar="N",
        help="Rate limit of the key (default: the setting rate_limit_per_minute).",
    )
    listing = actions.add_parser("list", help="List the keys without their secrets.", allow_abbrev=False)
    listing.add_argument("--json", action="store_true", help="Print JSON.")
    revoke = actions.add_parser("revoke", help="Revoke a key for good.", allow_abbrev=False)
    revoke.add_argument("id", help="Id of the key, as `sanya keys list` shows it.")
    actions.add_parser(
        "open",
        help="Let callers in without a key again, once all keys are revoked. Servers that run must be restarted.",
        allow_abbrev=False,
    )


def run(options: Namespace) -> int:
    return {"create": _create, "list": _list, "revoke": _revoke, "open": _open}[str(options.action)](options)


def _create(options: Namespace) -> int:
    name = options.name.strip()
    if problem := explain_key_name(name):
        raise UsageError(f"{problem}, got {options.name!r}")

    async def work(app: App) -> str:
        scopes = _check_scopes(options.scope, app.kernel.catalogue)
        given = options.calls_per_minute
        limit: int = app.settings.rate_limit_per_minute if given is None else given
        content = {"name": name, "scopes": sorted(set(scopes)), "calls_per_minute": limit}
        async with record_owner_action(app.ledger, "keys.create", "keys", content) as action:
            key = await app.keys.create(name, scopes, limit)
            action.add(id=key.split("_")[1])
        return key

    key = run_in_home(options, work)
    write_line(key)
    write_note("Copy the key now: it is not shown again. Callers send it as `Authorization: Bearer <key>`.")
    return OK


def _check_scopes(requested: list[str] | None, catalogue: Catalogue) -> list[str]:
    if requested is None:
        return list_read_scopes(catalogue)
    try:
        return check_scopes(requested, catalogue)
    except UnknownScope as problem:
        raise UsageError(str(problem)) from None


def _list(options: Namespace) -> int:
    async def work(app: App) -> list[dict[str, object]]:
        return [{**asdict(key), "scopes": sorted(key.scopes)} for key in await app.keys.list()]

    rows = run_in_home(options, work)
    if options.json:
        write_json(rows)
    else:
        columns = ("id", "name", "scopes", "calls_per_minute", "created_at", "last_used_at", "revoked_at")
        write_table(columns, [[_format_value(row[column]) for column in columns] for row in rows])
    return OK


def _format_value(value: object) -> str:
    return " ".join(value) if isinstance(value, list) else "" if value is None else str(value)


def _revoke(options: Namespace) -> int:
    async def work(app: App) -> bool:
        async with record_owner_action(app.ledger, "keys.revoke", "keys", {"id": options.id}):
            await app.keys.revoke(options.id)
        return await app.keys.has_active()

    has_active = run_in_home(options, work)
    write_line(f"Revoked key {options.id}")
    if not has_active:
        write_note("No key is active now. Callers still need one; `sanya keys open` lets them in without.")
    return OK


def _open(options: Namespace) -> int:
    async def work(app: App) -> None:
        async with record_owner_action(app.ledger, "keys.open", "keys", {}):
            await app.keys.open_access()

    run_in_home(options, work)
    write_line("Servers that start from now on need no key on this machine. Restart those that run.")
    return OK
