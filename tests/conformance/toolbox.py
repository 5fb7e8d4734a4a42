"""The official suite and clients, as npm installs them into `.cache/conformance`, and a Node new enough to run them."""

from __future__ import annotations

import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".cache" / "conformance"
PACKAGES = Path(__file__).parent / "packages"
LEAST_NODE = 22
_MODULES = FOLDER / "node_modules" / "@modelcontextprotocol"
SUITE = _MODULES / "conformance"
INSPECTOR = _MODULES / "inspector" / "clients" / "launcher" / "build" / "index.js"
CLIENT_SCRIPT = FOLDER / "client.mjs"
_STAMP = FOLDER / "installed"


class NoToolbox(Exception):
    """The tools cannot be used; the message says what to do."""


def install() -> None:
    """Installs what the lock names, unless it is there already."""
    if is_installed():
        return
    npm = shutil.which("npm")
    if npm is None:
        raise NoToolbox("npm is needed to install the official suite; install Node.js 22 or newer")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for source in PACKAGES.iterdir():
        shutil.copy(source, FOLDER / source.name)
    # Not `npm ci`: it wants every platform's builds in the lock, and registries do not all carry them.
    quietly = ["--no-audit", "--no-fund", "--omit-lockfile-registry-resolved", "--loglevel=error"]
    subprocess.run([npm, "install", *quietly], cwd=FOLDER, check=True)
    node()
    _STAMP.write_text(_wanted(), encoding="utf-8")


def is_installed() -> bool:
    return _STAMP.is_file() and _STAMP.read_text(encoding="utf-8") == _wanted()


def node() -> str:
    """The Node from the lock, or the machine's own where that one did not come for this platform."""
    for found in (str(FOLDER / "node_modules" / "node" / "bin" / "node"), shutil.which("node")):
        if found is not None and _major(found) >= LEAST_NODE:
            return found
    raise NoToolbox(f"Node.js {LEAST_NODE} or newer is needed; the package `node` did not bring one for this platform")


def environment() -> dict[str, str]:
    """For a process that starts further ones: they find the same Node."""
    return {**os.environ, "PATH": os.pathsep.join([str(Path(node()).parent), os.environ.get("PATH", "")])}


def _wanted() -> str:
    content = b"".join(path.read_bytes() for path in sorted(PACKAGES.iterdir()))
    return sha256(content).hexdigest()


def _major(program: str) -> int:
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        return int(said.strip().lstrip("v").split(".")[0])
    except (OSError, subprocess.CalledProcessError, ValueError):
        return 0
