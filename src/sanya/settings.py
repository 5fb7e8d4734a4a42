"""One table of settings: name, type, default, help, secret. It feeds the command line, the docs and `sanya settings`.

A value comes from the first of: the command line, `SANYA_<NAME>` in the environment, `sanya.toml` in the home, the
default here. Only the composition root reads them.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

ENV_PREFIX = "SANYA_"
CONFIG_NAME = "sanya.toml"


class BadSetting(ValueError):
    """A setting that cannot be read; the message says which, where it came from and what it takes."""


def _setting(
    default: Any, help: str, *, secret: bool = False, least: int | None = None, form: str | None = None
) -> Any:
    """`least` bounds a number from below; `form` is a regular expression that a text must match whole."""
    return field(default=default, metadata={"help": help, "secret": secret, "least": least, "form": form})


@dataclass(frozen=True, kw_only=True)
class Settings:
    home: Path = _setting(Path(), "Folder that holds the database, the keys and sanya.toml.")
    database_url: str = _setting("", "PostgreSQL URL; empty means SQLite in the home.", secret=True)
    replica: str = _setting(
        "",
        "Name of this server among several on one database, such as a host name; each has its own chain in the ledger.",
        form=r"|[a-z0-9][a-z0-9._-]{0,62}",
    )

    host: str = _setting("127.0.0.1", "Address to serve on. Any but loopback needs authentication.")
    port: int = _setting(8787, "Port to serve on; 0 takes a free one.", least=0)
    grpc: Literal["auto", "on", "off"] = _setting(
        "auto", "Serve gRPC as well; auto: where its packages are installed and its port is free."
    )
    grpc_port: int = _setting(50051, "Port for gRPC; 0 takes a free one.", least=0)
    allowed_hosts: tuple[str, ...] = _setting((), "Host names accepted beside the address itself (behind a proxy).")
    allowed_origins: tuple[str, ...] = _setting((), "Browser origins accepted beside loopback ones.")
    max_body_bytes: int = _setting(4 * 1024 * 1024, "Largest request body that is read.", least=1024)
    body_timeout_s: int = _setting(30, "How long a request body may take to arrive.", least=1)
    tool_names: Literal["contract", "portable"] = _setting(
        "contract", "Names listed on /mcp and stdio: as the contracts have them, or with dots replaced."
    )
    max_result_tokens: int = _setting(
        25_000, "Largest MCP result, in tokens; a larger one is refused, with how to ask for less.", least=1000
    )

    rate_limit_per_minute: int = _setting(6000, "Calls a minute for each authenticated caller; 0 lifts it.", least=0)
    rate_limit_anonymous_per_minute: int = _setting(0, "The same for callers on loopback without a key.", least=0)
    request_window_s: int = _setting(600, "How long a request id is remembered.", least=0)

    require_auth: bool = _setting(False, "Ask for a key or token on loopback as well.")
    oauth_issuer: str = _setting("", "Issuer whose tokens are accepted (OAuth 2 resource server).")
    oauth_audience: str = _setting("", "Audience that a token must name: this server's public address.")
    oauth_jwks_url: str = _setting("", "Where the issuer's keys are; empty means as its metadata says.")

    time_zone: str = _setting("UTC", "Time zone in which a week begins (IANA name, e.g. Asia/Bangkok).")
    tasks_database: str = _setting("", "An existing SQLite task database to read instead of the home's tasks.")
    entrez_url: str = _setting(
        "https://eutils.ncbi.nlm.nih.gov/entrez/eutils", "E-utilities that papers are synced from."
    )
    entrez_api_key: str = _setting("", "NCBI API key, for up to 10 requests a second.", secret=True)
    entrez_email: str = _setting("", "Address at which NCBI may reach you, as it asks of those who use E-utilities.")
    entrez_requests_per_second: int = _setting(
        3, "Requests a second to E-utilities, for the whole process; 10 is NCBI's limit with a key.", least=1
    )
    answer_confidence: float = _setting(0.6, "Herbs: below this confidence (0 to 1) no answer is given.")
    phrasing_url: str = _setting(
        "",
        "OpenAI-compatible chat endpoint that phrases herb answers; empty: quoted as they are. See memory_extractor.",
    )
    phrasing_model: str = _setting("", "The model there that is asked.")
    phrasing_key: str = _setting("", "API key of that endpoint.", secret=True)
    ingest_roots: tuple[str, ...] = _setting(
        (), "Folders that documents may be ingested from; none: the folder `inbox` in the home."
    )
    ingest_max_bytes: int = _setting(64 * 1024 * 1024, "Largest document that is read.", least=1024)
    ingest_max_pages: int = _setting(2000, "Most pages of a document.", least=1)
    ingest_max_pixels: int = _setting(
        40_000_000, "Largest picture of a page that is recognised; larger pages are drawn coarser.", least=1_000_000
    )
    ingest_max_seconds: int = _setting(1800, "Longest time that a document may take to be read.", least=1)
    ingest_max_page_seconds: int = _setting(120, "Longest time for one page of it.", least=1)
    ingest_max_nesting: int = _setting(200, "How deep elements of a .html or .docx may lie in each other.", least=10)
    ingest_max_memory_mb: int = _setting(1024, "Memory of the process that reads a document.", least=256)
    papers_synonyms: str = _setting("", "A file of further names that a search for papers looks for as well.")
    papers_uuid_namespace: str = _setting(
        "1b2c3d4e-0000-0000-0000-000000000000", "UUID namespace of the chunks of papers; fixed once there are papers."
    )

    memory_shared_by: tuple[str, ...] = _setting((), "Callers who share one memory (`*`: all); others have their own.")
    memory_extractor: Literal["rules", "chat"] = _setting(
        "rules", "What reads memories into the graph: our rules, or behind them the model at phrasing_url as well."
    )
    redis_url: str = _setting(
        "", "Redis for what several processes share: working memory, limits, request ids; empty: none.", secret=True
    )

    index: Literal["auto", "embedded", "postgresql", "weaviate"] = _setting(
        "auto", "Where documents are searched; auto: PostgreSQL with pgvector if it holds the data, else embedded."
    )
    weaviate_url: str = _setting("", "Weaviate server for index = weaviate, e.g. http://localhost:8080.")
    weaviate_grpc_port: int = _setting(50051, "Port of the same server for gRPC.", least=1)
    weaviate_key: str = _setting("", "API key of the Weaviate server, if it asks for one.", secret=True)
    weaviate_class: str = _setting("PubMedChunk", "Weaviate class of papers; those of other suites begin with it.")
    shadow: str = _setting(
        "",
        "A second home, as PostgreSQL URL or folder, that makes every call as well: its answers are only compared.",
        secret=True,
    )
    shadow_index: Literal["same", "embedded", "postgresql", "weaviate"] = _setting(
        "same", "Where the shadow searches; without `shadow`, a second index over the same database."
    )
    shadow_queue: int = _setting(256, "Most calls that wait for the shadow; further ones are dropped.", least=1)
    shadow_timeout_ms: int = _setting(120_000, "Longest time that a reading call of the shadow may take.", least=100)
    embedder: Literal["offline", "openai", "fastembed", "huggingface"] = _setting(
        "offline", "What reads texts for their meaning: packaged models, an endpoint, a library's, a hub's."
    )
    embedder_model: str = _setting("", "The model's name; for huggingface also a folder that holds it.")
    embedder_reads: Literal["both", "english"] = _setting(
        "both", "Whether that model reads Thai and English, or English beside the packaged one for both."
    )
    embedder_url: str = _setting("", "Endpoint for embedder = openai, e.g. https://api.openai.com/v1.")
    embedder_key: str = _setting("", "API key of that endpoint.", secret=True)
    embedder_dim: int = _setting(0, "How many numbers its vectors have; 0 asks it once at the start.", least=0)

    engine_failures: int = _setting(
        5, "Failures in a row after which an engine or an outside party is left alone for a while.", least=1
    )
    engine_pause_s: int = _setting(
        15, "The longest such while; the first is a second, and each trial in vain doubles it.", least=1
    )

    thai_sec_key: str = _setting(
        "", "Subscription key of the Thai SEC's open data, for `sanya funds sync`.", secret=True
    )
    thai_sec_url: str = _setting("https://api.sec.or.th", "Where the Thai SEC's open data is.")

    log_level: Literal["debug", "info", "warning", "error"] = _setting("info", "How much is logged.")
    log_format: Literal["auto", "json", "text"] = _setting("auto", "Text on a terminal, JSON elsewhere, unless set.")
    otel_endpoint: str = _setting("", "OpenTelemetry collector (OTLP over HTTP); empty turns telemetry off.")
    ledger_group_ms: int = _setting(100, "How long audit rows of reads are gathered before a write.", least=0)

    @property
    def has_shadow(self) -> bool:
        return bool(self.shadow) or self.shadow_index != "same"


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One row of the table, with the value in force and where it came from."""

    name: str
    type: str
    default: Any
    help: str
    secret: bool
    value: Any
    source: str


def default_home(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Where the platform keeps an application's data."""
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "Sanya"
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Sanya"
    return Path(environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sanya"


def load_settings(overrides: Mapping[str, Any] | None = None, environ: Mapping[str, str] = os.environ) -> Settings:
    values, _ = _gather(overrides or {}, environ)
    return Settings(**values)


def settings_table(
    overrides: Mapping[str, Any] | None = None, environ: Mapping[str, str] = os.environ
) -> list[SettingRow]:
    values, sources = _gather(overrides or {}, environ)
    hints = get_type_hints(Settings)
    rows = []
    for one in fields(Settings):
        help, secret = one.metadata["help"], one.metadata["secret"]
        value = values.get(one.name, one.default)
        source = sources.get(one.name, "default")
        rows.append(SettingRow(one.name, type_name(hints[one.name]), one.default, help, secret, value, source))
    return rows


def type_name(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " | ".join(get_args(hint))
    return {str: "text", int: "number", float: "number", bool: "true | false", Path: "path"}.get(hint, "list of text")


def _gather(overrides: Mapping[str, Any], environ: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """The values that are set, read into their types, and where each came from."""
    given = {name: value for name, value in overrides.items() if value is not None}
    from_env = {name: environ[key] for name in _names() if (key := ENV_PREFIX + name.upper()) in environ}
    home = Path(given.get("home") or from_env.get("home") or default_home(environ)).expanduser()
    layers = (
        (str(home / CONFIG_NAME), _read_config(home / CONFIG_NAME)),
        ("environment", from_env),
        ("command line", given),
    )
    values: dict[str, Any] = {"home": home}
    sources: dict[str, str] = {}
    for source, layer in layers:
        for name, raw in layer.items():
            values[name] = _read_value(name, raw, source)
            sources[name] = source
    return values, sources


def _names() -> list[str]:
    return [one.name for one in fields(Settings)]


def _read_config(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadSetting(f"{path} cannot be read: {error}") from None


def _read_value(name: str, raw: Any, source: str) -> Any:
    if name not in _names():
        raise BadSetting(f"{source}: there is no setting {name!r}; `sanya settings` lists them")
    hint = get_type_hints(Settings)[name]
    try:
        value = _convert(hint, raw)
    except ValueError:
        raise BadSetting(f"{source}: {name} takes {type_name(hint)}, got {raw!r}") from None
    _check_bounds(name, value, source)
    return value


def _check_bounds(name: str, value: Any, source: str) -> None:
    bounds = Settings.__dataclass_fields__[name].metadata
    if bounds["least"] is not None and value < bounds["least"]:
        raise BadSetting(f"{source}: {name} must be at least {bounds['least']}, got {value}")
    if bounds["form"] is not None and not re.fullmatch(bounds["form"], value):
        raise BadSetting(f"{source}: {name} takes up to 63 small letters, digits and .-_, got {value!r}")


def _convert(hint: Any, raw: Any) -> Any:
    if get_origin(hint) is Literal:
        return _one_of(get_args(hint), raw)
    if get_origin(hint) is tuple:
        return tuple(part.strip() for part in raw.split(",") if part.strip()) if isinstance(raw, str) else tuple(raw)
    if hint is bool:
        return raw if isinstance(raw, bool) else _one_of(("false", "true"), str(raw).lower()) == "true"
    if hint is Path:
        return Path(raw).expanduser()
    return hint(raw)


def _one_of(choices: tuple[str, ...], raw: Any) -> str:
    if raw not in choices:
        raise ValueError
    return str(raw)
