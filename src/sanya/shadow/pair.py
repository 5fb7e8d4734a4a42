"""Which engines a shadow stands on, by the settings of the home beside which it runs, and whether it holds the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sanya.engines.database import is_postgresql, open_database
from sanya.engines.home import DATABASE_NAME
from sanya.engines.tables import known_tables
from sanya.kernel.database import Database
from sanya.logs import redact
from sanya.settings import BadSetting, Settings

# Where the files of a shadow are whose database is on a server.
_FOLDER = "shadow"
_INBOX = "inbox"
# What is each home's own, what follows by itself, and what only servers know.
_NOT_COMPARED = ("ledger", "answers", "keys", "revisions", "retrieval_", "job", "shadow_", "secrets")
_WHOSE = "SELECT value FROM secrets WHERE name = 'cursors'"


class NotAShadow(Exception):
    """What is there cannot be compared; the message says why and what to do."""


def shadow_settings(settings: Settings) -> Settings | None:
    """The settings of the shadow, or None where none is wanted. It has no part in Redis, telemetry and replicas: they
    are the primary's."""
    if not settings.has_shadow:
        return None
    url, home = _place(settings)
    index = settings.index if settings.shadow_index == "same" else settings.shadow_index
    theirs = replace(
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
    _refuse_the_same(settings, theirs)
    return theirs


def mirrors_writes(settings: Settings) -> bool:
    """A second home is written to as well; a second index over the same database follows that."""
    return bool(settings.shadow)


def _place(settings: Settings) -> tuple[str, Path]:
    if not settings.shadow:
        return settings.database_url, settings.home
    if is_postgresql(settings.shadow):
        return settings.shadow, settings.home / _FOLDER
    if "://" in settings.shadow:
        raise BadSetting("shadow takes an address that begins with postgresql://, or a folder for SQLite")
    return "", Path(settings.shadow).expanduser().absolute()


def _refuse_the_same(settings: Settings, theirs: Settings) -> None:
    if settings.shadow and (settings.shadow == settings.database_url or theirs.home == settings.home):
        raise BadSetting("shadow names the home itself; give another database or folder, or set shadow_index alone")
    if theirs.index == "postgresql" and not theirs.database_url:
        raise BadSetting("shadow_index = postgresql needs a PostgreSQL database: set shadow to its address")
    if theirs.index == settings.index == "weaviate":
        raise BadSetting("both sides would search the same Weaviate; set shadow_index to another index")
    if not settings.shadow and index_of(theirs) == index_of(settings):
        raise BadSetting(f"shadow_index is {index_of(theirs)}, which the home searches with already; set another")


def index_of(settings: Settings) -> str:
    """What `auto` comes to, where PostgreSQL has pgvector."""
    return settings.index if settings.index != "auto" else ("postgresql" if settings.database_url else "embedded")


def trial_of(settings: Settings, theirs: Settings) -> str:
    """The name of the pair, under which its report is kept."""
    return " | ".join(
        f"{'PostgreSQL' if one.database_url else 'SQLite'}, {index_of(one)}" for one in (settings, theirs)
    )


async def check_state(primary: Database, settings: Settings, theirs: Settings) -> list[str]:
    """Raises NotAShadow where another home or none is there; returns the tables that hold more here or there."""
    if not mirrors_writes(settings):
        return []
    where = redact(settings.shadow)
    if not theirs.database_url and not (theirs.home / DATABASE_NAME).exists():
        raise NotAShadow(f"there is no home in {where}; {_advice(where)}")
    async with open_database(theirs.database_url, theirs.home) as shadow:
        ours, its = await primary.fetch(_WHOSE), await shadow.fetch(_WHOSE)
        if not its:
            raise NotAShadow(f"the shadow {where} holds nothing; {_advice(where)}")
        if ours != its:
            raise NotAShadow(f"the shadow {where} is another home; give an empty one, and {_advice(where)}")
        return await _uneven(primary, shadow)


def _advice(where: str) -> str:
    return f"stop the server, run `sanya migrate --to {where}`, and serve again"


async def _uneven(primary: Database, shadow: Database) -> list[str]:
    uneven = []
    for table in known_tables():
        if table.name.startswith(_NOT_COMPARED):
            continue
        sql = f"SELECT COUNT(*) FROM {table.name}"  # noqa: S608 - names of our own
        here, there = (int(str(one[0][0])) for one in (await primary.fetch(sql), await shadow.fetch(sql)))
        if here != there:
            uneven.append(f"{table.name}: {here} rows here, {there} in the shadow")
    return uneven
