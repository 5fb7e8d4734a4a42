"""What `deploy/` says of us is true: settings, ports, paths and names exist. That it runs, Docker must show."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

import sanya
from sanya.settings import ENV_PREFIX, Settings, load_settings
from sanya.surfaces.http.application import build_application
from tests.surfaces.http.conftest import ADDRESS, lived

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
FILES = sorted(path for path in DEPLOY.iterdir() if path.is_file())
DEFAULTS = Settings()
NAMES = {f"{ENV_PREFIX}{one.name.upper()}" for one in fields(Settings)}


def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8")))


def manifests() -> dict[str, dict[str, Any]]:
    documents = yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text("utf-8"))
    return {document["kind"]: document for document in documents}


def container() -> dict[str, Any]:
    return dict(manifests()["Deployment"]["spec"]["template"]["spec"]["containers"][0])


def unit() -> dict[str, list[str]]:
    """The lines of the systemd unit, by name."""
    found: dict[str, list[str]] = {}
    for line in (DEPLOY / "sanya.service").read_text("utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_setting_that_is_named_exists(path: Path) -> None:
    named = set(re.findall(rf"\b{ENV_PREFIX}[A-Z_]+\b", path.read_text("utf-8")))
    # The one name of the compose file's own.
    assert named - NAMES <= {"SANYA_NAME"}


@pytest.mark.parametrize("path", [one for one in FILES if one.suffix == ".yaml"], ids=lambda path: path.name)
def test_every_yaml_file_is_one(path: Path) -> None:
    assert all(isinstance(one, dict) for one in yaml.safe_load_all(path.read_text("utf-8")))


def test_settings_in_the_files_can_be_read(home: Path) -> None:
    service = dict(line.split("=", 1) for lines in unit()["Environment"] for line in lines.split())
    for environ in (
        {**compose()["services"]["east"]["environment"], "SANYA_INDEX": "auto"},
        {**manifests()["ConfigMap"]["data"], "SANYA_REPLICA": "sanya-6d4cf56db6-x8v2q"},
        {**service, "SANYA_REPLICA": "machine-1"},
    ):
        load_settings({"home": home}, environ)


def test_compose_has_two_replicas_that_differ_in_name_alone_on_the_same_engines() -> None:
    services = compose()["services"]
    east, west = (services[name]["environment"] for name in ("east", "west"))
    assert (east["SANYA_REPLICA"], west["SANYA_REPLICA"]) == ("east", "west")
    assert {**east, "SANYA_REPLICA": ""} == {**west, "SANYA_REPLICA": ""}
    assert services["weaviate"]["profiles"] == ["weaviate"]
    used = {name for one in services.values() for volume in one.get("volumes", ()) if (name := volume.split(":")[0])}
    assert {name for name in used if name.isalpha()} <= compose()["volumes"].keys()
    assert all(":" in one["image"] for name, one in services.items() if "build" not in one and "image" in one), "pinned"


def test_the_proxy_knows_the_replicas_and_lets_bodies_through() -> None:
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    services = compose()["services"]
    upstreams = dict(re.findall(r"server (\w+):(\d+)", text))
    assert upstreams == {"east": str(DEFAULTS.port), "west": str(DEFAULTS.port)}
    assert upstreams.keys() <= services.keys()
    assert f"client_max_body_size {DEFAULTS.max_body_bytes // 1024**2}m;" in text
    assert "sticky" not in text.replace("no sticky", "") and "ip_hash" not in text


async def test_the_probes_ask_for_paths_that_are_served(home: Path) -> None:
    paths = {container()[probe]["httpGet"]["path"] for probe in ("startupProbe", "livenessProbe", "readinessProbe")}
    async with sanya.open(home) as app:
        application = build_application(app)
        transport = httpx.ASGITransport(app=application)
        async with lived(application), httpx.AsyncClient(transport=transport, base_url=ADDRESS) as client:
            assert [(await client.get(path)).status_code for path in sorted(paths)] == [200, 200]


def test_no_service_of_kubernetes_sets_our_settings() -> None:
    """For a Service of the name x, Kubernetes sets X_PORT and more in every pod, unless it is told not to."""
    service = manifests()["Service"]["metadata"]["name"]
    assert f"{service.upper()}_PORT" in NAMES
    assert manifests()["Deployment"]["spec"]["template"]["spec"]["enableServiceLinks"] is False
    assert '"enableServiceLinks": false' in (DEPLOY / "kubernetes.yaml").read_text("utf-8"), "in the command for a key"


def test_kubernetes_runs_replicas_that_may_do_little() -> None:
    found = manifests()
    pod = found["Deployment"]["spec"]["template"]["spec"]
    assert found["Deployment"]["spec"]["replicas"] == 2
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert container()["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert container()["securityContext"]["readOnlyRootFilesystem"] is True
    ports = {one["name"]: one["containerPort"] for one in container()["ports"]}
    assert ports == {"http": DEFAULTS.port, "grpc": DEFAULTS.grpc_port}
    assert {one["name"] for one in found["Service"]["spec"]["ports"]} == ports.keys()
    labels = found["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert found["Service"]["spec"]["selector"] == labels
    assert {volume["name"] for volume in pod["volumes"]} == {one["name"] for one in container()["volumeMounts"]}


def test_the_image_takes_locked_requirements_and_runs_as_nobody_special() -> None:
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    for source in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE):
        for one in source.split():
            assert (ROOT / one).exists(), one
            top = one.split("/")[0]
            assert f"!{top}" in (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert "--require-hashes" in text
    assert "hatchling==" in (ROOT / "requirements" / "serve.txt").read_text("utf-8"), "it is built with what was locked"
    user = container_user()
    assert f"USER {user}:{user}" in text


def container_user() -> int:
    return int(manifests()["Deployment"]["spec"]["template"]["spec"]["securityContext"]["runAsUser"])


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze here")
    text = (DEPLOY / "sanya.service").read_text("utf-8")
    # The program is not installed here; everything else is as it stands.
    (tmp_path / "sanya.service").write_text(text.replace("/opt/sanya/bin/sanya serve", "/bin/true serve"), "utf-8")
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / "sanya.service")]
    ran = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_the_unit_is_locked_in() -> None:
    lines = unit()
    assert lines["ExecStart"] == ["/opt/sanya/bin/sanya serve"]
    assert (lines["ProtectSystem"], lines["NoNewPrivileges"]) == (["strict"], ["yes"])
    assert lines["StateDirectory"] == ["sanya"]
    assert "SANYA_HOME=/var/lib/sanya" in lines["Environment"][0]
