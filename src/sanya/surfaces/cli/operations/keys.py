"""`sanya keys`: bearer keys for the HTTP address. A key is shown once, when it is made; only its hash is kept."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from typing import TYPE_CHECKING

from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import OK, UsageError
from sanya.surfaces.cli.option_values import natural
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line, write_note

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.kernel.catalogue import Catalogue

_MAX_NAME = 100

EXAMPLES = """examples:
  sanya keys create laptop
  sanya keys create bot --scope tasks:read --calls-per-minute 60
  sanya keys list
  sanya keys revoke 0123456789ab"""


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    create = actions.add_parser("create", help="Make a key and show it, once.", allow_abbrev=False)
    create.add_argument("name", help="Whose it is, for your own eyes.")
    create.add_argument(
        "--scope",
        action="append",
        metavar="SCOPE",
        help="What it may do, e.g. tasks:read; may be repeated. Default: read.",
    )
    create.add_argument(
        "--calls-per-minute", type=natural, metavar="N", help="How often it may call; default: rate_limit_per_minute."
    )
    listing = actions.add_parser("list", help="The keys that were made, without their secrets.", allow_abbrev=False)
    listing.add_argument("--json", action="store_true", help="Print JSON.")
    revoke = actions.add_parser("revoke", help="End a key for good.", allow_abbrev=False)
    revoke.add_argument("id", help="Id of the key, as `sanya keys list` shows it.")


def run(options: Namespace) -> int:
    return {"create": _create, "list": _list, "revoke": _revoke}[str(options.action)](options)


def _create(options: Namespace) -> int:
    name = options.name.strip()
    if not 1 <= len(name) <= _MAX_NAME or not name.isprintable():
        raise UsageError(f"a key's name has 1 to {_MAX_NAME} printable characters, got {options.name!r}")

    async def work(app: App) -> str:
        scopes = _checked(options.scope, app.kernel.catalogue)
        limit = options.calls_per_minute
        return await app.keys.create(name, scopes, app.settings.rate_limit_per_minute if limit is None else limit)

    key = in_home(options, work)
    write_line(key)
    write_note("Keep it now: it cannot be shown again. Callers send it as `Authorization: Bearer <key>`.")
    return OK


def _checked(wanted: list[str] | None, catalogue: Catalogue) -> list[str]:
    """The scopes asked for, or those of all reading tools. A scope that nothing asks for is a slip of the hand."""
    from sanya.surfaces.http.console.ledger import AUDIT_SCOPE
    from sanya.surfaces.http.metrics import METRICS_SCOPE

    if wanted is None:
        return sorted({scope for tool in catalogue.tools if tool.effect == "read" for scope in tool.required_scopes})
    known = {"*", AUDIT_SCOPE, METRICS_SCOPE, *(scope for tool in catalogue.tools for scope in tool.required_scopes)}
    unknown = sorted(set(wanted) - known)
    if unknown:
        raise UsageError(f"nothing asks for the scope {unknown[0]!r}; there are {', '.join(sorted(known))}")
    return wanted


def _list(options: Namespace) -> int:
    async def work(app: App) -> list[dict[str, object]]:
        return [{**asdict(key), "scopes": sorted(key.scopes)} for key in await app.keys.list()]

    rows = in_home(options, work)
    if options.json:
        write_json(rows)
    else:
        columns = ("id", "name", "scopes", "calls_per_minute", "created_at", "last_used_at", "revoked_at")
        write_table(columns, [[_shown(row[column]) for column in columns] for row in rows])
    return OK


def _shown(value: object) -> str:
    return " ".join(value) if isinstance(value, list) else "" if value is None else str(value)


def _revoke(options: Namespace) -> int:
    async def work(app: App) -> None:
        await app.keys.revoke(options.id)

    in_home(options, work)
    write_line(f"{options.id} is revoked")
    return OK
