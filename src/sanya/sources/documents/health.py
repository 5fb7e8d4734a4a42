"""Checks for `sanya doctor` whether documents can be read."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from sanya.sources.documents.tesseract import INSTALL_LINE, list_languages

_WANTED = ("tha", "eng")


@dataclass(frozen=True, slots=True)
class DocumentFact:
    """A finding of the check. `advice` is empty where there is nothing to do."""

    name: str
    found: str
    advice: str = ""


def check_documents(roots: Sequence[Path]) -> Iterator[DocumentFact]:
    if find_spec("pypdfium2_raw") is None:
        yield DocumentFact("PDFs", "they cannot be read", "Run: pip install 'sanya[documents]'")
    else:
        yield DocumentFact("PDFs", "the extra `documents` is installed")
    yield _check_recognition()
    missing = [root for root in roots if not root.is_dir()]
    if missing:
        advice = "Make the folder and put documents there, or set ingest_roots."
        yield DocumentFact("documents", f"{missing[0]} does not exist", advice)
    else:
        yield DocumentFact("documents", f"read from {', '.join(map(str, roots))}")


def _check_recognition() -> DocumentFact:
    try:
        languages = list_languages()
    except (OSError, subprocess.SubprocessError):
        return DocumentFact("scanned pages", "Tesseract does not answer", f"Run: {INSTALL_LINE}")
    if languages is None:
        return DocumentFact(
            "scanned pages", "Tesseract is not installed, so only text layers are read", f"Run: {INSTALL_LINE}"
        )
    missing = [language for language in _WANTED if language not in languages]
    if missing:
        advice = f"Run: apt-get install {' '.join(f'tesseract-ocr-{language}' for language in missing)}"
        return DocumentFact("scanned pages", f"Tesseract lacks its language {missing[0]}", advice)
    return DocumentFact("scanned pages", "Tesseract with Thai and English")
