"""Installs the official suite and clients with npm into `.cache/conformance`, and finds a recent Node to run them."""

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
EVERYTHING = _MODULES / "server-everything" / "dist" / "index.js"
INSPECTOR = _MODULES / "inspector" / "clients" / "launcher" / "build" / "index.js"
CLIENT_SCRIPT = FOLDER / "client.mjs"
_STAMP = FOLDER / "installed"


class NodeToolsMissing(Exception):
    """npm or a recent Node is missing."""


def install() -> None:
    """Install the locked packages unless they are installed."""
    if is_installed():
        return
    npm = shutil.which("npm")
    if npm is None:
        raise NodeToolsMissing("npm is required to install the official suite. Install Node.js 22 or newer.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for source in PACKAGES.iterdir():
        shutil.copy(source, FOLDER / source.name)
    # Not `npm ci`: it needs every platform's builds in the lock, which some registries do not carry.
    quietly = ["--no-audit", "--no-fund", "--omit-lockfile-registry-resolved", "--loglevel=error"]
    subprocess.run([npm, "install", *quietly], cwd=FOLDER, check=True)
    find_node()
    _STAMP.write_text(_hash_packages(), encoding="utf-8")


def is_installed() -> bool:
    return _STAMP.is_file() and _STAMP.read_text(encoding="utf-8") == _hash_packages()


def find_node() -> str:
    """Return the locked Node, or the machine's own where the package has no build for this platform."""
    for candidate in (str(FOLDER / "node_modules" / "node" / "bin" / "node"), shutil.which("node")):
        if candidate is not None and _read_major_version(candidate) >= LEAST_NODE:
            return candidate
    raise NodeToolsMissing(
        f"Node.js {LEAST_NODE} or newer is needed; the package `node` did not bring one for this platform"
    )


def build_environment() -> dict[str, str]:
    """Build an environment in which child processes find the same Node."""
    return {**os.environ, "PATH": os.pathsep.join([str(Path(find_node()).parent), os.environ.get("PATH", "")])}


def _hash_packages() -> str:
    content = b"".join(path.read_bytes() for path in sorted(PACKAGES.iterdir()))
    return sha256(content).hexdigest()


def _read_major_version(program: str) -> int:
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        return int(said.strip().lstrip("v").split(".")[0])
    except (OSError, subprocess.CalledProcessError, ValueError):
        return 0
