"""The AI clients that Sanya can be connected to: where each keeps its configuration and the entry to put there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sanya.settings import Settings

ClientEntry = dict[str, Any]

ENTRY_NAME = "sanya"
MCP_PATH = "/mcp/portable"
"""Every client gets portable tool names, because some drop a whole server over a dot in a name."""


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """A command with which the client starts a server and talks to it over stdin and stdout."""

    command: str
    arguments: tuple[str, ...]

    def to_entry(self) -> ClientEntry:
        return {"command": self.command, "args": list(self.arguments)}


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """The URL of a running server, and the bearer key it needs, if any."""

    url: str
    key: str | None = None

    def to_entry(self) -> ClientEntry:
        headers = {"headers": {"Authorization": f"Bearer {self.key}"}} if self.key else {}
        return {"url": self.url, **headers}


ServerTarget = ServerCommand | ServerAddress


@dataclass(frozen=True, slots=True)
class UserEnvironment:
    """The facts that decide where a client's configuration file is."""

    platform: str
    environ: Mapping[str, str]
    user: Path

    def find_application_data(self) -> Path:
        """Return the folder where desktop applications keep their configuration."""
        if self.platform == "win32":
            return Path(self.environ.get("APPDATA") or self.user / "AppData" / "Roaming")
        if self.platform == "darwin":
            return self.user / "Library" / "Application Support"
        return Path(self.environ.get("XDG_CONFIG_HOME") or self.user / ".config")


@dataclass(frozen=True, slots=True)
class Client:
    """An AI client.

    `file` is None for a client that is configured in its own user interface; `steps` then says how. `typed` clients
    want the transport named in the entry. `accepts_address` is True if the file may hold the URL of a running server.
    """

    name: str
    title: str
    section: str
    file: Callable[[UserEnvironment], Path] | None
    steps: str
    typed: bool = False
    accepts_address: bool = True

    def build_entry(self, server: ServerTarget) -> ClientEntry:
        kind = "stdio" if isinstance(server, ServerCommand) else "http"
        return {"type": kind, **server.to_entry()} if self.typed else server.to_entry()

    def build_configuration(self, server: ServerTarget) -> dict[str, Any]:
        """Build the content for the client's configuration file."""
        return {self.section: {ENTRY_NAME: self.build_entry(server)}}


def _locate_claude_code_file(places: UserEnvironment) -> Path:
    return Path(places.environ.get("CLAUDE_CONFIG_DIR") or places.user) / ".claude.json"


CLIENTS = {
    client.name: client
    for client in (
        Client(
            name="claude-desktop",
            title="Claude Desktop",
            section="mcpServers",
            file=lambda places: places.find_application_data() / "Claude" / "claude_desktop_config.json",
            steps="Quit Claude Desktop and start it again.",
            accepts_address=False,
        ),
        Client(
            name="claude-code",
            title="Claude Code",
            section="mcpServers",
            file=_locate_claude_code_file,
            steps="Start a new session; /mcp shows whether it is connected.",
            typed=True,
        ),
        Client(
            name="cursor",
            title="Cursor",
            section="mcpServers",
            file=lambda places: places.user / ".cursor" / "mcp.json",
            steps="In Cursor's settings, under MCP, turn on sanya.",
        ),
        Client(
            name="vscode",
            title="VS Code",
            section="servers",
            file=lambda places: places.find_application_data() / "Code" / "User" / "mcp.json",
            steps="Run `MCP: List Servers` from the command palette and start sanya.",
            typed=True,
        ),
        Client(
            name="chatgpt",
            title="ChatGPT",
            section="",
            file=None,
            steps=(
                "1. Serve Sanya at an https URL that the internet can reach, with OAuth (oauth_issuer and\n"
                "   oauth_audience, see `sanya settings`). ChatGPT cannot start programs or reach localhost.\n"
                "2. In ChatGPT's settings, under Apps & Connectors, Advanced, turn on developer mode.\n"
                "3. Create a connector with this URL:"
            ),
        ),
    )
}


def find_program() -> tuple[str, ...]:
    """Return the command that starts this installation from any folder."""
    folder = Path(sys.executable).parent
    for script in (folder / "sanya", folder / "sanya.exe", folder / "Scripts" / "sanya.exe"):
        if script.is_file():
            return (str(script),)
    return (sys.executable, "-m", "sanya.surfaces.cli.main")


def build_server_command(settings: Settings) -> ServerCommand:
    """Build the command with which a client on this machine starts its own server on this home."""
    command = (*find_program(), "mcp", "--home", str(settings.home.absolute()), "--tool-names", "portable")
    return ServerCommand(command[0], command[1:])
