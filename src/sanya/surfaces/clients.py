"""The AI clients we can connect to: where each keeps its configuration and how an entry looks in it."""

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
"""Every client gets portable tool names: some of them drop a whole server over one dot in a name."""


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """A server that the client starts itself and talks to over stdin and stdout."""

    command: str
    arguments: tuple[str, ...]

    def to_entry(self) -> ClientEntry:
        return {"command": self.command, "args": list(self.arguments)}


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A server that already runs, with the bearer key it asks for, if any."""

    url: str
    key: str | None = None

    def to_entry(self) -> ClientEntry:
        headers = {"headers": {"Authorization": f"Bearer {self.key}"}} if self.key else {}
        return {"url": self.url, **headers}


ServerTarget = ServerCommand | ServerAddress


@dataclass(frozen=True, slots=True)
class UserEnvironment:
    """What decides where a client's file lies."""

    platform: str
    environ: Mapping[str, str]
    user: Path

    def find_application_data(self) -> Path:
        """Where desktop applications keep their configuration."""
        if self.platform == "win32":
            return Path(self.environ.get("APPDATA") or self.user / "AppData" / "Roaming")
        if self.platform == "darwin":
            return self.user / "Library" / "Application Support"
        return Path(self.environ.get("XDG_CONFIG_HOME") or self.user / ".config")


@dataclass(frozen=True, slots=True)
class Client:
    """`file` is None for a client that is set up in its own windows, `steps` then says how. `typed` entries name their
    transport; `takes_address` tells whether the file may hold the address of a running server."""

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
        """What goes into the client's file."""
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
            steps="Open Cursor's settings, MCP, and switch sanya on.",
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
                "1. Serve Sanya at an https address that the internet can reach, with OAuth (oauth_issuer and\n"
                "   oauth_audience, see `sanya settings`): ChatGPT starts no programs and sees no loopback.\n"
                "2. In ChatGPT's settings, under Apps & Connectors, Advanced, switch developer mode on.\n"
                "3. Create a connector with this address:"
            ),
        ),
    )
}


def find_program() -> tuple[str, ...]:
    """The words that start this very installation from anywhere."""
    folder = Path(sys.executable).parent
    for script in (folder / "sanya", folder / "sanya.exe", folder / "Scripts" / "sanya.exe"):
        if script.is_file():
            return (str(script),)
    return (sys.executable, "-m", "sanya.surfaces.cli.main")


def build_server_command(settings: Settings) -> ServerCommand:
    """How a client on this machine starts a server of its own on this home."""
    words = (*find_program(), "mcp", "--home", str(settings.home.absolute()), "--tool-names", "portable")
    return ServerCommand(words[0], words[1:])
