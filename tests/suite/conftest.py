"""A guest suite as a package that is installed: a folder on the path with a module and its metadata."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

GLOSSARY = '''"""A glossary: the short form of a suite."""

from typing import Annotated

from sanya.suite import Context, FunctionSuite, Migration, NotFound, Shape, Store

TABLES = """CREATE TABLE guest_glossary_terms (
    term TEXT PRIMARY KEY,
    meaning TEXT NOT NULL
) STRICT;"""

suite = FunctionSuite("glossary", title="Glossary", migrations=(Migration(1, "terms", TABLES),))


class Definition(Shape):
    term: str
    """The term"""
    meaning: str
    """Its meaning"""


@suite.tool(effect="write", example={"term": "SLA", "meaning": "service level agreement"})
async def add(term: Annotated[str, "The term"], meaning: str, store: Store) -> Definition:
    """Adds a term, or replaces its meaning."""
    sql = "INSERT INTO guest_glossary_terms VALUES (?, ?) ON CONFLICT (term) DO UPDATE SET meaning = excluded.meaning"
    async with store.transaction() as transaction:
        await transaction.execute(sql, (term, meaning))
    return Definition(term=term, meaning=meaning)


@suite.tool(title="Define a term")
async def define(term: Annotated[str, "The term to explain"], store: Store, context: Context) -> Definition:
    """Explains a term."""
    rows = await store.fetch("SELECT term, meaning FROM guest_glossary_terms WHERE term = ?", (term,))
    if not rows:
        raise NotFound(f"no term {term!r}; add it with glossary.add")
    return Definition(term=rows[0][0], meaning=rows[0][1])


@suite.tool()
async def count(store: Store) -> int:
    """Counts the terms."""
    return (await store.fetch("SELECT COUNT(*) FROM guest_glossary_terms"))[0][0]
'''

Installer = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installer:
    """Install a package that declares a suite: `install("glossary", source)`."""

    def install_package(name: str, source: str = GLOSSARY, *, attribute: str = "suite") -> Path:
        folder = tmp_path / f"site-{name}"
        metadata = folder / f"sanya_{name}-1.2.dist-info"
        metadata.mkdir(parents=True)
        module = f"sanya_{name}_{tmp_path.name.replace('-', '_')}"
        (folder / f"{module}.py").write_text(source, "utf-8")
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: sanya-{name}\nVersion: 1.2\n", "utf-8")
        (metadata / "entry_points.txt").write_text(f"[sanya.suites]\n{name} = {module}:{attribute}\n", "utf-8")
        monkeypatch.syspath_prepend(folder)
        return folder

    return install_package
