"""Checks of setting values: what a time zone, an address or a path must look like, with the reason if it does not.

The form is checked wherever a value comes from, so that a mistake is named at the start and not by the first call that
needs the value. Whether a path exists is checked only when it is set: a disk may be mounted later.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import UUID

MAX_PORT = 65_535
_HOST = re.compile(r"[A-Za-z0-9._:%-]+")
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_PATTERN_OF_HOST = re.compile(r"[A-Za-z0-9._:*\[\]-]+")
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s?#]+|null|\*")
_REPLICA = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_WORKERS = re.compile(r"auto|[1-9][0-9]?")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
# Variables that tests, benchmarks and examples of clients read. Kubernetes adds the others for a service named sanya.
_OTHER_VARIABLES = frozenset(
    f"SANYA_{name}" for name in ("LONG", "KEY", "CRASH_SEED", "SOAK_MINUTES", "TEST_RUN", "BENCH_DAYS")
)
_SERVICE_VARIABLE = re.compile(r"SANYA_([A-Z0-9_]*_)?(SERVICE_(HOST|PORT\w*)|PORT_\d+_(TCP|UDP)\w*)")

Check = Callable[[Any], str | None]
"""Returns what the setting takes if the value is no such thing."""


def explain_form(name: str, value: Any) -> str | None:
    """Return what the setting takes, or None if the value has that form. An empty text means: not set."""
    check = _FORMS.get(name)
    return None if check is None or value in ("", ()) else check(value)


def explain_path(name: str, value: Any) -> str | None:
    """Return why the path cannot be used, or None."""
    if name in ("tasks_database", "papers_synonyms") and value:
        path = Path(value).expanduser()
        return None if path.is_file() else f"there is no file {path}"
    if name == "ingest_roots":
        folders = (Path(folder).expanduser() for folder in value)
        return next((f"there is no folder {folder}" for folder in folders if not folder.is_dir()), None)
    if name == "receipts_folder" and value and Path(value).expanduser().is_file():
        return f"{value} is a file, not a folder"
    return None


def find_unknown_variables(
    environ: Mapping[str, str], names: Iterable[str], suites: Callable[[], Iterable[EntryPoint]] = tuple
) -> dict[str, str | None]:
    """Return the variables that look like settings but are none, each with the nearest setting, if one is near.

    `suites` lists suites of other packages, whose settings begin with their names. It is called only if need be.
    """
    known = [f"SANYA_{name.upper()}" for name in names]
    unknown = sorted(
        name
        for name in environ
        if name.startswith("SANYA_") and name not in known and name not in _OTHER_VARIABLES
        if not _SERVICE_VARIABLE.fullmatch(name)
    )
    prefixes = tuple(f"SANYA_{suite.name.upper()}_" for suite in suites()) if unknown else ()
    unknown = [name for name in unknown if not name.startswith(prefixes)]
    return {name: next(iter(difflib.get_close_matches(name, known, 1, 0.75)), None) for name in unknown}


def find_line(text: str, name: str) -> int | None:
    """Return the line of sanya.toml that sets a name, or None where no line begins with it."""
    match = re.search(
        rf"""^[ \t]*["']?{re.escape(name)}["']?[ \t]*[=.]|^[ \t]*\[+[ \t]*{re.escape(name)}""", text, re.M
    )
    return None if match is None else text.count("\n", 0, match.start()) + 1


def _check_time_zone(value: str) -> str | None:
    from zoneinfo import ZoneInfo  # here: most commands set no zone

    try:
        ZoneInfo(value)
    except (ValueError, OSError, KeyError):  # ZoneInfoNotFoundError is a KeyError; OSError: the name of a folder
        return "an IANA name such as Asia/Bangkok"
    return None


def _build_address_check(schemes: tuple[str, ...], example: str) -> Check:
    def check(value: str) -> str | None:
        try:
            parts = urlsplit(value)
            is_good = parts.scheme in schemes and not re.search(r"\s", value) and (parts.port or 1) > 0
        except ValueError:
            is_good = False
        needs_host = "unix" not in schemes or not value.startswith("unix:")
        if is_good and (parts.hostname or not needs_host or "postgresql" in schemes):
            return None
        return f"an address such as {example}"

    return check


def _build_pattern_check(pattern: re.Pattern[str], expected: str) -> Check:
    def check(value: str | tuple[str, ...]) -> str | None:
        parts = (value,) if isinstance(value, str) else value
        return None if all(pattern.fullmatch(part) for part in parts) else expected

    return check


def _check_uuid(value: str) -> str | None:
    try:
        UUID(value)
    except ValueError:
        return "a UUID"
    return None


def _check_port(value: int) -> str | None:
    return None if value <= MAX_PORT else f"a port up to {MAX_PORT}"


def _check_share(value: float) -> str | None:
    return None if 0 <= value <= 1 else "0 to 1"


_check_http = _build_address_check(("http", "https"), "https://host.example/path")
_FORMS: dict[str, Check] = {
    "time_zone": _check_time_zone,
    **dict.fromkeys(("port", "grpc_port", "weaviate_grpc_port"), _check_port),
    **dict.fromkeys(
        (
            "entrez_url",
            "phrasing_url",
            "embedder_url",
            "reranker_url",
            "weaviate_url",
            "thai_sec_url",
            "otel_endpoint",
        ),
        _check_http,
    ),
    **dict.fromkeys(("oauth_issuer", "oauth_jwks_url"), _check_http),
    "database_url": _build_address_check(("postgresql", "postgres"), "postgresql://user@host/database"),
    "redis_url": _build_address_check(("redis", "rediss", "unix"), "redis://host:6379/0"),
    "replica": _build_pattern_check(_REPLICA, "up to 63 lower-case letters, digits and .-_"),
    "workers": _build_pattern_check(_WORKERS, "a number of processes from 1 to 99, or auto"),
    "host": _build_pattern_check(_HOST, "an IP address or a host name, without scheme and port"),
    "allowed_hosts": _build_pattern_check(_PATTERN_OF_HOST, "host names, without scheme and path"),
    "allowed_origins": _build_pattern_check(_ORIGIN, "origins such as https://host.example, without a path"),
    "entrez_email": _build_pattern_check(_EMAIL, "an e-mail address"),
    "papers_uuid_namespace": _check_uuid,
    "answer_confidence": _check_share,
}
