"""Compiles the parts of the house that are written in Cython, for a wheel and for an editable install.

Where no compiler is at hand the install goes through without them: each has a way in Python, which gives the same and
takes longer.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledParts(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        source = Path(self.root) / "src"
        self._built = TemporaryDirectory()
        found = _compiled(source, Path(self._built.name))
        if version == "editable":
            for name, path in found.items():
                _put(path, source / name)
        else:
            build_data["force_include"].update({str(path): name for name, path in found.items()})
            build_data["pure_python"] = not found
            build_data["infer_tag"] = bool(found)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        self._built.cleanup()


def _compiled(source: Path, into: Path) -> dict[str, Path]:
    """All parts by their place in the package, or none: some need others."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    parts = {".".join(path.relative_to(source).with_suffix("").parts): path for path in sorted(source.rglob("*.pyx"))}
    flags = ["-O3"] if os.name == "posix" else []
    wanted = [Extension(name, [str(path)], extra_compile_args=flags) for name, path in parts.items()]
    with TemporaryDirectory() as folder:
        modules = cythonize(wanted, build_dir=folder, include_path=[str(source)], language_level=3, quiet=True)
        for module in modules:
            module.optional = True  # what cannot be compiled is told, and left out
        command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(into), folder
        command.ensure_finalized()
        command.run()
        built = [Path(path) for path in command.get_outputs()]
    if not all(path.exists() for path in built):
        return {}
    return {path.relative_to(into).as_posix(): path for path in built}


def _put(path: Path, place: Path) -> None:
    """In one step: a process that runs with the part of before goes on with it."""
    beside = place.with_suffix(".new")
    shutil.copy2(path, beside)
    beside.replace(place)
