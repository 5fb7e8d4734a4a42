"""The AI clients that Sanya can be connected to: where each keeps its configuration and the entry to put there."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

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

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def to_entry(self, url_name: str = "url", headers_name: str = "headers") -> ClientEntry:
        return {url_name: self.url, **({headers_name: self.headers} if self.key else {})}


ServerTarget = ServerCommand | ServerAddress
FileFormat = Literal["json", "toml", "yaml"]
"""The form of a client's file; JSON may have comments."""


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

    `file` is None for a client that is configured in its own user interface; `steps` then says how. `build_entry` makes
    the entry in the words of the client. `accepts_address` is True if the file may hold the URL of a running server.
    """

    name: str
    title: str
    section: str
    file: Callable[[UserEnvironment], Path] | None
    steps: str
    build_entry: Callable[[ServerTarget], ClientEntry] = lambda server: server.to_entry()
    accepts_address: bool = True
    file_format: FileFormat = "json"

    def build_configuration(self, server: ServerTarget) -> dict[str, Any]:
        """Build the content for the client's configuration file, as data."""
        return {self.section: {ENTRY_NAME: self.build_entry(server)}}


def _build_typed_entry(server: ServerTarget) -> ClientEntry:
    """Build an entry that names its transport."""
    return {"type": "stdio" if isinstance(server, ServerCommand) else "http", **server.to_entry()}


def _build_windsurf_entry(server: ServerTarget) -> ClientEntry:
    return server.to_entry() if isinstance(server, ServerCommand) else server.to_entry("serverUrl")


def _build_gemini_entry(server: ServerTarget) -> ClientEntry:
    return server.to_entry() if isinstance(server, ServerCommand) else server.to_entry("httpUrl")


def _build_codex_entry(server: ServerTarget) -> ClientEntry:
    return server.to_entry() if isinstance(server, ServerCommand) else server.to_entry("url", "http_headers")


def _build_goose_entry(server: ServerTarget) -> ClientEntry:
    common = {"name": ENTRY_NAME, "enabled": True, "timeout": 300}
    if isinstance(server, ServerCommand):
        return {"type": "stdio", "cmd": server.command, "args": list(server.arguments), **common}
    return {"type": "streamable_http", "uri": server.url, "headers": server.headers, **common}


def _locate_claude_code_file(places: UserEnvironment) -> Path:
    return Path(places.environ.get("CLAUDE_CONFIG_DIR") or places.user) / ".claude.json"


def _locate_zed_file(places: UserEnvironment) -> Path:
    if places.platform == "win32":
        return places.find_application_data() / "Zed" / "settings.json"
    # On macOS Zed keeps its settings where Linux does.
    return Path(places.environ.get("XDG_CONFIG_HOME") or places.user / ".config") / "zed" / "settings.json"


def _locate_goose_file(places: UserEnvironment) -> Path:
    if places.platform == "win32":
        return places.find_application_data() / "Block" / "goose" / "config" / "config.yaml"
    return Path(places.environ.get("XDG_CONFIG_HOME") or places.user / ".config") / "goose" / "config.yaml"


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
            build_entry=_build_typed_entry,
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
            build_entry=_build_typed_entry,
        ),
        Client(
            name="windsurf",
            title="Windsurf",
            section="mcpServers",
            file=lambda places: places.user / ".codeium" / "windsurf" / "mcp_config.json",
            steps="In Windsurf's Cascade panel, under MCP servers, press refresh.",
            build_entry=_build_windsurf_entry,
        ),
        Client(
            name="zed",
            title="Zed",
            section="context_servers",
            file=_locate_zed_file,
            steps="Zed reads the file at once; the Agent panel's settings show whether it is connected.",
        ),
        Client(
            name="goose",
            title="Goose",
            section="extensions",
            file=_locate_goose_file,
            steps="Start a new session: goose session.",
            build_entry=_build_goose_entry,
            file_format="yaml",
        ),
        Client(
            name="codex",
            title="Codex",
            section="mcp_servers",
            file=lambda places: Path(places.environ.get("CODEX_HOME") or places.user / ".codex") / "config.toml",
            steps="Start a new session; /mcp shows whether it is connected.",
            build_entry=_build_codex_entry,
            file_format="toml",
        ),
        Client(
            name="gemini",
            title="Gemini CLI",
            section="mcpServers",
            file=lambda places: places.user / ".gemini" / "settings.json",
            steps="Start a new session; /mcp shows whether it is connected.",
            build_entry=_build_gemini_entry,
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


@cache
def load_thai_steps() -> dict[str, str]:
    """Return the steps of every client in Thai, by its name."""
    text = Path(__file__).with_name("client_steps_th.json").read_text(encoding="utf-8")
    steps: dict[str, str] = json.loads(text)
    return steps


def find_program() -> tuple[str, ...]:
    """Return the command that starts this installation from any folder."""
    folder = Path(sys.executable).parent
    for script in (folder / "sanya", folder / "sanya.exe", folder / "Scripts" / "sanya.exe"):
        if script.is_file():
            return (str(script),)
    return (sys.executable, "-m", "sanya.surfaces.cli.main")


def build_connect_command(client: str, settings: Settings) -> str:
    """Build the shell command that connects a client to this home, from any folder."""
    return shlex.join([*find_program(), "connect", client, "--home", str(settings.home.absolute()), "--write"])


def build_server_command(settings: Settings) -> ServerCommand:
    """Build the command with which a client on this machine starts its own server on this home."""
    command = (*find_program(), "mcp", "--home", str(settings.home.absolute()), "--tool-names", "portable")
    return ServerCommand(command[0], command[1:])
