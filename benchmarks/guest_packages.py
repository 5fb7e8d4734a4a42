"""Guest suites as installed packages: folders with a module and its metadata, for a server's path."""

from __future__ import annotations

from pathlib import Path

SHOUT = '''
from typing import Annotated
from sanya.suite import FunctionSuite

suite = FunctionSuite("NAME")


@suite.tool()
async def shout(text: Annotated[str, "A text"]) -> str:
    """Returns the text in capitals."""
    return text.upper()
'''


def write_guest(folder: Path, name: str, source: str = SHOUT) -> None:
    """Write the module of a suite of this name, and the metadata that an installer would write."""
    metadata = folder / f"bench_{name}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (folder / f"bench_{name}.py").write_text(source.replace("NAME", name), "utf-8")
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: bench-{name}\nVersion: 1.0\n", "utf-8")
    (metadata / "entry_points.txt").write_text(f"[sanya.suites]\n{name} = bench_{name}:suite\n", "utf-8")
