"""Whether a PostgreSQL server has what the index on it needs."""

from __future__ import annotations

from dataclasses import dataclass

from sanya.kernel.database import Database

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
    """Why it cannot be used, with what to do; empty where it can."""


async def pgvector_of(database: Database) -> Pgvector:
    if database.dialect != "postgresql":
        return Pgvector("", "it needs database_url to name a PostgreSQL server")
    rows = await database.fetch(_LOOK)
    if not rows:
        return Pgvector("", "the server has no pgvector; install it there")
    version, usable = str(rows[0][0]), bool(rows[0][1])
    if tuple(map(int, version.split(".")[:2])) < _LEAST:
        return Pgvector(
            version, f"pgvector {version} is too old; install 0.8 or newer and run ALTER EXTENSION vector UPDATE"
        )
    if not usable:
        return Pgvector(version, "this user may not add pgvector; let an administrator run CREATE EXTENSION vector")
    return Pgvector(version)
