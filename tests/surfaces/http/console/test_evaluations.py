"""Evaluations over HTTP: a list for programs, a page for people, and the same scopes as everywhere."""

from __future__ import annotations

import base64
from hashlib import sha256

from sanya.suites.herbs.evaluation.report.page import Report, report_page, style
from sanya.suites.herbs.evaluation.store import EvaluationStore
from tests.suites.herbs.evaluation.examples import kept, mixed
from tests.surfaces.http.conftest import House


async def test_a_report_is_a_page_that_may_fetch_and_run_nothing(house: House) -> None:
    page = report_page(Report("smoke", "eval_a", mixed(), None))
    await EvaluationStore(house.app.database).add(kept("eval_a", report=page))
    shown = await house.client.get("/evaluations/eval_a")
    assert (shown.status_code, shown.text) == (200, page)
    assert shown.headers["content-type"] == "text/html; charset=utf-8"
    own = base64.b64encode(sha256(style().encode("utf-8")).digest()).decode("ascii")
    assert shown.headers["content-security-policy"].startswith(f"default-src 'none'; style-src 'sha256-{own}'; ")
    listed = (await house.client.get("/evaluations")).json()["evaluations"]
    assert [(one["id"], one["report_path"]) for one in listed] == [("eval_a", "/evaluations/eval_a")]
    assert listed[0]["metrics"] == [
        {"name": "R@10", "value": 0.9, "n": 18},
        {"name": "ECE", "value": 0.1, "n": 22},
    ]


async def test_what_is_not_there_is_refused_in_the_envelope(house: House) -> None:
    for id in ("eval_none", "%2e%2e%2fetc", "%E0%B8%81", "a%20b", "%00"):
        answer = await house.client.get(f"/evaluations/{id}")
        assert answer.status_code == 404, id
        assert answer.json()["error"]["code"] == "NOT_FOUND"
    assert (await house.client.get("/evaluations/a/b")).status_code == 404
    assert (await house.client.post("/evaluations")).status_code == 405


async def test_a_key_needs_the_scope_to_read(house: House) -> None:
    for scope, status in (("tasks:read", 403), ("herbs:read", 200)):
        key = await house.app.keys.create(f"for {scope}", [scope])
        headers = {"authorization": f"Bearer {key}"}
        assert (await house.client.get("/evaluations", headers=headers)).status_code == status
