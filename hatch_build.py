"""Compiles the parts of the house that are written in Cython, for a wheel and for an editable install.

Where no compiler is at hand the install goes through without them: each has a way in Python, which gives the same and
takes longer.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledParts(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        source = Path(self.root) / "src"
        if version == "editable":
            _compile(source, source)
            return
        self._built = TemporaryDirectory()
        found = _compile(source, Path(self._built.name))
        build_data["force_include"].update({str(path): name for name, path in found.items()})
        build_data["pure_python"] = not found
        build_data["infer_tag"] = bool(found)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        if version != "editable":
            self._built.cleanup()


def _compile(source: Path, into: Path) -> dict[str, Path]:
    """What could be built, by its place in the package."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    parts = {".".join(path.relative_to(source).with_suffix("").parts): path for path in sorted(source.rglob("*.pyx"))}
    flags = ["-O3"] if os.name == "posix" else []
    wanted = [Extension(name, [str(path)], extra_compile_args=flags) for name, path in parts.items()]
    with TemporaryDirectory() as folder:
        modules = cythonize(wanted, build_dir=folder, language_level=3, quiet=True)
        for module in modules:
            module.optional = True  # what cannot be compiled is told, and left out
        command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(into), folder
        command.ensure_finalized()
        command.run()
        built = [Path(path) for path in command.get_outputs()]
    return {path.relative_to(into).as_posix(): path for path in built if path.exists()}
