"""The entry for the MCP registry (`server.json`): how a client gets and starts Sanya."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json"
DESCRIPTION = "Thai medicine, PubMed, memory, Thai funds and tasks: every answer cited, recorded, replayable."


def build_registry_entry(name: str, version: str, bundle: Path, bundle_url: str) -> dict[str, Any]:
    """Build the entry. `name` is the publisher's own, `bundle_url` the address that the bundle is published at."""
    home = {
        "type": "named",
        "name": "--home",
        "description": "Folder of the data (default: the platform's folder for application data).",
        "format": "filepath",
    }
    portable = {"type": "named", "name": "--tool-names", "value": "portable"}
    return {
        "$schema": SCHEMA,
        "name": name,
        "description": DESCRIPTION,
        "version": version,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": "sanya",
                "version": version,
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
                "packageArguments": [{"type": "positional", "value": "mcp"}, home, portable],
            },
            {
                "registryType": "mcpb",
                "identifier": bundle_url,
                "version": version,
                "fileSha256": sha256(bundle.read_bytes()).hexdigest(),
                "transport": {"type": "stdio"},
            },
        ],
    }
