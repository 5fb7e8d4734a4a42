"""The bundle for desktop hosts (`sanya.mcpb`): a manifest, icons, a settings form, and the pure wheel that uv installs.

The wheel inside makes the bundle independent of any index for Sanya itself; uv fetches what it depends on.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

ROOT = Path(__file__).parents[2]
ICONS = ROOT / "deploy" / "bundle"
EXTRAS = "embeddings,documents"
MCPB = "@anthropic-ai/mcpb@2.1.2"
_START_S = 600

_PROJECT = """[project]
name = "sanya-bundle"
version = "{version}"
requires-python = ">=3.11"
dependencies = ["sanya[{extras}]=={version}"]

[tool.uv]
package = false

[tool.uv.sources]
sanya = {{ path = "{wheel}" }}
"""
_ENTRY = '''"""Starts Sanya on stdin and stdout; uv has installed it beside this file."""

import sys

from sanya.surfaces.cli.main import main

if __name__ == "__main__":
    sys.exit(main(["mcp", *sys.argv[1:]]))
'''
_DESCRIPTION: dict[str, Any] = {
    "manifest_version": "0.4",
    "name": "sanya",
    "display_name": "Sanya",
    "description": "Thai medicine, PubMed, memory, Thai retirement funds and tasks, each answer with its sources.",
    "long_description": (
        "Five expert toolsets for your agent. Every call is validated, bounded, recorded and replayable; every "
        "answer cites its sources, or is withheld. Data stays in one folder on this computer."
    ),
    "author": {"name": "The Sanya authors"},
    "license": "Apache-2.0",
    "keywords": ["thai", "herbs", "pubmed", "memory", "funds", "tasks"],
    "icon": "icon-512.png",
    "icons": [{"src": "icon-128.png", "size": "128x128"}, {"src": "icon-512.png", "size": "512x512"}],
}
_START: dict[str, Any] = {
    "command": "uv",
    "args": [
        *("run", "--directory", "${__dirname}", "server.py"),
        *("--home", "${user_config.home}", "--time-zone", "${user_config.time_zone}"),
        *("--suites", "${user_config.suites}", "--tool-names", "portable"),
    ],
    "env": {"SANYA_ENTREZ_API_KEY": "${user_config.entrez_key}"},
}
_FORM: dict[str, Any] = {
    "home": {
        "type": "directory",
        "title": "Folder for the data",
        "description": "Everything that Sanya remembers is in this folder. It is made if it is not there.",
        "default": "${HOME}/Sanya",
    },
    "time_zone": {
        "type": "string",
        "title": "Time zone",
        "description": "For due dates and weeks, e.g. Asia/Bangkok.",
        "default": "UTC",
    },
    "suites": {
        "type": "string",
        "title": "Suites",
        "description": "Suites whose tools are listed: herbs,papers,memory,funds,tasks, or fewer.",
        "default": "herbs,papers,memory,funds,tasks",
    },
    "entrez_key": {
        "type": "string",
        "title": "PubMed key",
        "description": "NCBI's API key, for faster syncs. Empty: none.",
        "default": "",
        "sensitive": True,
    },
}


def build_manifest(version: str, tools: list[dict[str, str]]) -> dict[str, Any]:
    """Build the manifest of the bundle. The form asks for nothing that is needed to start."""
    return {
        **_DESCRIPTION,
        "version": version,
        "server": {"type": "uv", "entry_point": "server.py", "mcp_config": _START},
        "tools": tools,
        "tools_generated": True,
        "compatibility": {"platforms": ["darwin", "win32", "linux"], "runtimes": {"python": ">=3.11"}},
        "user_config": _FORM,
    }


def build_bundle(wheel: Path, version: str, tools: list[dict[str, str]], target: Path) -> Path:
    """Write the bundle. The same wheel gives the same bytes."""
    files = {
        "manifest.json": json.dumps(build_manifest(version, tools), indent=2, ensure_ascii=False).encode(),
        "pyproject.toml": _PROJECT.format(version=version, extras=EXTRAS, wheel=wheel.name).encode(),
        "server.py": _ENTRY.encode(),
        wheel.name: wheel.read_bytes(),
        **{path.name: path.read_bytes() for path in sorted(ICONS.glob("*.png"))},
        "LICENSE": (ROOT / "LICENSE").read_bytes(),
    }
    with ZipFile(target, "w", ZIP_DEFLATED) as bundle:
        for name, content in files.items():
            bundle.writestr(ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content, ZIP_DEFLATED)
    return target


def validate_bundle(bundle: Path, folder: Path) -> str:
    """Let the official tool check the manifest and the bundle. Return what it said; empty where npm is not there."""
    npx = shutil.which("npx")
    if npx is None:
        return ""
    unpacked = folder / "bundle"
    with ZipFile(bundle) as archive:
        archive.extractall(unpacked)
    ran = subprocess.run(  # noqa: S603
        [npx, "--yes", MCPB, "validate", str(unpacked / "manifest.json")],
        capture_output=True,
        text=True,
        timeout=_START_S,
        check=False,
    )
    if ran.returncode:
        raise SystemExit(f"the bundle is refused by {MCPB}:\n{ran.stdout}{ran.stderr}")
    return ran.stdout.strip()


def read_start_command(unpacked: Path, answers: dict[str, str]) -> tuple[list[str], dict[str, str]]:
    """Return the command and variables with which a host starts the bundle, given the answers to the form."""
    manifest = json.loads((unpacked / "manifest.json").read_text("utf-8"))
    form = {name: answers.get(name, str(item["default"])) for name, item in manifest["user_config"].items()}

    def fill_in(text: str) -> str:
        for name, value in form.items():
            text = text.replace(f"${{user_config.{name}}}", value)
        return text.replace("${__dirname}", str(unpacked)).replace("${HOME}", str(Path.home()))

    start = manifest["server"]["mcp_config"]
    return [fill_in(part) for part in (start["command"], *start["args"])], {
        name: fill_in(value) for name, value in start["env"].items()
    }
