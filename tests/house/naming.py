"""Finds names that break the naming rules: `python -m tests.house.naming [PATH ...]` lists them for the paths given."""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "sanya"
PYTHON_FOLDERS = ("src", "tests", "benchmarks", "docs", "scripts", "examples")

PRONOUNS = frozenset(("one", "ones", "those", "these", "it", "them", "they", "such", "who", "whom"))

# Modules are nouns of the field. A gerund names an activity (`ranking`, `parsing`) and is one; these say nothing.
VAGUE_MODULES = frozenset(
    [
        "anew",
        "late",
        "earlier",
        "many",
        "made",
        "fresh",
        "passing",
        "following",
        "asking",
        "beside",
        "again",
        "late_words",
        "few",
        "known",
        "small",
        "catching_up",
        "together",
        "apart",
        "among",
        "words",
        "ways",
        "way",
        "legs",
        "leg",
        "door",
        "doors",
        "shelf",
        "moments",
        "desk",
        "reach",
        "lifts",
        "told",
        "shown",
        "given",
        "asked",
        "said",
        "undoing",
        "working",
        "writing",
        "weave",
        "weaving",
        "thread",
        "voices",
        "slips",
        "offers",
        "pieces",
        "exactness",
        "normal",
        "way_back",
    ]
)
_PARTICIPLE_MODULE = re.compile(r"[a-z]+(ed|wn)")
NAMED_MODULES: dict[str, str] = {}
"""Exceptions to the rule of modules, each with its reason."""

VERBS = frozenset(
    word
    for line in (Path(__file__).parent / "verbs.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
    for word in line.split()
)
NAMED_FUNCTIONS: dict[str, str] = {
    "transaction": "a context manager that the Database port declares: `async with database.transaction()`",
    "tool": "a decorator of the public API: `@suite.tool()`",
    "resource": "a decorator of the public API: `@suite.resource(…)`",
    "prompt": "a decorator of the public API: `@suite.prompt()`",
    "main": "the entry point of a program",
    "wrapper": "what a decorator returns",
    "aclose": "Python's own name for an asynchronous close",
    "model_post_init": "called by pydantic",
    "model_validate": "overrides a method of pydantic",
    "error": "overrides a method of argparse.ArgumentParser",
    "acomplete": "called by a library",
    "esearch": "the name of an E-utility of PubMed",
    "esearch_delta": "the name of an E-utility of PubMed",
    "esummary_batch": "the name of an E-utility of PubMed",
    "efetch": "the name of an E-utility of PubMed",
    "pipeline": "overrides a method of redis.Redis",
    "frombuf": "overrides a method of tarfile.TarInfo",
    "autocommit_connection": "a context manager, declared in a protocol",
    "connection_made": "called by asyncio on a protocol",
    "connection_lost": "called by asyncio on a protocol",
    "data_received": "called by asyncio on a protocol",
}
"""Function names that need no verb, each with its reason."""

# Decorators whose functions are read as nouns: properties, and context managers (`async with database.transaction():`).
_NOUN_DECORATORS = ("property", "cached_property", "contextmanager", "asynccontextmanager", "setter")

SHARED_CLASSES: dict[str, str] = {}
"""Class names that stand in several modules, each with its reason."""

_VAGUE_OPENINGS = frozenset(
    [
        "what",
        "whether",
        "those",
        "of",
        "who",
        "whom",
        "whose",
        "whoever",
        "how",
        "where",
        "when",
        "which",
        "that",
        "it",
        "as",
        "by",
        "with",
        "for",
        "from",
        "to",
        "at",
        "on",
        "in",
        "so",
        "such",
        "and",
        "or",
        "but",
        "if",
        "some",
        "like",
        "until",
        "since",
        "beside",
        "besides",
        "because",
        "nor",
        "also",
        "only",
        "there",
        "they",
        "them",
        "one",
        "ones",
    ]
)


def read_tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def list_modules(paths: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        found += [path] if path.is_file() else sorted(path.rglob("*.py"))
    return found


def locate(path: Path, node: ast.AST) -> str:
    place = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    return f"{place.as_posix()}:{getattr(node, 'lineno', 1)}"


def find_pronouns(path: Path) -> Iterator[str]:
    """Yields each place where a variable or a parameter is called by a pronoun."""
    for node in ast.walk(read_tree(path)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in PRONOUNS:
            yield f"{locate(path, node)} variable {node.id}"
        elif isinstance(node, ast.arg) and node.arg in PRONOUNS:
            yield f"{locate(path, node)} parameter {node.arg}"


def find_verbless_functions(path: Path) -> Iterator[str]:
    """Yields each function whose name does not begin with a verb."""
    for node in ast.walk(read_tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not _has_fitting_name(node):
            yield f"{locate(path, node)} function {node.name}"


def _has_fitting_name(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    name = node.name.strip("_")
    dunder = node.name.startswith("__") and node.name.endswith("__")
    if dunder or name in NAMED_FUNCTIONS or name.split("_")[0] in VERBS:
        return True
    decorators = [ast.unparse(decorator).split("(")[0].split(".")[-1] for decorator in node.decorator_list]
    return any(decorator in _NOUN_DECORATORS for decorator in decorators)


def find_vague_module(path: Path) -> Iterator[str]:
    stem = path.stem
    if stem in NAMED_MODULES:
        return
    if stem in VAGUE_MODULES or _PARTICIPLE_MODULE.fullmatch(stem):
        yield f"{path.relative_to(ROOT).as_posix()} module {stem}"


def find_vague_docstrings(path: Path) -> Iterator[str]:
    """Yields each docstring that opens with neither a verb nor a noun."""
    for node in ast.walk(read_tree(path)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node) or ""
            opening = re.match(r"[A-Za-z]+", text)
            if opening and opening.group().lower() in _VAGUE_OPENINGS:
                yield f"{locate(path, node)} docstring opens with {opening.group()!r}"


def find_public_names(path: Path) -> Iterator[str]:
    """Yields the public classes and type aliases that a module defines."""
    for node in read_tree(path).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if re.fullmatch(r"[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*", name) and len(name) > 1:
                yield name


def find_shared_classes(paths: Iterable[Path]) -> dict[str, list[str]]:
    """Maps each public class or alias name that several modules define to those modules."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in list_modules(paths):
        for name in find_public_names(path):
            places[name].append(path.relative_to(ROOT).as_posix())
    return {name: found for name, found in places.items() if len(found) > 1 and name not in SHARED_CLASSES}


def main(arguments: list[str]) -> None:
    paths = [Path(argument).resolve() for argument in arguments] or [SOURCE]
    modules = list_modules(paths)
    for path in modules:
        for complaint in find_pronouns(path):
            print(complaint)
        if path.is_relative_to(SOURCE):
            for find in (find_verbless_functions, find_vague_module, find_vague_docstrings):
                for complaint in find(path):
                    print(complaint)
    mine = {path.relative_to(ROOT).as_posix() for path in modules}
    for name, found in find_shared_classes([SOURCE]).items():
        if mine & set(found):
            print(f"class {name} in {', '.join(found)}")


if __name__ == "__main__":
    main(sys.argv[1:])
