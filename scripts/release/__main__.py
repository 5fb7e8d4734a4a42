"""`make release`: a folder that could be published.

    python -m scripts.release [--pythons 3.11,/path/to/python3.13] [--quick] [--registry-name NAME] [--date]

It holds the source, a wheel for each Python at hand and one for all others, the bundle for desktop hosts, the entry for
the MCP registry, the bill of materials, the notes of the release and the digests of all. The source is built first, and
everything else from it. Each wheel is installed into a clean environment and runs the tutorial's commands; the bundle
passes the official validator and is started as a host starts it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import subprocess
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from sanya import __version__
from sanya.build_version import find_commit
from scripts.release.bundle import ROOT, build_bundle, read_start_command, validate_bundle
from scripts.release.changelog import cut_section, date_section
from scripts.release.install_check import (
    InstallCase,
    check_install,
    check_read_only_home,
    find_python,
    find_shared_python,
    find_uv,
    read_tools,
)
from scripts.release.registry import build_registry_entry

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
MAX_WHEEL_MB = 10
MAX_INSTALL_MB = 350
_OTHER_USER = "another user"
_YOUR_NAME = "io.github.YOUR-ACCOUNT/sanya"


def main() -> None:
    options = _parse_options()
    folder = ROOT / "dist" / __version__
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    (folder / "NOTES.md").write_text(cut_section(changelog, __version__), "utf-8")
    found = {version: python for version in options.pythons if (python := find_python(version))}
    missing = ", ".join(version for version in options.pythons if version not in found)
    _say(f"Sanya {__version__} for {', '.join(found)}; not here: {missing or 'none'}")
    pythons = list(found.values())
    source = _build(folder, "--sdist", str(ROOT))
    wheels = [_build(folder, "--wheel", "--python", python, str(source)) for python in pythons]
    pure = _build(folder, "--wheel", str(source), environ={"SANYA_PURE": "1"})
    _check_sizes([*wheels, pure])
    _copy_sbom(pure, folder)
    with TemporaryDirectory() as scratch:
        place = Path(scratch)
        place.chmod(0o755)
        _check_installs(_list_cases(pythons, wheels, pure, source, quick=options.quick), place)
        program = place / "1" / "venv" / "bin" / "sanya"
        bundle = build_bundle(pure, __version__, read_tools(program, place / "home"), folder / "sanya.mcpb")
        _say(validate_bundle(bundle, place) or "npx is not here: the bundle was not validated by the official tool")
        asyncio.run(_start_bundle(bundle, place))
        _check_tools(folder, place)
    entry = build_registry_entry(options.registry_name, __version__, bundle, options.bundle_url)
    (folder / "server.json").write_text(json.dumps(entry, indent=2) + "\n", "utf-8")
    _write_digests(folder)
    if options.date:
        dated = date_section(changelog, __version__, datetime.now(UTC).date().isoformat())
        (ROOT / "CHANGELOG.md").write_text(dated, "utf-8")
    _say(f"{folder} is ready:")
    for path in sorted(folder.iterdir()):
        _say(f"  {path.name}  {path.stat().st_size / 1e6:.1f} MB")
    if options.registry_name == _YOUR_NAME:
        _say("server.json carries a placeholder: set REGISTRY_NAME and BUNDLE_URL before you publish it.")


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.release", description="Build and check a release.")
    parser.add_argument("--pythons", type=lambda text: text.split(","), default=list(PYTHONS))
    parser.add_argument("--quick", action="store_true", help="Check one plain install instead of the whole matrix.")
    parser.add_argument("--date", action="store_true", help="Write today's date into the changelog.")
    parser.add_argument("--registry-name", default=os.environ.get("REGISTRY_NAME") or _YOUR_NAME)
    parser.add_argument(
        "--bundle-url", default=os.environ.get("BUNDLE_URL") or "https://YOUR-HOST/sanya.mcpb", help="Its address."
    )
    return parser.parse_args()


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - progress of a script


def _build(folder: Path, *arguments: str, environ: dict[str, str] | None = None) -> Path:
    before = set(folder.iterdir())
    given = {**os.environ, "SANYA_COMMIT": find_commit(), **(environ or {})}
    command = [find_uv(), "build", "--quiet", "--out-dir", str(folder), *arguments]
    subprocess.run(command, env=given, check=True)  # noqa: S603
    (built,) = [path for path in set(folder.iterdir()) - before if path.suffix in (".whl", ".gz")]
    (folder / ".gitignore").unlink(missing_ok=True)
    _say(f"built {built.name}")
    return built


def _check_sizes(wheels: list[Path]) -> None:
    for wheel in wheels:
        if wheel.stat().st_size > MAX_WHEEL_MB * 1e6:
            raise SystemExit(f"{wheel.name} has {wheel.stat().st_size / 1e6:.1f} MB, more than {MAX_WHEEL_MB}")


def _list_cases(pythons: list[str], wheels: list[Path], pure: Path, source: Path, *, quick: bool) -> list[InstallCase]:
    first = InstallCase("plain", pythons[0], str(wheels[0]))
    if quick:
        return [first]
    cases = [first, InstallCase("pure, no compiler", pythons[-1], str(pure), has_compiler=False)]
    cases += [InstallCase(f"embeddings {number}", python, f"{wheel}[embeddings]") for number, (python, wheel) in
              enumerate(zip(pythons, wheels, strict=True), 1)]  # fmt: skip
    cases += [
        InstallCase("source, no compiler", pythons[0], str(source), has_compiler=False),
        InstallCase("all extras", pythons[0], f"{wheels[0]}[all]"),
    ]
    if os.geteuid() == 0:  # others cannot become another user
        if shared := find_shared_python(pythons):
            cases.append(InstallCase(_OTHER_USER, shared, f"{pure}[documents]", other_user=True))
        else:
            _say("not checked as another user: no Python here that another user may start")
    return cases


def _check_installs(cases: list[InstallCase], place: Path) -> None:
    for number, case in enumerate(cases, 1):
        size = check_install(case, place / str(number))
        _say(f"installed and used: {case.name} (Python {case.python}, {size} MB)")
        if case.name.startswith("embeddings") and size > MAX_INSTALL_MB:
            raise SystemExit(f"{case.name}: {size} MB, more than {MAX_INSTALL_MB}")
        if case.other_user:
            folder = place / str(number)
            _say(f"read-only home: {check_read_only_home(folder / 'venv' / 'bin' / 'sanya', folder)}")


async def _start_bundle(bundle: Path, place: Path) -> None:
    """Start the bundle as a host does, and call a tool."""
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    unpacked = place / "host"
    with ZipFile(bundle) as archive:
        archive.extractall(unpacked)
    command, environ = read_start_command(unpacked, {"home": str(place / "bundle home")})
    program = find_uv() if command[0] == "uv" else command[0]
    await asyncio.to_thread(  # a host installs first, and shows that it does
        subprocess.run, [program, "sync", "--quiet", "--directory", str(unpacked)], check=True
    )
    server = StdioServerParameters(command=program, args=command[1:], env={**os.environ, **environ})
    async with Client(stdio_client(server)) as client:
        tools = (await client.list_tools()).tools
        found = await client.call_tool("tool_hybrid_search", {"query": "ขมิ้นชัน"})
        assert found.structured_content, "the bundle's server answers"
        _say(f"the bundle answers over stdio: {len(tools)} tools, {found.structured_content['hits'][0]['id']}")


def _check_tools(links: Path, place: Path) -> None:
    """Start Sanya by `uvx` and install it by `uv tool`, from the built files."""
    environ = {**os.environ, "UV_TOOL_DIR": str(place / "tools"), "UV_TOOL_BIN_DIR": str(place / "bin")}
    for command in (
        [find_uv(), "tool", "run", "--find-links", str(links), "sanya", "--version"],
        [find_uv(), "tool", "install", "--quiet", "--find-links", str(links), f"sanya=={__version__}"],
        [str(place / "bin" / "sanya"), "--version"],
    ):
        ran = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)  # noqa: S603
        if ran.returncode:
            raise SystemExit(f"{' '.join(command)} failed:\n{ran.stderr}")
    _say("uvx and uv tool install: work")


def _copy_sbom(wheel: Path, folder: Path) -> None:
    with ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".cdx.json"))
        (folder / "sanya.cdx.json").write_bytes(archive.read(name))


def _write_digests(folder: Path) -> None:
    lines = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main()
