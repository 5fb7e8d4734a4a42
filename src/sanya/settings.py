"""The table of all settings: name, type, default, help, secret. The command line, the docs and `sanya settings` use it.

A value comes from the first of: the command line, `SANYA_<NAME>` in the environment, `sanya.toml` in the home, the
default here. Only the composition root reads settings.
"""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from sanya.setting_checks import explain_form, find_line

ENV_PREFIX = "SANYA_"
CONFIG_NAME = "sanya.toml"


class BadSetting(ValueError):
    """An invalid setting. The message names the setting, its source and the values that it takes."""


def _declare(default: Any, help: str, *, secret: bool = False, least: int | None = None) -> Any:
    """Declare a setting. `least` is the minimum of a number; `setting_checks` knows the forms of texts."""
    return field(default=default, metadata={"help": help, "secret": secret, "least": least})


@dataclass(frozen=True, kw_only=True)
class Settings:
    home: Path = _declare(Path(), "Folder that holds the database, the keys and sanya.toml.")
    database_url: str = _declare("", "PostgreSQL URL; empty means SQLite in the home.", secret=True)
    migrate: bool = _declare(
        True, "Bring the schema up to date when a home is opened; false: refuse until `sanya upgrade` did."
    )
    replica: str = _declare(
        "",
        "Name of this server if several share one database, e.g. its host name. Each has its own chain in the ledger.",
    )

    host: str = _declare("127.0.0.1", "Address to serve on. Any address but loopback requires authentication.")
    port: int = _declare(8787, "Port to serve on; 0 picks a free port.", least=0)
    workers: str = _declare(
        "1",
        "Processes that serve together on the same address; auto: one for each core. Each loads its own models.",
    )
    pin_workers: bool = _declare(
        False,
        "Keep each worker on one core, on Linux: more calls a second where nothing else uses the machine. "
        "Its models then use one core as well.",
    )
    grpc: Literal["auto", "on", "off"] = _declare(
        "auto", "Serve gRPC as well; auto: if its packages are installed and its port is free."
    )
    grpc_port: int = _declare(50051, "Port for gRPC; 0 picks a free port.", least=0)
    allowed_hosts: tuple[str, ...] = _declare((), "Host names accepted in addition to the address (behind a proxy).")
    allowed_origins: tuple[str, ...] = _declare((), "Browser origins accepted in addition to loopback origins.")
    max_body_bytes: int = _declare(4 * 1024 * 1024, "Maximum size of a request body in bytes.", least=1024)
    body_timeout_s: int = _declare(30, "Seconds that a request body may take to arrive.", least=1)
    head_timeout_s: int = _declare(
        10, "Seconds that the head of a connection's first request, or the preface of HTTP/2, may take.", least=1
    )
    max_connections: int = _declare(
        4096, "Maximum number of connections on each port; above it the oldest idle ones are closed.", least=16
    )
    max_connections_per_peer: int = _declare(
        512, "Maximum number of connections of one address on each port; 0 means no limit (behind a proxy).", least=0
    )
    max_streams_per_caller: int = _declare(
        64, "Maximum number of open streams of one caller: notifications of MCP, gRPC health and reflection.", least=1
    )
    stream_idle_s: int = _declare(600, "Seconds without a message after which a stream is ended.", least=1)
    tool_names: Literal["contract", "portable"] = _declare(
        "contract", "Tool names listed on /mcp and stdio: contract names, or portable names without dots."
    )
    tools: Literal["agent", "read", "all", "operator"] = _declare(
        "agent",
        "Tools listed on MCP: for agents, only those that read, all, or only those of operators (ingest, evaluation, "
        "sync). A tool that is not listed can still be called.",
    )
    suites: str = _declare("", "Suites whose tools are listed on MCP, such as herbs,papers; empty means all.")
    listing_language: Literal["en", "th"] = _declare(
        "en", "Language of titles and descriptions that MCP lists; names and schemas are the same in both."
    )
    max_result_tokens: int = _declare(
        25_000, "Maximum size of an MCP result in tokens; a larger result is refused with advice.", least=1000
    )

    rate_limit_per_minute: int = _declare(
        6000, "Calls per minute for each authenticated caller; 0 means no limit.", least=0
    )
    rate_limit_anonymous_per_minute: int = _declare(
        0, "Calls per minute for callers on loopback without a key; 0 means no limit.", least=0
    )
    receipts_folder: str = _declare(
        "", "Folder outside the home for signed receipts of the ledger (sanya audit anchor); empty: none on a schedule."
    )
    receipts_every_s: int = _declare(3600, "Seconds between two receipts of a server.", least=10)
    cited_papers_days: int = _declare(
        0,
        "Days for which it is kept which papers an answer named (sanya papers affected); 0 keeps it for ever.",
        least=0,
    )
    request_window_s: int = _declare(600, "Seconds for which a request id is remembered.", least=0)

    require_auth: bool = _declare(False, "Require a key or token on loopback as well.")
    oauth_issuer: str = _declare("", "Issuer whose tokens are accepted (OAuth 2 resource server).")
    oauth_audience: str = _declare("", "Audience that a token must name: the public address of this server.")
    oauth_allow_all_scopes: bool = _declare(False, "Let the scope * of a token grant every scope, as it does for keys.")
    oauth_jwks_url: str = _declare("", "URL of the issuer's keys; empty: from the issuer's metadata.")

    time_zone: str = _declare("UTC", "Time zone for weeks and imported local times (IANA name, e.g. Asia/Bangkok).")
    tasks_database: str = _declare("", "Existing SQLite task database to read instead of the home's tasks.")
    entrez_url: str = _declare(
        "https://eutils.ncbi.nlm.nih.gov/entrez/eutils", "URL of the E-utilities that papers are synced from."
    )
    entrez_api_key: str = _declare("", "NCBI API key, for up to 10 requests per second.", secret=True)
    entrez_email: str = _declare("", "E-mail address that NCBI asks every user of E-utilities to send.")
    entrez_requests_per_second: int = _declare(
        3, "Requests per second to E-utilities, for the whole process; NCBI allows 10 with a key.", least=1
    )
    answer_confidence: float = _declare(0.6, "Herbs: answers below this confidence (0 to 1) are withheld.")
    phrasing_url: str = _declare(
        "",
        "OpenAI-compatible chat endpoint that phrases herb answers; empty: quote statements. See memory_extractor.",
    )
    phrasing_model: str = _declare("", "Model to use at phrasing_url.")
    phrasing_key: str = _declare("", "API key for phrasing_url.", secret=True)
    ingest_roots: tuple[str, ...] = _declare(
        (), "Folders that documents may be ingested from; empty: the folder `inbox` in the home."
    )
    ingest_max_bytes: int = _declare(64 * 1024 * 1024, "Maximum size of a document in bytes.", least=1024)
    ingest_max_pages: int = _declare(2000, "Maximum number of pages of a document.", least=1)
    ingest_max_pixels: int = _declare(
        40_000_000,
        "Maximum pixels of a page for OCR; larger pages are rendered more coarsely.",
        least=1_000_000,
    )
    ingest_max_seconds: int = _declare(1800, "Maximum seconds for reading a document.", least=1)
    ingest_max_page_seconds: int = _declare(120, "Maximum seconds for reading one page.", least=1)
    ingest_max_nesting: int = _declare(200, "Maximum nesting depth of elements in .html and .docx files.", least=10)
    ingest_max_memory_mb: int = _declare(1024, "Memory limit of the process that reads a document, in MB.", least=256)
    papers_synonyms: str = _declare("", "File with additional synonyms for searching papers.")
    papers_uuid_namespace: str = _declare(
        "1b2c3d4e-0000-0000-0000-000000000000",
        "UUID namespace of paper chunks; cannot change once there are papers.",
    )

    memory_shared_by: tuple[str, ...] = _declare(
        (), "Callers who share one memory (`*`: all callers); every other caller has its own."
    )
    memory_extractor: Literal["rules", "chat"] = _declare(
        "rules", "Extractor that builds the memory graph: rules, or rules followed by the model at phrasing_url."
    )
    redis_url: str = _declare(
        "", "Redis URL for state that processes share: working memory, limits, request ids; empty: none.", secret=True
    )

    index: Literal["auto", "embedded", "postgresql", "weaviate"] = _declare(
        "auto", "Search index; auto: PostgreSQL with pgvector if it holds the data, else embedded."
    )
    weaviate_url: str = _declare("", "URL of the Weaviate server for index = weaviate, e.g. http://localhost:8080.")
    weaviate_grpc_port: int = _declare(50051, "gRPC port of the Weaviate server.", least=1)
    weaviate_key: str = _declare("", "API key of the Weaviate server, if it requires one.", secret=True)
    weaviate_class: str = _declare("PubMedChunk", "Weaviate class of papers and prefix of the other suites' classes.")
    shadow: str = _declare(
        "",
        "Second home (PostgreSQL URL or folder) that repeats every call; its answers are compared, never returned.",
        secret=True,
    )
    shadow_index: Literal["same", "embedded", "postgresql", "weaviate"] = _declare(
        "same", "Search index of the shadow; without `shadow`, a second index over the same database."
    )
    shadow_queue: int = _declare(256, "Maximum number of calls queued for the shadow; more are dropped.", least=1)
    shadow_timeout_ms: int = _declare(120_000, "Timeout of a read call in the shadow, in milliseconds.", least=100)
    embedder: Literal["offline", "openai", "fastembed", "huggingface", "none"] = _declare(
        "offline",
        "Source of embeddings: packaged models, an OpenAI-compatible endpoint, fastembed, Hugging Face; none: "
        "search by words alone, as where the packaged models are not installed.",
    )
    embedder_model: str = _declare("", "Name of the embedding model; for huggingface also a folder that holds it.")
    embedder_reads: Literal["both", "english"] = _declare(
        "both", "Languages of that model: Thai and English, or English only (the packaged model then covers both)."
    )
    embedder_url: str = _declare("", "Endpoint for embedder = openai, e.g. https://api.openai.com/v1.")
    embedder_key: str = _declare("", "API key for embedder_url.", secret=True)
    reranker_url: str = _declare(
        "", "Endpoint of a cross-encoder that reorders the best hits of a search, e.g. http://localhost:8001/v1."
    )
    reranker_model: str = _declare("", "Name of its model.")
    reranker_key: str = _declare("", "API key for reranker_url.", secret=True)
    prepare_search: bool = _declare(
        False,
        "Load models and indexes when `sanya serve` has started, so that the first search need not wait.",
    )
    embedder_dim: int = _declare(0, "Dimension of its vectors; 0: ask the endpoint once at the start.", least=0)

    engine_failures: int = _declare(
        5, "Failures in a row after which the circuit breaker of an engine or source opens.", least=1
    )
    engine_pause_s: int = _declare(
        15, "Longest pause of an open breaker in seconds; the first is 1 s, and each failed trial doubles it.", least=1
    )

    thai_sec_key: str = _declare(
        "", "Subscription key of the Thai SEC's open data, for `sanya funds sync`.", secret=True
    )
    thai_sec_url: str = _declare("https://api.sec.or.th", "URL of the Thai SEC's open data.")

    suites_disabled: tuple[str, ...] = _declare((), "Suites that are not served; `sanya suites disable` adds one.")

    log_level: Literal["debug", "info", "warning", "error"] = _declare("info", "Lowest level that is logged.")
    log_format: Literal["auto", "json", "text"] = _declare("auto", "Log format; auto: text on a terminal, else JSON.")
    otel_endpoint: str = _declare("", "OpenTelemetry collector (OTLP over HTTP); empty turns telemetry off.")
    ledger_group_ms: int = _declare(
        100, "Milliseconds for which ledger rows of reads are collected before a write.", least=0
    )

    @property
    def has_shadow(self) -> bool:
        return bool(self.shadow) or self.shadow_index != "same"


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting with its effective value and the source of that value."""

    name: str
    type: str
    default: Any
    help: str
    secret: bool
    value: Any
    source: str


def find_default_home(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return the platform's folder for application data."""
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "Sanya"
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Sanya"
    return Path(environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sanya"


def load_settings(overrides: Mapping[str, Any] | None = None, environ: Mapping[str, str] = os.environ) -> Settings:
    values, _ = _gather(overrides or {}, environ)
    return Settings(**values)


def list_settings(
    overrides: Mapping[str, Any] | None = None, environ: Mapping[str, str] = os.environ
) -> list[SettingRow]:
    values, sources = _gather(overrides or {}, environ)
    hints = get_type_hints(Settings)
    rows = []
    for setting in fields(Settings):
        name, default = setting.name, setting.default
        help, secret = setting.metadata["help"], setting.metadata["secret"]
        value, source = values.get(name, default), sources.get(name, "default")
        rows.append(SettingRow(name, describe_type(hints[name]), default, help, secret, value, source))
    return rows


@cache
def load_thai_help() -> dict[str, str]:
    """Return the meaning of every setting in Thai, by name."""
    text = Path(__file__).with_name("setting_help_th.json").read_text(encoding="utf-8")
    meanings: dict[str, str] = json.loads(text)
    return meanings


def describe_type(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " | ".join(get_args(hint))
    return {str: "text", int: "number", float: "number", bool: "true | false", Path: "path"}.get(hint, "list of text")


def _gather(overrides: Mapping[str, Any], environ: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values that are set, converted to their types, and the source of each."""
    given = {name: value for name, value in overrides.items() if value is not None}
    from_env = {name: environ[key] for name in list_names() if (key := ENV_PREFIX + name.upper()) in environ}
    home = Path(given.get("home") or from_env.get("home") or find_default_home(environ)).expanduser()
    text = _read_text(home / CONFIG_NAME)
    layers = (
        (str(home / CONFIG_NAME), _parse_config(home / CONFIG_NAME, text)),
        ("environment", from_env),
        ("command line", given),
    )
    values: dict[str, Any] = {"home": home}
    # The last source of a name wins, and only its value is read: `settings set` must be able to repair a file.
    sources = {name: source for source, layer in layers for name in layer}
    for source, layer in layers:
        for name, raw in layer.items():
            if isinstance(raw, dict) and name not in list_names():
                continue  # the settings of a suite; `load_suite_settings` reads them
            if sources[name] == source:
                values[name] = _read_value(name, raw, _name_place(source, text, name))
    return values, sources


def load_suite_settings(
    home: Path, suite: str, names: Collection[str], environ: Mapping[str, str] = os.environ
) -> dict[str, Any]:
    """Return the settings of a suite: the table `[SUITE]` of sanya.toml, then `SANYA_SUITE_NAME` in the environment."""
    path = home / CONFIG_NAME
    table = _parse_config(path, _read_text(path)).get(suite, {})
    if not isinstance(table, dict):
        raise BadSetting(f"{path}: {suite} takes a table, as in [{suite}]")
    prefix = f"{ENV_PREFIX}{suite.upper()}_"
    given = {name: environ[key] for name in names if (key := prefix + name.upper()) in environ}
    return {**table, **given}


def _name_place(source: str, text: str, name: str) -> str:
    """Return the source of a value, with its line in a file."""
    line = find_line(text, name) if source.endswith(CONFIG_NAME) else None
    return source if line is None else f"{source}, line {line}"


def list_names() -> list[str]:
    return [setting.name for setting in fields(Settings)]


def _read_text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        raise BadSetting(f"cannot read {path}: {error.strerror}") from None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadSetting(f"cannot read {path}, line {line}: the text is not UTF-8") from None


def _parse_config(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason = str(error).replace("end of document", f"line {len(text.splitlines())}, the end of the file")
        raise BadSetting(f"cannot read {path}: {reason}") from None


def _read_value(name: str, raw: Any, source: str) -> Any:
    if name not in list_names():
        raise BadSetting(f"{source}: there is no setting {name!r}; `sanya settings` lists all settings")
    hint = get_type_hints(Settings)[name]
    try:
        value = _convert(hint, raw)
    except (ValueError, OverflowError):
        raise BadSetting(f"{source}: {name} takes {describe_type(hint)}, got {_show(name, raw)}") from None
    _check_bounds(name, value, source)
    return value


def _check_bounds(name: str, value: Any, source: str) -> None:
    bounds = Settings.__dataclass_fields__[name].metadata
    if bounds["least"] is not None and value < bounds["least"]:
        raise BadSetting(f"{source}: {name} must be at least {bounds['least']}, got {value}")
    if expected := explain_form(name, value):
        raise BadSetting(f"{source}: {name} takes {expected}, got {_show(name, value)}")


def _show(name: str, raw: Any) -> str:
    """Return the value for a message. A secret is not shown, nor an address that may hold a password."""
    is_secret = Settings.__dataclass_fields__[name].metadata["secret"]
    return "a value that does not fit" if is_secret or ("@" in str(raw) and "://" in str(raw)) else repr(raw)


def _convert(hint: Any, raw: Any) -> Any:
    if get_origin(hint) is Literal:
        return _check_choice(get_args(hint), raw)
    if get_origin(hint) is tuple:
        return _convert_list(raw)
    if hint is bool:
        return raw if isinstance(raw, bool) else _check_choice(("false", "true"), str(raw).lower()) == "true"
    if hint is Path:
        return Path(raw).expanduser()
    if isinstance(raw, bool | list | dict) or (hint is int and isinstance(raw, float)):
        raise ValueError
    return hint(raw)


def _convert_list(raw: Any) -> tuple[str, ...]:
    if isinstance(raw, str):
        return tuple(part.strip() for part in raw.split(",") if part.strip())
    if not isinstance(raw, list | tuple) or not all(isinstance(part, str) for part in raw):
        raise ValueError
    return tuple(raw)


def _check_choice(choices: tuple[str, ...], raw: Any) -> str:
    if raw not in choices:
        raise ValueError
    return str(raw)
