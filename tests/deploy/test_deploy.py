"""The files in `deploy/` use settings, ports, paths and names that exist. They are not run here."""

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
from tests.surfaces.http.conftest import ADDRESS, run_lifespan

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
FILES = sorted(path for path in DEPLOY.iterdir() if path.is_file())
DEFAULTS = Settings()
NAMES = {f"{ENV_PREFIX}{field.name.upper()}" for field in fields(Settings)}


def read_compose() -> dict[str, Any]:
    return dict(yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8")))


def read_manifests() -> dict[str, dict[str, Any]]:
    documents = yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text("utf-8"))
    return {
        document["kind"] + ("" if document["metadata"]["name"] == "sanya" else " of pods"): document
        for document in documents
    }


def read_container() -> dict[str, Any]:
    return dict(read_manifests()["StatefulSet"]["spec"]["template"]["spec"]["containers"][0])


def read_unit() -> dict[str, list[str]]:
    """Map the names in the systemd unit to their values."""
    found: dict[str, list[str]] = {}
    for line in (DEPLOY / "sanya.service").read_text("utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_setting_that_is_named_exists(path: Path) -> None:
    named = set(re.findall(rf"\b{ENV_PREFIX}[A-Z_]+\b", path.read_text("utf-8")))
    # The compose file's own variable, and the commit that a build writes down.
    assert named - NAMES <= {"SANYA_NAME", "SANYA_COMMIT"}


@pytest.mark.parametrize("path", [file for file in FILES if file.suffix == ".yaml"], ids=lambda path: path.name)
def test_every_yaml_file_is_valid(path: Path) -> None:
    assert all(isinstance(document, dict) for document in yaml.safe_load_all(path.read_text("utf-8")))


def fill_in(value: str) -> str:
    """Return the value as Compose passes it on: with defaults, and with what the operator must set."""
    return re.sub(r"\$\{\w+:\?[^}]*\}", "secret", re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value))


def test_settings_in_the_files_are_valid(home: Path) -> None:
    service = dict(line.split("=", 1) for lines in read_unit()["Environment"] for line in lines.split())
    for environ in (
        {**read_compose()["services"]["east"]["environment"], "SANYA_INDEX": "auto"},
        {**read_manifests()["ConfigMap"]["data"], "SANYA_REPLICA": "sanya-1"},
        {**service, "SANYA_REPLICA": "machine-1"},
    ):
        load_settings({"home": home}, {name: fill_in(str(value)) for name, value in environ.items()})


def test_compose_has_two_replicas_that_differ_only_in_name() -> None:
    services = read_compose()["services"]
    east, west = (services[name]["environment"] for name in ("east", "west"))
    assert (east["SANYA_REPLICA"], west["SANYA_REPLICA"]) == ("east", "west")
    assert {**east, "SANYA_REPLICA": ""} == {**west, "SANYA_REPLICA": ""}
    assert services["weaviate"]["profiles"] == ["weaviate"]
    used = {
        name for service in services.values() for volume in service.get("volumes", ()) if (name := volume.split(":")[0])
    }
    assert {name for name in used if name.isalpha()} <= read_compose()["volumes"].keys()
    assert all(
        ":" in service["image"] for name, service in services.items() if "build" not in service and "image" in service
    ), "pinned"


def test_the_proxy_knows_the_replicas_and_lets_bodies_through() -> None:
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    services = read_compose()["services"]
    upstreams = set(re.findall(r"server (\w+):(\d+)", text))
    ports = {str(DEFAULTS.port), str(DEFAULTS.grpc_port)}
    assert upstreams == {(name, port) for name in ("east", "west") for port in ports}
    assert {name for name, _ in upstreams} <= services.keys()
    assert {port.split(":")[-1] for port in services["proxy"]["ports"]} == ports
    assert f"listen {DEFAULTS.grpc_port} http2;" in text and "grpc_pass grpc://sanya_grpc;" in text
    assert f"client_max_body_size {DEFAULTS.max_body_bytes // 1024**2}m;" in text
    assert "sticky" not in text.replace("no sticky", "") and "ip_hash" not in text


async def test_the_probes_use_paths_that_exist(home: Path) -> None:
    paths = {
        read_container()[probe]["httpGet"]["path"] for probe in ("startupProbe", "livenessProbe", "readinessProbe")
    }
    async with sanya.open(home) as app:
        application = build_application(app)
        transport = httpx.ASGITransport(app=application)
        async with run_lifespan(application), httpx.AsyncClient(transport=transport, base_url=ADDRESS) as client:
            assert [(await client.get(path)).status_code for path in sorted(paths)] == [200, 200]


def test_kubernetes_service_variables_do_not_override_settings() -> None:
    """For a Service named x, Kubernetes sets X_PORT and others in every pod unless enableServiceLinks is false."""
    service = read_manifests()["Service"]["metadata"]["name"]
    assert f"{service.upper()}_PORT" in NAMES
    assert read_manifests()["StatefulSet"]["spec"]["template"]["spec"]["enableServiceLinks"] is False
    assert '"enableServiceLinks": false' in (DEPLOY / "kubernetes.yaml").read_text("utf-8"), "in the command for a key"


def test_kubernetes_runs_unprivileged_replicas() -> None:
    found = read_manifests()
    pod = found["StatefulSet"]["spec"]["template"]["spec"]
    assert found["StatefulSet"]["spec"]["replicas"] == 2
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert read_container()["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert read_container()["securityContext"]["readOnlyRootFilesystem"] is True
    ports = {port["name"]: port["containerPort"] for port in read_container()["ports"]}
    assert ports == {"http": DEFAULTS.port, "grpc": DEFAULTS.grpc_port}
    assert {port["name"] for port in found["Service"]["spec"]["ports"]} == ports.keys()
    labels = found["StatefulSet"]["spec"]["template"]["metadata"]["labels"]
    assert found["Service"]["spec"]["selector"] == labels
    assert {volume["name"] for volume in pod["volumes"]} == {
        mount["name"] for mount in read_container()["volumeMounts"]
    }


def test_the_image_uses_locked_requirements_and_an_unprivileged_user() -> None:
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    for source in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE):
        for path in source.split():
            assert (ROOT / path).exists(), path
            top = path.split("/")[0]
            assert f"!{top}" in (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert "--require-hashes" in text
    assert "hatchling==" in (ROOT / "requirements" / "serve.txt").read_text("utf-8"), "the build tool is locked"
    user = read_container_user()
    assert f"USER {user}:{user}" in text


def read_container_user() -> int:
    return int(read_manifests()["StatefulSet"]["spec"]["template"]["spec"]["securityContext"]["runAsUser"])


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    text = (DEPLOY / "sanya.service").read_text("utf-8")
    # The program is not installed here, so check the unit with another command.
    (tmp_path / "sanya.service").write_text(text.replace("/opt/sanya/bin/sanya serve", "/bin/true serve"), "utf-8")
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / "sanya.service")]
    ran = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_the_unit_is_sandboxed() -> None:
    lines = read_unit()
    assert lines["ExecStart"] == ["/opt/sanya/bin/sanya serve"]
    assert (lines["ProtectSystem"], lines["NoNewPrivileges"]) == (["strict"], ["yes"])
    assert lines["StateDirectory"] == ["sanya"]
    assert "SANYA_HOME=/var/lib/sanya" in lines["Environment"][0]


def test_redis_asks_for_the_password_that_the_servers_have() -> None:
    services = read_compose()["services"]
    assert "--requirepass ${REDIS_PASSWORD:?" in services["redis"]["command"]
    assert services["east"]["environment"]["SANYA_REDIS_URL"].startswith("redis://:${REDIS_PASSWORD:?")
    assert services["east"]["environment"]["SANYA_GRPC"] == "on"


def test_a_rollout_adds_no_chain_to_the_ledger() -> None:
    """The pods of a StatefulSet keep their names, and the name of a replica names its chain."""
    manifests = read_manifests()
    (replica,) = [item for item in read_container()["env"] if item["name"] == "SANYA_REPLICA"]
    assert replica["valueFrom"]["fieldRef"]["fieldPath"] == "metadata.name"
    assert "Deployment" not in manifests
    assert manifests["StatefulSet"]["spec"]["serviceName"] == manifests["Service of pods"]["metadata"]["name"]
    assert manifests["Service of pods"]["spec"]["clusterIP"] == "None"


def test_the_network_policy_lets_in_only_the_ports_of_the_server() -> None:
    policy = read_manifests()["NetworkPolicy"]["spec"]
    assert policy["podSelector"]["matchLabels"] == read_manifests()["Service"]["spec"]["selector"]
    assert {port["port"] for rule in policy["ingress"] for port in rule["ports"]} == {"http", "grpc"}
    assert all("ports" in rule for rule in policy["egress"]), "nothing may go out by every port"


def test_every_image_has_an_exact_tag() -> None:
    bases = re.findall(r"^ARG BASE=(\S+)$", (DEPLOY / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    others = [service["image"] for service in read_compose()["services"].values() if "image" in service]
    for image in [*bases, *others, read_container()["image"]]:
        assert re.fullmatch(r"\S+:v?\d+\.\d+\.\d+\S*", image), image


def test_the_image_checks_its_health_on_the_port_of_the_setting() -> None:
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    assert "os.environ['SANYA_PORT']" in text and "tesseract-ocr-tha" in text
