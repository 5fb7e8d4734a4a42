"""The parts of a release that need no long build, and one wheel that is built, installed and used."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from zipfile import ZipFile

import pytest

from sanya import __version__
from sanya.settings import ENV_PREFIX, list_settings
from sanya.surfaces.cli.main import COMMANDS
from scripts.release.bundle import ROOT, build_bundle, build_manifest, read_start_command
from scripts.release.changelog import cut_section, date_section
from scripts.release.install_check import TUTORIAL, find_python, find_uv
from scripts.release.registry import build_registry_entry
from scripts.weigh import format_weights, weigh

LOG = "# Changelog\n\n## 0.2.0 (unreleased)\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n"


def test_the_notes_are_the_section_of_the_version() -> None:
    assert cut_section(LOG, "0.2.0") == "- New.\n"
    assert cut_section(LOG, "0.1.0") == "- First.\n"
    with pytest.raises(SystemExit, match="no section"):
        cut_section(LOG, "0.3.0")
    assert "## 0.2.0 (2026-11-18)\n" in date_section(LOG, "0.2.0", "2026-11-18")
    with pytest.raises(SystemExit):
        date_section(LOG, "0.1.0", "2026-11-18")


def test_the_form_of_the_bundle_fills_in_what_the_command_takes(tmp_path: Path) -> None:
    wheel = tmp_path / "sanya-9-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    bundle = build_bundle(wheel, "9", [{"name": "get_tasks", "description": "Lists tasks."}], tmp_path / "b.mcpb")
    again = build_bundle(wheel, "9", [{"name": "get_tasks", "description": "Lists tasks."}], tmp_path / "c.mcpb")
    assert bundle.read_bytes() == again.read_bytes(), "the same wheel gives the same bytes"
    with ZipFile(bundle) as archive:
        archive.extractall(tmp_path / "there")
    command, environ = read_start_command(tmp_path / "there", {"home": "/my data", "time_zone": "Asia/Bangkok"})
    assert command[:4] == ["uv", "run", "--directory", str(tmp_path / "there")]
    assert (tmp_path / "there" / command[4]).exists() and "/my data" in command
    assert not re.search(r"\$\{", " ".join([*command, *environ.values()])), "everything is filled in"
    names = {ENV_PREFIX + row.name.upper() for row in list_settings()}
    assert environ.keys() <= names
    assert {f"{ENV_PREFIX}{option[2:].replace('-', '_').upper()}" for option in command if option[:2] == "--"} - {
        "SANYA_DIRECTORY"
    } <= names | {"SANYA_HOME"}
    icons = build_manifest("9", [])["icons"]
    assert all((tmp_path / "there" / icon["src"]).exists() for icon in icons)


def test_the_registry_entry_keeps_the_rules_of_its_schema(tmp_path: Path) -> None:
    bundle = tmp_path / "sanya.mcpb"
    bundle.write_bytes(b"x")
    entry = build_registry_entry("io.github.someone/sanya", "1.2.3", bundle, "https://x.example/sanya.mcpb")
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"]) and len(entry["description"]) <= 100
    assert {package["version"] for package in entry["packages"]} == {entry["version"]}
    pypi, mcpb = entry["packages"]
    assert pypi["runtimeHint"] == "uvx" and pypi["packageArguments"][0] == {"type": "positional", "value": "mcp"}
    assert re.fullmatch(r"[a-f0-9]{64}", mcpb["fileSha256"])


def test_the_commands_that_an_install_is_checked_with_exist() -> None:
    assert {words[0] for words, _ in TUTORIAL} - {"--version"} <= COMMANDS.keys()


def test_a_python_behind_a_script_is_found_itself(tmp_path: Path) -> None:
    shim = tmp_path / "python-shim"
    shim.write_text(f'#!/usr/bin/env sh\nexec "{sys.executable}" "$@"\n')
    shim.chmod(0o755)
    found = find_python(str(shim))
    assert found is not None and found != str(shim)
    subprocess.run([found, "-c", "pass"], check=True, env={"PATH": "/nowhere"})
    assert find_python(str(tmp_path / "absent")) is None


def test_packages_are_weighed() -> None:
    weights = weigh(sys.executable)
    assert weights["numpy"] > 1e6
    assert "| numpy | " in format_weights(weights)


def test_a_pure_wheel_installs_and_answers(tmp_path: Path) -> None:
    """The long form, every Python and extra, is `make release`."""
    build = [find_uv(), "build", "--quiet", "--wheel", "--no-build-isolation", "--python", sys.executable]
    environ = {**os.environ, "SANYA_PURE": "1", "SANYA_COMMIT": "0123456789ab", "VIRTUAL_ENV": ""}
    subprocess.run([*build, "--out-dir", str(tmp_path), str(ROOT)], env=environ, check=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl") and wheel.stat().st_size < 10e6
    venv = tmp_path / "venv"
    subprocess.run([find_uv(), "venv", "--quiet", "--python", sys.executable, str(venv)], check=True, timeout=60)
    python = venv / "bin" / "python"
    install = [find_uv(), "pip", "install", "--quiet", "--no-deps", "--python", str(python), str(wheel)]
    subprocess.run(install, check=True, timeout=120)
    (site,) = (venv / "lib").glob("python*/site-packages")
    # What it depends on comes from here; the package itself from the wheel.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    home = ["--home", str(tmp_path / "home")]

    def ask(*words: str) -> str:
        ran = subprocess.run(
            [str(venv / "bin" / "sanya"), *words], capture_output=True, text=True, timeout=120, cwd=tmp_path, check=True
        )
        return ran.stdout

    assert ask("--version") == f"sanya {__version__} (commit 0123456789ab)\n"
    assert '"items"' in ask(*home, "call", "get_tasks", '{"limit": 1}')
