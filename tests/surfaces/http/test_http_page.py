"""docs/http.md agrees with the HTTP surface."""

from __future__ import annotations

import re
from pathlib import Path

from sanya.surfaces.http.auth.authentication import RECHECK_S
from sanya.surfaces.http.envelope import STATUSES
from sanya.surfaces.http.metrics import METRICS_SCOPE
from sanya.surfaces.http.openapi import build_openapi
from sanya.surfaces.http.signals import GRACE_S
from tests.surfaces.http.conftest import DemoServer
from tests.surfaces.http.test_error_shape import FAILING_REQUESTS

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "http.md").read_text("utf-8")


def test_every_status_is_documented() -> None:
    listed = {int(status) for status in re.findall(r"^\| (\d{3}) \|", PAGE, re.MULTILINE)}
    tried = {status for _, status, _ in FAILING_REQUESTS.values()} | {401, 408, 429}
    assert listed == tried | set(STATUSES.values())


async def test_every_documented_path_exists(server: DemoServer) -> None:
    listed = set(re.findall(r"`(/[^`]*)`", PAGE.split("## A call")[0]))
    document = build_openapi(server.app.kernel.catalogue, needs_credentials=False)
    own = {path for path in document["paths"] if not path.startswith("/tools/")}
    assert own < listed
    for path in listed - {"/tools/<tool>", "/.well-known/oauth-protected-resource"}:
        assert (await server.client.options(path)).headers["allow"]


def test_documented_times_and_scopes_are_correct() -> None:
    assert (GRACE_S, RECHECK_S) == (10.0, 5.0)
    assert "ten seconds to finish" in PAGE
    assert "within five seconds" in PAGE
    assert METRICS_SCOPE in PAGE
