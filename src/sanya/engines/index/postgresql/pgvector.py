"""Checks whether a PostgreSQL server has the pgvector extension that the index needs."""

from __future__ import annotations

from dataclasses import dataclass

from sanya.kernel.storage.database import Database

_LEAST = (0, 8)
_LOOK = """
SELECT COALESCE(e.installed_version, e.default_version), e.installed_version IS NOT NULL
    OR r.rolsuper OR (v.trusted AND has_database_privilege(current_database(), 'CREATE'))
FROM pg_available_extensions e
JOIN pg_available_extension_versions v ON v.name = e.name AND v.version = e.default_version
JOIN pg_roles r ON r.rolname = current_user
WHERE e.name = 'vector'"""


@dataclass(frozen=True, slots=True)
class Pgvector:
    version: str
    problem: str = ""
    """Why pgvector cannot be used and what to do; empty if it can."""


async def check_pgvector(database: Database) -> Pgvector:
    if database.dialect != "postgresql":
        return Pgvector("", "pgvector needs a PostgreSQL server; set database_url to its address")
    rows = await database.fetch(_LOOK)
    if not rows:
        return Pgvector("", "the PostgreSQL server has no pgvector; install it there")
    version, usable = str(rows[0][0]), bool(rows[0][1])
    if tuple(map(int, version.split(".")[:2])) < _LEAST:
        return Pgvector(
            version, f"pgvector {version} is too old; install 0.8 or newer and run ALTER EXTENSION vector UPDATE"
        )
    if not usable:
        return Pgvector(
            version, "this database user may not add pgvector; ask an administrator to run CREATE EXTENSION vector"
        )
    return Pgvector(version)
