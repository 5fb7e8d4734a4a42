"""The citation formats by name, and whole bibliographies in each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

import orjson

from sanya.suites.papers.citations.apa import format_apa
from sanya.suites.papers.citations.bibtex import format_bibtex
from sanya.suites.papers.citations.csl_json import build_csl_item
from sanya.suites.papers.citations.reference import Reference
from sanya.suites.papers.citations.ris import format_ris
from sanya.suites.papers.citations.vancouver import format_vancouver

CitationFormat = Literal["vancouver", "apa", "bibtex", "ris", "csl-json"]


def _format_csl(reference: Reference) -> str:
    return orjson.dumps(build_csl_item(reference)).decode()


FORMATTERS: Mapping[CitationFormat, Callable[[Reference], str]] = MappingProxyType(
    {
        "vancouver": format_vancouver,
        "apa": format_apa,
        "bibtex": format_bibtex,
        "ris": format_ris,
        "csl-json": _format_csl,
    }
)


def join_bibliography(style: CitationFormat, citations: Sequence[str]) -> str:
    """Return the citations as one file or list: Vancouver numbers them, APA sorts them, CSL-JSON is an array."""
    match style:
        case "vancouver":
            return "\n".join(f"{number}. {citation}" for number, citation in enumerate(citations, start=1))
        case "apa":
            return "\n".join(sorted(citations, key=str.casefold))
        case "csl-json":
            return f"[{','.join(citations)}]"
        case "bibtex":
            return "\n\n".join(citations)
        case "ris":
            return "\r\n".join(citations)
