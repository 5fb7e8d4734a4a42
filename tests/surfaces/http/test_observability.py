"""The alerts and the dashboard ask only for metrics and labels that a server tells."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from sanya.kernel.faults import Fault, Unavailable
from tests.surfaces.http.conftest import DemoServer

DEPLOY = Path(__file__).parents[3] / "deploy"
METRIC = re.compile(r"\b(?:sanya|process)_[a-z_]+")
MATCHER = re.compile(r"\b((?:sanya|process)_[a-z_]+)\{([^}]*)\}")
GROUPED = re.compile(r"by \(([^)]*)\)")
# Prometheus adds these itself; several workers add theirs.
OUTSIDE = {"job", "instance", "le", "worker"}


def list_expressions() -> Iterator[str]:
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text("utf-8"))
    for group in rules["groups"]:
        for rule in group["rules"]:
            assert {"alert", "expr", "for", "labels", "annotations"} <= rule.keys()
            assert {"summary", "description"} <= rule["annotations"].keys()
            yield rule["expr"]
    for panel in json.loads((DEPLOY / "grafana-dashboard.json").read_text("utf-8"))["panels"]:
        yield from (target["expr"] for target in panel["targets"])


EXPRESSIONS = sorted(set(list_expressions()))
KINDS = {kind.kind for kind in Fault.__subclasses__()} | {
    deeper.kind for kind in Fault.__subclasses__() for deeper in kind.__subclasses__()
}


@pytest.fixture
async def labels_by_metric(server: DemoServer) -> dict[str, set[str]]:
    server.app.breakers.get("redis", lambda _: Unavailable("Redis is away."))
    await server.call("demo.say")
    await server.call("demo.nothing")
    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families((await server.client.get("/metrics")).text):
        found.setdefault(family.name, set())
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


async def test_every_metric_and_label_that_is_asked_for_exists(labels_by_metric: dict[str, set[str]]) -> None:
    assert len(EXPRESSIONS) > 25
    for expression in EXPRESSIONS:
        names = set(METRIC.findall(expression))
        assert names <= labels_by_metric.keys() | {name + "_total" for name in labels_by_metric}, expression
        for name, matchers in MATCHER.findall(expression):
            labels = set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", matchers))
            assert labels <= labels_by_metric.get(name, set()) | OUTSIDE, expression
        for grouped in GROUPED.findall(expression):
            known = set.union(*(labels_by_metric.get(name, set()) for name in names))
            assert {label.strip() for label in grouped.split(",")} <= known | OUTSIDE, expression
        statuses = {kind for found in re.findall(r'status=~"([^"]*)"', expression) for kind in found.split("|")}
        assert statuses <= KINDS, expression
