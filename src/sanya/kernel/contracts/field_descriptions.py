"""Reads the docstrings below the fields of a class from its source code, on demand."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from itertools import pairwise


def read_description(owner: type, field: str) -> str | None:
    """Return the docstring below a field in the class that declares it."""
    declarer = next(base for base in owner.__mro__ if field in inspect.get_annotations(base))
    return _read_descriptions(declarer.__module__).get((declarer.__name__, field))


@cache
def _read_descriptions(module: str) -> dict[tuple[str, str], str]:
    """Return all field docstrings of a module, by class and field."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {
        (statement.name, field.target.id): inspect.cleandoc(text)
        for statement in tree.body
        if isinstance(statement, ast.ClassDef)
        for field, below in pairwise(statement.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
        if isinstance(text := below.value.value, str)
    }
