"""Copies the Thai word lists that Sanya reads from an installed PyThaiNLP: general words, stop words and given names.

    python scripts/build_thai_words.py

PyThaiNLP takes 65 MB to install, nearly all of it models that nothing here uses; these lists take 2 MB.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

SOURCE = Path((find_spec("pythainlp").submodule_search_locations or [""])[0]) / "corpus"  # type: ignore[union-attr]
PACKAGE = Path(__file__).parent.parent / "src" / "sanya"
LISTS = {
    PACKAGE / "text" / "thai_words.txt": ("words_th.txt",),
    PACKAGE / "text" / "thai_stop_words.txt": ("stopwords_th.txt",),
    PACKAGE / "suites" / "memory" / "parsing" / "thai_given_names.txt": (
        "person_names_female_th.txt",
        "person_names_male_th.txt",
    ),
}


def read_words(*names: str) -> list[str]:
    """Return the words of some lists, each once, sorted."""
    lines = (line.strip() for name in names for line in (SOURCE / name).read_text("utf-8").split("\n"))
    return sorted({line for line in lines if line})


if __name__ == "__main__":
    for target, names in LISTS.items():
        target.write_text("\n".join(read_words(*names)) + "\n", encoding="utf-8")
