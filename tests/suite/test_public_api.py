"""The public API of suites: what it lists is there, nothing of it is gone, and it loads only what is used."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

_LINES = (Path(__file__).parent / "public_names.txt").read_text("utf-8").split("\n")
PROMISED = {
    module: frozenset(line.split()[1] for line in _LINES if line.startswith(f"{module} "))
    for module in dict.fromkeys(line.split()[0] for line in _LINES if line)
}
SUITES = Path(__file__).parents[2] / "src" / "sanya" / "suites"


@pytest.mark.parametrize("module", PROMISED)
def test_the_api_lists_what_is_promised_and_nothing_else(module: str) -> None:
    """A new name goes into public_names.txt: from then on it is kept."""
    listed = import_module(module).__all__
    assert frozenset(listed) == PROMISED[module]
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize("module", PROMISED)
def test_every_listed_name_loads_and_is_known_to_type_checkers(module: str) -> None:
    loaded = import_module(module)
    assert all(getattr(loaded, name) is not None for name in loaded.__all__)
    tree = ast.parse(Path(str(loaded.__file__)).read_text("utf-8"))
    (typed,) = (node for node in tree.body if isinstance(node, ast.If))
    declared = {name.asname for node in typed.body if isinstance(node, ast.ImportFrom) for name in node.names}
    declared |= {str(ast.unparse(node.targets[0])) for node in typed.body if isinstance(node, ast.Assign)}
    assert declared - {None} == set(loaded.__all__)


def test_each_name_stands_in_one_public_module() -> None:
    names = [name for module in PROMISED.values() for name in module]
    assert len(names) == len(set(names))


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ImportError, match="Shap"):
        exec("from sanya.suite import Shap")


def test_reading_a_dialect_loads_no_shapes_and_no_search() -> None:
    """`sanya call` of a served home reads the dialects of all suites before its first answer."""
    code = (
        "import sys; from sanya.suite import PLAIN_DIALECT; from sanya.suite.text import has_thai; "
        "import sanya.suite.search; print(*(name for name in ('numpy', 'nlpo3', 'sanya.retrieval.search', "
        "'sanya.suite.functions') if name in sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout.strip() == ""


def test_compiled_modules_of_suites_import_the_public_api_as_well() -> None:
    """import-linter reads no .pyx. A `cimport` is compiled in, and can name nothing but the module itself."""
    internal = [
        f"{path.name}: {line}"
        for path in SUITES.rglob("*.pyx")
        for line in path.read_text("utf-8").splitlines()
        if line.startswith(("from sanya.", "import sanya.")) and " cimport " not in line
        if not line.startswith(("from sanya.suite ", "from sanya.suite.", "from sanya.suites."))
    ]
    assert internal == []


def test_every_public_class_and_function_says_what_it_is() -> None:
    described = ("FunctionSuite", "HoldingCounts", "SuiteDefinition", "SuiteHome", "Store", "StoreTransaction")
    api = import_module("sanya.suite")
    assert [name for name in described if not getattr(api, name).__doc__] == []
