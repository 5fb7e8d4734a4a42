"""Writes the package of a new suite: an example to change, tools to fill in, or a proxy of another server."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from sanya.suite.proxy import write_listing
from sanya.suite.servers import McpServerAddress, ServerListing
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.shape_source import write_contract, write_handlers, write_tools, write_value
from sanya.surfaces.cli.suite_sources import ToolSketch

_COMMON = {
    "pyproject.toml": "pyproject.toml.txt",
    ".github/workflows/test.yml": "workflow.txt",
    ".gitignore": "gitignore.txt",
}
_EXAMPLE = {
    "README.md": "README.md.txt",
    "sanya_NAME/__init__.py": "package.txt",
    "sanya_NAME/contract.py": "contract.txt",
    "sanya_NAME/store.py": "store.txt",
    "sanya_NAME/tools.py": "tools.txt",
    "sanya_NAME/migrations/0001_notes.sql": "migration.txt",
    "docs/NAME.md": "docs.txt",
    "tests/test_suite.py": "test_suite.txt",
}
_SKETCHED = {
    "README.md": "from_readme.txt",
    "sanya_NAME/__init__.py": "from_package.txt",
    "sanya_NAME/tools.py": "from_tools.txt",
    "tests/test_suite.py": "from_test.txt",
}
_PROXY = {
    "README.md": "proxy_readme.txt",
    "sanya_NAME/__init__.py": "proxy_package.txt",
    "tests/test_suite.py": "proxy_test.txt",
}


def write_example_package(folder: Path, name: str) -> int:
    """Write the package and return the number of its files."""
    return _write(folder, name, _EXAMPLE, {}, {})


def write_sketched_package(folder: Path, name: str, sketches: list[ToolSketch]) -> int:
    words = {"HANDLERS": write_handlers(name, sketches), "TOOLS": write_tools(name, sketches)}
    return _write(folder, name, _SKETCHED, words, {"sanya_NAME/contract.py": write_contract(sketches).encode("utf-8")})


def write_proxy_package(folder: Path, name: str, address: McpServerAddress, listing: ServerListing) -> int:
    shown = f"url={write_value(address.url)}" if address.url else f"command={write_value([*address.command])}"
    return _write(folder, name, _PROXY, {"ADDRESS": shown}, {"sanya_NAME/listing.json": write_listing(listing)})


def _write(
    folder: Path, name: str, templates: Mapping[str, str], words: Mapping[str, str], contents: Mapping[str, bytes]
) -> int:
    if folder.exists() and any(folder.iterdir()):
        raise CommandFailed(f"{folder} is not empty; choose another folder with --to")
    source = files("sanya.surfaces.cli") / "suite_template"
    written = dict(contents)
    for file, template in {**_COMMON, **templates}.items():
        text = (source / template).read_text("utf-8").replace("NAME", name).replace("TITLE", name.capitalize())
        for word, value in words.items():
            text = text.replace(word, value)
        written[file] = text.encode("utf-8")
    for file, content in written.items():
        path = folder / file.replace("NAME", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return len(written)
