"""Installs a built file in a clean environment and uses it as the tutorial does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_LIMIT_S = 900
_DATA = '{"content": "Khun Malee takes warfarin.", "agent_id": "check"}'
TUTORIAL: tuple[tuple[tuple[str, ...], str], ...] = (
    (("--version",), "sanya "),
    (("tools",), "get_tasks"),
    (("call", "get_tasks", '{"limit": 1}'), '"items"'),
    (("herbs", "check", "ขมิ้นชัน", "--drug", "warfarin", "--lang", "en"), "MAJOR"),
    (("herbs", "ask", "May a patient on warfarin take turmeric?"), "warfarin"),
    (("papers", "search", "exercise in older adults"), "pmid:"),
    (("call", "send_memory", _DATA), '"accepted"'),
    (("call", "get_memory", '{"query": "Which medicine does Khun Malee take?"}'), "Khun Malee takes warfarin."),
    (("models",), "offline"),
    (("audit", "verify"), "holds"),
    (("doctor",), "✓"),
)
"""The commands of the tutorial, and what each must print. A check that warns ends with code 3."""


@dataclass(frozen=True, slots=True)
class InstallCase:
    """A way to install: a file or a name with extras, for a Python, and what the user has or lacks."""

    name: str
    python: str
    wanted: str
    """The requirement, e.g. a path to a wheel with extras."""
    has_compiler: bool = True
    other_user: bool = False
    """True to run the commands as the user `nobody`, who may not write beside the program."""


def find_uv() -> str:
    beside = Path(sys.executable).with_name("uv")
    uv = str(beside) if beside.exists() else shutil.which("uv")
    if not uv:
        raise SystemExit("uv is not installed; run: make .venv/.ready-dev")
    return uv


def find_python(wanted: str) -> str | None:
    """Return the program of a Python on this machine, named by its version or its path.

    What is on the path may be a script that starts another program, as version managers put there. The checks
    without a compiler empty the path, and such a script then finds no shell, so the interpreter itself is returned.
    """
    program = wanted if "/" in wanted else shutil.which(f"python{wanted}")
    if program is None or not Path(program).is_file():
        return None
    ask = "import ensurepip, ssl, sys; print(sys.executable)"
    ran = subprocess.run([program, "-c", ask], capture_output=True, check=False, text=True)  # noqa: S603
    return ran.stdout.strip() if ran.returncode == 0 else None


def find_shared_python(pythons: Sequence[str]) -> str | None:
    """Return a Python that `nobody` can start: of the given ones, or the system's. One in the folder of a user, who
    lets nobody in, runs for that user alone."""
    for program in (*pythons, "/usr/bin/python3"):
        command = [program, "-c", "import ssl"]
        try:
            subprocess.run(command, check=True, capture_output=True, **_become_nobody(True))  # type: ignore[call-overload] # noqa: S603
        except (OSError, subprocess.CalledProcessError):
            continue
        return program
    return None


def check_install(case: InstallCase, folder: Path, links: Path | None = None) -> int:
    """Install and run the tutorial. Return the megabytes that the install takes; raise SystemExit with what failed."""
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    environ = _make_environ(case, folder)
    _run([find_uv(), "venv", "--quiet", "--python", case.python, str(folder / "venv")], environ, case.name)
    found = ["--find-links", str(links)] if links else []
    python = str(folder / "venv" / "bin" / "python")
    _run([find_uv(), "pip", "install", "--quiet", "--python", python, *found, case.wanted], environ, case.name)
    size = _measure_megabytes(folder / "venv")
    (folder / "user").mkdir()
    if case.other_user:
        shutil.chown(folder / "user", "nobody")
    run_tutorial(case, folder / "venv" / "bin" / "sanya", folder)
    return size


def run_tutorial(case: InstallCase, program: Path, folder: Path) -> None:
    environ = _make_environ(case, folder)
    for command, expected in TUTORIAL:
        ran = _run([str(program), *command], environ, case.name, codes=(0, 3), as_nobody=case.other_user)
        if expected not in ran:
            raise SystemExit(f"{case.name}: `sanya {' '.join(command)}` does not print {expected!r}:\n{ran}")


def check_read_only_home(program: Path, folder: Path) -> str:
    """Run a command as `nobody` in a home that cannot be written. Return the message, which must be one line."""
    home = folder / "read-only"
    home.mkdir(mode=0o555)
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder / "user"), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(  # noqa: S603
        [str(program), "--home", str(home), "call", "get_tasks", "{}"],
        env=environ,
        capture_output=True,
        text=True,
        timeout=_LIMIT_S,
        check=False,
        **_become_nobody(True),  # type: ignore[call-overload]
    )
    if ran.returncode != 1 or "Traceback" in ran.stderr or not ran.stderr.startswith("sanya: "):
        raise SystemExit(f"a read-only home is not explained: code {ran.returncode}\n{ran.stderr}")
    return str(ran.stderr.strip())


def _make_environ(case: InstallCase, folder: Path) -> dict[str, str]:
    """Return an environment as a newcomer's: a fresh user, and no compiler on the path where there is none."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_"))}
    path = os.environ["PATH"] if case.has_compiler else str(_make_path_without_compiler(folder))
    return {**kept, "PATH": path, "HOME": str(folder / "user"), "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1",
            "UV_CACHE_DIR": os.environ.get("UV_CACHE_DIR", str(Path.home() / ".cache" / "uv"))}  # fmt: skip


def _make_path_without_compiler(folder: Path) -> Path:
    """Make a folder with the programs that an install may use, and no compiler."""
    programs = folder / "programs"
    if not programs.exists():
        programs.mkdir()
        for name in ("sh", "env", "uname", "ldd", "cat", "git"):
            if found := shutil.which(name):
                (programs / name).symlink_to(found)
    return programs


def _run(
    command: Sequence[str],
    environ: Mapping[str, str],
    name: str,
    *,
    codes: tuple[int, ...] = (0,),
    as_nobody: bool = False,
) -> str:
    ran = subprocess.run(  # noqa: S603
        list(command),
        env=dict(environ),
        capture_output=True,
        text=True,
        timeout=_LIMIT_S,
        check=False,
        **_become_nobody(as_nobody),  # type: ignore[call-overload]
    )
    if ran.returncode not in codes:
        raise SystemExit(f"{name}: {' '.join(command)} ended with {ran.returncode}:\n{ran.stdout}{ran.stderr}")
    return str(ran.stdout)


def _become_nobody(wanted: bool) -> dict[str, object]:
    return {"user": "nobody", "group": "nogroup", "extra_groups": []} if wanted else {}


def _measure_megabytes(folder: Path) -> int:
    return round(sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6)


def read_tools(program: Path, home: Path) -> list[dict[str, str]]:
    """Return the listed tools of an installed program, with the first sentence of each description."""
    ran = subprocess.run(  # noqa: S603
        [str(program), "--home", str(home), "tools", "--json"], capture_output=True, text=True, check=True
    )
    return [
        {"name": tool["portable_name"], "description": tool["description"].split(". ")[0].rstrip(".") + "."}
        for tool in json.loads(ran.stdout)
    ]
