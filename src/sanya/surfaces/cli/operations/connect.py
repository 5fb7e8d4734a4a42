"""`sanya connect`: print or write the configuration that connects an AI client to this home."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from sanya.settings import Settings, load_settings
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.main import OK, UsageError
from sanya.surfaces.cli.output.terminal import write_line, write_note
from sanya.surfaces.cli.text_files import back_up, read_text, replace_text
from sanya.surfaces.client_files.merging import NotMergeable, format_configuration, merge_entry
from sanya.surfaces.clients import (
    CLIENTS,
    MCP_PATH,
    Client,
    ServerAddress,
    ServerTarget,
    UserEnvironment,
    build_server_command,
)

_FROM_SETTINGS = ""
_YOURS = f"https://YOUR-ADDRESS{MCP_PATH}"

EXAMPLES = """examples:
  sanya connect claude-desktop --write
  sanya connect cursor --http
  sanya connect codex --write --home ~/sanya
  sanya connect vscode --http https://sanya.example.org/mcp/portable --key KEY"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("client", choices=tuple(CLIENTS), help=f"One of {', '.join(CLIENTS)}.", metavar="CLIENT")
    parser.add_argument("--write", action="store_true", help="Merge it into the client's own file and keep a backup.")
    parser.add_argument(
        "--http",
        nargs="?",
        const=_FROM_SETTINGS,
        metavar="URL",
        help="Connect to a running `sanya serve` instead of starting `sanya mcp` (default URL: from the settings).",
    )
    parser.add_argument("--key", help="Bearer key to send, from `sanya keys create`; only with --http.")


def run(options: Namespace) -> int:
    client = CLIENTS[options.client]
    settings = load_settings({"home": options.home})
    server = _choose_server(client, settings, options)
    if client.file is None:
        return _show_steps(client, server, options.write)
    path = client.file(UserEnvironment(sys.platform, os.environ, Path.home()))
    if options.write:
        return _write(client, path, server)
    write_note(f"{client.title} reads this entry from {path} (`--write` adds it):")
    _show_entry(client, server)
    write_note(client.steps)
    return OK


def _choose_server(client: Client, settings: Settings, options: Namespace) -> ServerTarget:
    wants_address = options.http is not None or client.file is None
    if wants_address and not client.accepts_address:
        raise UsageError(
            f"the file of {client.title} only takes programs that it starts itself: leave out --http, or add the "
            "address in its settings under Connectors"
        )
    if options.key and not wants_address:
        raise UsageError("--key needs --http: a program that the client starts needs no key")
    if wants_address:
        return ServerAddress(options.http or (_build_address(settings) if client.file else _YOURS), options.key)
    return build_server_command(settings)


def _build_address(settings: Settings) -> str:
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::", "") else settings.host  # noqa: S104 - read, not bound
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}{MCP_PATH}"


def _show_steps(client: Client, server: ServerTarget, write: bool) -> int:
    if write:
        raise UsageError(f"{client.title} has no configuration file; `sanya connect {client.name}` shows the steps")
    assert isinstance(server, ServerAddress), "a client without a file is given an address"
    write_line(f"Connect {client.title} in its own settings:\n{client.steps}\n   {server.url}")
    return OK


def _show_entry(client: Client, server: ServerTarget) -> None:
    write_line(format_configuration(client.file_format, client.section, client.build_entry(server)).rstrip("\n"))


def _write(client: Client, path: Path, server: ServerTarget) -> int:
    entry = client.build_entry(server)
    try:
        text = read_text(path)
        new = merge_entry(client.file_format, text, client.section, entry)
    except (NotMergeable, UnicodeDecodeError) as error:
        problem = error if isinstance(error, NotMergeable) else "it is not UTF-8 text"
        _show_entry(client, server)
        raise CommandFailed(f"{path} was not changed: {problem}. Add the entry above by hand.") from None
    if text is not None and new == text:
        write_line(f"{path} already has this entry")
        return OK
    backup = back_up(path)
    replace_text(path, new)
    write_line(f"Wrote {path}" + (f"; the old file is {backup.name}" if backup else ""))
    write_line(client.steps)
    return OK
