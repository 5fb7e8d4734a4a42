"""The console's settings page: every setting with its meaning, source and checks, and changes in sanya.toml.

A caller without a key may not change what opens the server further: other programs of this machine are such callers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sanya.kernel.faults import Forbidden, InvalidArgument
from sanya.kernel.ledger.owner_actions import record_owner_action
from sanya.setting_checks import explain_path
from sanya.settings import CONFIG_NAME, BadSetting, SettingRow, list_settings, load_thai_help
from sanya.surfaces.cli.setting_options import format_value
from sanya.surfaces.cli.text_files import read_text as read_file
from sanya.surfaces.cli.text_files import replace_text
from sanya.surfaces.http.asgi import HttpRequest, HttpResponse
from sanya.surfaces.http.console.api import respond_json
from sanya.surfaces.http.console.owner import is_anonymous, read_owner_document, read_text, require_owner
from sanya.surfaces.http.console_client import name_surface
from sanya.surfaces.setting_changes import (
    UnsafeLayout,
    describe_row,
    hide_secrets,
    redact_value,
    replace_setting,
    to_json_value,
)

if TYPE_CHECKING:
    from sanya.app import App

# These decide who may call, what files are read and where data goes.
GUARDED = frozenset(
    {
        "allowed_hosts", "allowed_origins", "database_url", "embedder", "embedder_key", "embedder_model",
        "embedder_url", "entrez_url", "host", "index", "ingest_roots", "oauth_allow_all_scopes", "oauth_audience",
        "oauth_issuer", "oauth_jwks_url", "otel_endpoint", "papers_synonyms", "phrasing_key", "phrasing_url",
        "receipts_folder", "redis_url", "replica", "require_auth", "reranker_key", "reranker_model",
        "reranker_url", "shadow", "shadow_index", "tasks_database",
        "thai_sec_url", "weaviate_key", "weaviate_url",
    }
)  # fmt: skip
_CHARS = 8192


class ConsoleSettings:
    def __init__(self, app: App) -> None:
        self._app = app

    async def list_settings(self, request: HttpRequest) -> HttpResponse:
        require_owner(request)
        home = self._app.settings.home
        rows = list_settings({"home": str(home)})
        return respond_json(
            {
                "file": str(home / CONFIG_NAME),
                "settings": [self._describe(row, request) for row in rows if row.name != "home"],
            }
        )

    async def change(self, request: HttpRequest) -> HttpResponse:
        """Write one setting to sanya.toml, or with `check` only say whether it could be."""
        document = await read_owner_document(request, self._app.settings, {"name", "value", "check"})
        name = read_text(document, "name", 100)
        value = document.get("value")
        if not isinstance(value, str) or len(value) > _CHARS:
            raise InvalidArgument(f"value must be a text of at most {_CHARS} characters", field="value")
        row = self._read_row(name, value)
        if name in GUARDED and is_anonymous(request.caller):
            raise Forbidden(
                f"{name} decides who or what this server reaches. Sign in with a key that has the scope *, or use "
                f"`sanya settings set {name} VALUE`.",
                details={"field": name},
            )
        path = self._app.settings.home / CONFIG_NAME
        try:
            text = replace_setting(read_file(path) or "", name, row.value)
        except UnsafeLayout as problem:
            raise InvalidArgument(str(problem), field="value") from None
        if document.get("check") is not True:
            await self._write(request, row, text)
        return respond_json({"name": name, "value": to_json_value(redact_value(row)), "source": str(path)})

    def _read_row(self, name: str, value: str) -> SettingRow:
        """Return the setting with the new value. Raise InvalidArgument with what it takes."""
        if name == "home":
            raise InvalidArgument("home cannot be set here: sanya.toml lies in it", field="name")
        try:
            rows = list_settings({"home": str(self._app.settings.home), name: value})
            row = next(row for row in rows if row.name == name)
        except BadSetting as problem:
            raise InvalidArgument(str(problem).removeprefix("command line: "), field="value") from None
        if reason := explain_path(name, row.value):
            raise InvalidArgument(f"{name}: {reason}", field="value")
        return row

    async def _write(self, request: HttpRequest, row: SettingRow, text: str) -> None:
        shown = hide_secrets(row)
        content = {"name": row.name, "value": shown}
        by = (name_surface(request.headers), request.caller.id)
        is_redacted = shown != to_json_value(row.value)
        async with record_owner_action(
            self._app.ledger, "settings.set", "settings", content, redacted=is_redacted, by=by
        ):
            replace_text(self._app.settings.home / CONFIG_NAME, text)

    def _describe(self, row: SettingRow, request: HttpRequest) -> dict[str, Any]:
        """Describe the setting as the files say it now, and whether the running server uses another value."""
        running = replace(row, value=getattr(self._app.settings, row.name))
        return {
            **describe_row(row),
            "help_th": load_thai_help().get(row.name, row.help),
            "text": "" if row.secret else format_value(redact_value(row)),
            "is_set": bool(row.value) if row.secret else row.source != "default",
            "running": None if running.value == row.value else format_value(redact_value(running)),
            "may_change": not (row.name in GUARDED and is_anonymous(request.caller)),
        }
