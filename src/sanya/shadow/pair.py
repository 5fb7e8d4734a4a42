"""Derives the settings of a shadow from those of its primary, and checks that both hold the same data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sanya.engines.database import is_postgresql, open_database
from sanya.engines.home import DATABASE_NAME
from sanya.engines.tables import list_tables
from sanya.kernel.storage.database import Database
from sanya.logs import redact
from sanya.settings import BadSetting, Settings

# The files of a shadow whose database is on a server are in this folder of the home.
_FOLDER = "shadow"
_INBOX = "inbox"
# Tables that differ between homes by design, are derived, or are known to servers only.
_NOT_COMPARED = ("ledger", "answers", "keys", "revisions", "retrieval_", "job", "shadow_", "secrets")
_HOME_IDENTITY = "SELECT value FROM secrets WHERE name = 'cursors'"


class NotAShadow(Exception):
    """The shadow cannot be compared. The message says why and what to do."""


def derive_shadow_settings(settings: Settings) -> Settings | None:
    """Return the settings of the shadow, or None where none is set. Redis and telemetry stay the primary's."""
    if not settings.has_shadow:
        return None
    url, home = _locate_shadow(settings)
    index = settings.index if settings.shadow_index == "same" else settings.shadow_index
    shadow_settings = replace(
        settings,
        database_url=url,
        home=home,
        index=index,
        ingest_roots=settings.ingest_roots or (str(settings.home / _INBOX),),
        redis_url="",
        otel_endpoint="",
        replica="",
        shadow="",
        shadow_index="same",
    )
    _refuse_the_same(settings, shadow_settings)
    return shadow_settings


def should_mirror_writes(settings: Settings) -> bool:
    """Return True for a shadow with a database of its own. A second index over the same database needs no writes."""
    return bool(settings.shadow)


def _locate_shadow(settings: Settings) -> tuple[str, Path]:
    if not settings.shadow:
        return settings.database_url, settings.home
    if is_postgresql(settings.shadow):
        return settings.shadow, settings.home / _FOLDER
    if "://" in settings.shadow:
        raise BadSetting("shadow takes an address that begins with postgresql://, or a folder for SQLite")
    return "", Path(settings.shadow).expanduser().absolute()


def _refuse_the_same(settings: Settings, shadow_settings: Settings) -> None:
    if settings.shadow and (settings.shadow == settings.database_url or shadow_settings.home == settings.home):
        raise BadSetting("shadow names the home itself; give another database or folder, or set shadow_index alone")
    if shadow_settings.index == "postgresql" and not shadow_settings.database_url:
        raise BadSetting("shadow_index = postgresql needs a PostgreSQL database: set shadow to its address")
    if shadow_settings.index == settings.index == "weaviate":
        raise BadSetting("both sides would search the same Weaviate; set shadow_index to another index")
    if not settings.shadow and resolve_index(shadow_settings) == resolve_index(settings):
        raise BadSetting(
            f"shadow_index is {resolve_index(shadow_settings)}, which the home searches with already; set another"
        )


def resolve_index(settings: Settings) -> str:
    """Resolve `auto`, assuming that PostgreSQL has pgvector."""
    return settings.index if settings.index != "auto" else ("postgresql" if settings.database_url else "embedded")


def name_trial(settings: Settings, shadow_settings: Settings) -> str:
    """Return the name of the pair of engines; its report is stored under this name."""
    return " | ".join(
        f"{'PostgreSQL' if side.database_url else 'SQLite'}, {resolve_index(side)}"
        for side in (settings, shadow_settings)
    )


async def check_state(primary: Database, settings: Settings, shadow_settings: Settings) -> list[str]:
    """Return the tables whose row counts differ. Raise NotAShadow where the shadow is another home, or none."""
    if not should_mirror_writes(settings):
        return []
    where = redact(settings.shadow)
    if not shadow_settings.database_url and not (shadow_settings.home / DATABASE_NAME).exists():
        raise NotAShadow(f"there is no home in {where}; {_advise_migration(where)}")
    async with open_database(shadow_settings.database_url, shadow_settings.home) as shadow:
        ours, its = await primary.fetch(_HOME_IDENTITY), await shadow.fetch(_HOME_IDENTITY)
        if not its:
            raise NotAShadow(f"the shadow {where} holds nothing; {_advise_migration(where)}")
        if ours != its:
            raise NotAShadow(f"the shadow {where} is another home; give an empty one, and {_advise_migration(where)}")
        return await _find_uneven_tables(primary, shadow)


def _advise_migration(where: str) -> str:
    return f"stop the server, run `sanya migrate --to {where}`, and serve again"


async def _find_uneven_tables(primary: Database, shadow: Database) -> list[str]:
    uneven = []
    for table in list_tables():
        if table.name.startswith(_NOT_COMPARED):
            continue
        sql = f"SELECT COUNT(*) FROM {table.name}"  # noqa: S608 - names of our own
        here, there = (int(str(rows[0][0])) for rows in (await primary.fetch(sql), await shadow.fetch(sql)))
        if here != there:
            uneven.append(f"{table.name}: {here} rows here, {there} in the shadow")
    return uneven
