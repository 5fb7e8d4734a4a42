"""Compiles the Cython modules of the project, for a wheel and for an editable install, and lists what it runs with.

Where there is no compiler the install succeeds without them: each module has a Python fallback of the same name, which
returns the same and takes longer.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SBOM_NAME = "sanya.cdx.json"
COMMIT_NAME = "commit.txt"
"""The file that tells `sanya --version` the commit of a built wheel."""
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)


class CompiledModules(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        source = Path(self.root) / "src"
        self._build_folder = TemporaryDirectory()
        # SANYA_PURE builds the wheel that runs anywhere, whether or not there is a compiler.
        is_pure = bool(os.environ.get("SANYA_PURE"))
        modules = {} if is_pure else compile_modules(source, Path(self._build_folder.name))
        if version == "editable":
            for name, path in modules.items():
                replace_file(path, source / name)
        else:
            build_data["force_include"].update({str(path): name for name, path in modules.items()})
            build_data["pure_python"] = not modules
            build_data["infer_tag"] = bool(modules)
            bill = Path(self._build_folder.name) / SBOM_NAME
            bill.write_text(json.dumps(build_sbom(Path(self.root), self.metadata.version), indent=1))
            build_data["sbom_files"].append(str(bill))
            if commit := find_commit(Path(self.root)):
                note = Path(self._build_folder.name) / COMMIT_NAME
                note.write_text(commit + "\n")
                build_data["force_include"][str(note)] = f"sanya/{COMMIT_NAME}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        self._build_folder.cleanup()


def compile_modules(source: Path, target: Path) -> dict[str, Path]:
    """Map the path of each module in the package to its built file. Return all of them or none: some need others."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    sources = {".".join(path.relative_to(source).with_suffix("").parts): path for path in sorted(source.rglob("*.pyx"))}
    flags = ["-O3"] if os.name == "posix" else []
    # Debug symbols are four fifths of a module's size.
    linker_flags = ["-s"] if sys.platform.startswith("linux") else []
    extensions = [
        Extension(name, [str(path)], extra_compile_args=flags, extra_link_args=linker_flags)
        for name, path in sources.items()
    ]
    with TemporaryDirectory() as folder:
        modules = cythonize(extensions, build_dir=folder, include_path=[str(source)], language_level=3, quiet=True)
        for module in modules:
            module.optional = True  # a module that does not compile is reported and left out
        command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(target), folder
        command.parallel = os.cpu_count()
        command.ensure_finalized()
        command.run()
        built = [Path(path) for path in command.get_outputs()]
    if not all(path.exists() for path in built):
        return {}
    return {path.relative_to(target).as_posix(): path for path in built}


def find_commit(root: Path) -> str:
    """Return the commit that is built: SANYA_COMMIT, or that of the repository; nothing where neither is there."""
    if given := os.environ.get("SANYA_COMMIT"):
        return given
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return ""
    command = [git, "-C", str(root), "rev-parse", "--short=12", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603


def build_sbom(root: Path, version: str) -> dict[str, Any]:
    """Build the bill of materials (CycloneDX 1.6): every package of the lock that `make serve` installs, with its
    version and the hashes of its files. It has no time and no random id, so the same lock gives the same bytes."""
    lock = (root / "requirements" / "serve.txt").read_text(encoding="utf-8")
    components = [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{name}@{release}",
            "name": name,
            "version": release,
            "purl": f"pkg:pypi/{name}@{release}",
            "hashes": [{"alg": "SHA-256", "content": digest} for digest in re.findall(r"sha256:([0-9a-f]{64})", rest)],
        }
        for name, release, rest in _PINNED.findall(lock)
    ]
    product = {"type": "application", "bom-ref": "sanya", "name": "sanya", "version": version}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": product},
        "components": components,
        "dependencies": [{"ref": "sanya", "dependsOn": [component["bom-ref"] for component in components]}],
    }


def replace_file(path: Path, place: Path) -> None:
    """Replace the file in one step: a running process keeps the one that it loaded."""
    beside = place.with_suffix(".new")
    shutil.copy2(path, beside)
    beside.replace(place)
