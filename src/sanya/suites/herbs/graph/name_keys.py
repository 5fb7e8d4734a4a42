"""The key under which a name is stored and looked up."""

from __future__ import annotations

import unicodedata

from sanya.suite.text import to_search_form


def fold_name(name: str) -> str:
    """Return the letters, marks and digits of a name, without case, blanks, hyphens or other punctuation."""
    return to_search_form(name).translate(_KEPT)


class _KeptCharacters(dict[int, int | None]):
    """A table for `str.translate`, which asks for each character once."""

    def __missing__(self, code: int) -> int | None:
        self[code] = kept = code if unicodedata.category(chr(code))[0] in "LMN" else None
        return kept


_KEPT = _KeptCharacters()
