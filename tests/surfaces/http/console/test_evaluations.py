"""Evaluations over HTTP: a JSON list, an HTML page for each report, and the usual scopes."""

from __future__ import annotations

import base64
from hashlib import sha256

from sanya.suites.herbs.evaluation.report.page import EvaluationReport, read_style, render_report
from sanya.suites.herbs.evaluation.store import EvaluationStore
from tests.suites.herbs.evaluation.examples import kept, mixed
from tests.surfaces.http.conftest import DemoServer


async def test_a_reports_policy_forbids_scripts_and_requests(server: DemoServer) -> None:
    page = render_report(EvaluationReport("smoke", "eval_a", mixed(), None))
    await EvaluationStore(server.app.database).add(kept("eval_a", report=page))
    shown = await server.client.get("/evaluations/eval_a")
    assert (shown.status_code, shown.text) == (200, page)
    assert shown.headers["content-type"] == "text/html; charset=utf-8"
    own = base64.b64encode(sha256(read_style().encode("utf-8")).digest()).decode("ascii")
    assert shown.headers["content-security-policy"].startswith(f"default-src 'none'; style-src 'sha256-{own}'; ")
    listed = (await server.client.get("/evaluations")).json()["evaluations"]
    assert [(evaluation["id"], evaluation["report_path"]) for evaluation in listed] == [
        ("eval_a", "/evaluations/eval_a")
    ]
    assert listed[0]["metrics"] == [
        {"name": "R@10", "value": 0.9, "n": 18},
        {"name": "ECE", "value": 0.1, "n": 22},
    ]


async def test_an_unknown_evaluation_is_refused_with_the_envelope(server: DemoServer) -> None:
    for id in ("eval_none", "%2e%2e%2fetc", "%E0%B8%81", "a%20b", "%00"):
        answer = await server.client.get(f"/evaluations/{id}")
        assert answer.status_code == 404, id
        assert answer.json()["error"]["code"] == "NOT_FOUND"
    assert (await server.client.get("/evaluations/a/b")).status_code == 404
    assert (await server.client.post("/evaluations")).status_code == 405


async def test_a_key_needs_the_scope_to_read(server: DemoServer) -> None:
    for scope, status in (("tasks:read", 403), ("herbs:read", 200)):
        key = await server.app.keys.create(f"for {scope}", [scope])
        headers = {"authorization": f"Bearer {key}"}
        assert (await server.client.get("/evaluations", headers=headers)).status_code == status
