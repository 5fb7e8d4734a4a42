"""Homes that are filled once and copied for every attempt: a folder on SQLite, a database from a template on PostgreSQL."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit


@dataclass(frozen=True)
class Place:
    """Where a home is: its folder, and the address of its database; empty for SQLite."""

    home: Path
    url: str


@dataclass
class Places:
    """Makes places below a folder. `server` is PostgreSQL's address, empty for SQLite."""

    folder: Path
    server: str
    name: str
    _numbers: count[int] = field(default_factory=lambda: count(1))
    _databases: list[str] = field(default_factory=list)

    def new(self) -> Place:
        return self._place(lambda name: f'CREATE DATABASE "{name}"')

    def copy(self, place: Place) -> Place:
        """Of a place that nobody has open."""
        original = urlsplit(place.url).path.removeprefix("/")
        made = self._place(lambda name: f'CREATE DATABASE "{name}" TEMPLATE "{original}" STRATEGY FILE_COPY')
        shutil.copytree(place.home, made.home, dirs_exist_ok=True)
        return made

    def drop(self, place: Place) -> None:
        shutil.rmtree(place.home, ignore_errors=True)
        if place.url:
            self._say(f'DROP DATABASE IF EXISTS "{urlsplit(place.url).path.removeprefix("/")}" WITH (FORCE)')

    def close(self) -> None:
        for name in self._databases:
            self._say(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def _place(self, statement: Callable[[str], str]) -> Place:
        name = f"{self.name}_{next(self._numbers)}"
        home = self.folder / name
        home.mkdir(parents=True, mode=0o700)
        if not self.server:
            return Place(home, "")
        self._say(statement(name))
        self._databases.append(name)
        return Place(home, urlunsplit(urlsplit(self.server)._replace(path=f"/{name}")))

    def _say(self, sql: str) -> None:
        import psycopg

        with closing(psycopg.connect(self.server, autocommit=True)) as connection:
            connection.execute(sql.encode())
