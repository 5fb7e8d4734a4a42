"""Checks of the machine that a home runs on: its folder, space, time zone, port, packages and document readers."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sanya.assembly.guest_entries import find_guest_entries
from sanya.checkup.findings import HomeFinding, expand_path
from sanya.engines.disk import measure_free_bytes
from sanya.engines.home import DATABASE_NAME
from sanya.setting_checks import find_unknown_variables
from sanya.settings import Settings, list_names
from sanya.sources.documents.health import check_documents
from sanya.suites.papers.pubmed.fast_reader import IS_COMPILED

_LITTLE_SPACE = 1024**3
_NO_SPACE = 50 * 1024**2
_OTHERS = 0o077


def check_variables(environ: Mapping[str, str]) -> Iterator[HomeFinding]:
    for name, nearest in find_unknown_variables(environ, list_names(), find_guest_entries).items():
        yield HomeFinding("environment", "note", f"{name} is no setting", f"Use {nearest}." if nearest else "Unset it.")


def check_folder(settings: Settings) -> Iterator[HomeFinding]:
    home = settings.home
    if not home.exists():
        yield HomeFinding("home", "note", f"{home} does not exist yet", "The first call creates it.")
        return
    if not home.is_dir():
        yield HomeFinding("home", "bad", f"{home} is not a folder", "Choose a folder with --home or SANYA_HOME.")
        return
    if not os.access(home, os.R_OK | os.W_OK | os.X_OK):
        yield HomeFinding("home", "bad", f"you cannot read and write {home}", f"Run: chmod u+rwx '{home}'")
        return
    yield HomeFinding("home", "good", str(home))
    yield from _check_privacy(home)


def _check_privacy(home: Path) -> Iterator[HomeFinding]:
    """Check that other users of the machine cannot read the ledger, the keys and the data."""
    if os.name != "posix":
        return
    for path, mode in ((home, "700"), (home / DATABASE_NAME, "600")):
        if path.exists() and path.stat().st_mode & _OTHERS:
            yield HomeFinding("permissions", "bad", f"other users can open {path}", f"Run: chmod {mode} '{path}'")
            return
    yield HomeFinding("permissions", "good", "only you can open the home")


def check_space(settings: Settings) -> Iterator[HomeFinding]:
    free = measure_free_bytes(settings.home)
    found = f"{free / 1024**3:.1f} GiB free"
    if free < _NO_SPACE:
        yield HomeFinding("disk space", "bad", found, "Free some space: writes will soon fail.")
    elif free < _LITTLE_SPACE:
        yield HomeFinding("disk space", "note", found, "Free some space before it runs out.")
    else:
        yield HomeFinding("disk space", "good", found)


def check_time_zone(settings: Settings) -> Iterator[HomeFinding]:
    try:
        ZoneInfo(settings.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        advice = "Set time_zone to an IANA name such as Asia/Bangkok. If it is one, install the package tzdata."
        yield HomeFinding("time zone", "bad", f"no data for {settings.time_zone!r}", advice)
    else:
        yield HomeFinding("time zone", "good", settings.time_zone)


def check_port(settings: Settings) -> Iterator[HomeFinding]:
    address = f"{settings.host}:{settings.port}"
    try:
        family, _, _, _, target = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            # Same option as a server's socket: without it, a port that was just closed looks taken.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(target)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        advice = "If that is not a Sanya server of yours, stop it or choose another port with --port."
        yield HomeFinding("address", "note", f"cannot listen on {address}: {reason}", advice)
    else:
        yield HomeFinding("address", "good", f"{address} is free")


def check_extras(settings: Settings) -> Iterator[HomeFinding]:
    needs = (
        ("psycopg", "postgres", bool(settings.database_url), "PostgreSQL"),
        ("opentelemetry.sdk", "telemetry", bool(settings.otel_endpoint), "telemetry"),
        ("redis", "redis", bool(settings.redis_url), "Redis"),
        ("weaviate", "weaviate", settings.index == "weaviate", "Weaviate"),
        ("fastembed", "fastembed", settings.embedder == "fastembed", "fastembed"),
        ("onnxruntime", "huggingface", settings.embedder == "huggingface", "Hugging Face models"),
    )
    for module, extra, needed, purpose in needs:
        if _is_installed(module):
            yield HomeFinding(purpose, "good", f"the extra `{extra}` is installed")
        elif needed:
            advice = f"Run: pip install 'sanya[{extra}]'"
            yield HomeFinding(purpose, "bad", f"the settings need the extra `{extra}`, which is not installed", advice)
        else:
            yield HomeFinding(purpose, "good", "not needed, not installed")


def check_compiled(_: Settings) -> Iterator[HomeFinding]:
    if IS_COMPILED:
        yield HomeFinding("compiled parts", "good", "in use")
    else:
        advice = "If you import or search a lot, install a C compiler and reinstall Sanya."
        consequence = "missing: imports of papers run at less than half the speed, and searches take longer"
        yield HomeFinding("compiled parts", "note", consequence, advice)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def check_document_readers(settings: Settings) -> Iterator[HomeFinding]:
    roots = [expand_path(root) for root in settings.ingest_roots] or [settings.home / "inbox"]
    for fact in check_documents(roots):
        yield HomeFinding(fact.name, "note" if fact.advice else "good", fact.found, fact.advice)
