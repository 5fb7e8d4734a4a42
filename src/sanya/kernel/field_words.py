"""What is said below the fields of a class, read from its source when somebody asks."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from itertools import pairwise


def said_below(one: type, field: str) -> str | None:
    """The words below a field, where it is declared."""
    home = next(base for base in one.__mro__ if field in inspect.get_annotations(base))
    return _words_of(home.__module__).get((home.__name__, field))


@cache
def _words_of(module: str) -> dict[tuple[str, str], str]:
    """By class and field."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {
        (one.name, field.target.id): inspect.cleandoc(words)
        for one in tree.body
        if isinstance(one, ast.ClassDef)
        for field, below in pairwise(one.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
        if isinstance(words := below.value.value, str)
    }
