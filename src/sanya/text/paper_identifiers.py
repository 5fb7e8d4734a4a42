"""Finds PMIDs, PubMed Central ids and DOIs in what people paste: bare, labelled, or in an address."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple
from urllib.parse import unquote

IdentifierKind = Literal["pmid", "pmcid", "doi"]

_PMID = re.compile(
    r"(?:^\s*|\bpmid\s*:?\s*|pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/pubmed/|\bpmid/|pubmed/paper/)"
    r"0*([1-9][0-9]{0,9})(?![0-9])(?!\.[0-9])",
    re.IGNORECASE,
)
_BARE_PMID = re.compile(r"\s*(?:pmid\s*:?\s*)?0*([1-9][0-9]{0,9})\s*\.?\s*", re.IGNORECASE)
_PMCID = re.compile(r"\bPMC\s?0*([1-9][0-9]{0,9})\b", re.IGNORECASE)
_DOI = re.compile(r"\b10\.[0-9]{4,9}/[^\s\"<>]+", re.IGNORECASE)
# What publishers add to the DOI in the address of a page or file, and preprint servers for a version.
_PAGE_OF_ARTICLE = re.compile(
    r"[?#].*$|(?:[/.](?:full|full-?text|abstract|summary|references|e?pdf|html?|xml|meta))+/?$"
)
_PREPRINT_VERSION = re.compile(r"^(10\.1101/.*[0-9])v[0-9]{1,2}$")
_THAI_DIGITS = str.maketrans("๐๑๒๓๔๕๖๗๘๙", "0123456789")
_CLOSERS = {")": "(", "]": "[", "}": "{"}


class PaperIdentifier(NamedTuple):
    kind: IdentifierKind
    value: str


def find_identifiers(text: str) -> list[PaperIdentifier]:
    """Return every identifier in the text, in the order in which they are to be trusted: PMID, PMCID, DOI.

    A number counts as a PMID only alone or after a label or PubMed's address: a reference is full of other numbers.
    """
    text = text.translate(_THAI_DIGITS)
    found = []
    bare = _BARE_PMID.fullmatch(text)
    labelled = [match for match in _PMID.finditer(text) if match.start(1) > 0 and match[0].strip() != match[1]]
    pmids = [bare[1]] if bare else [match[1] for match in labelled]
    found += [PaperIdentifier("pmid", pmid) for pmid in pmids]
    found += [PaperIdentifier("pmcid", f"PMC{match[1]}") for match in _PMCID.finditer(text)]
    found += [PaperIdentifier("doi", _strip_page(trim_doi(match[0]))) for match in _DOI.finditer(unquote(text))]
    return list(dict.fromkeys(found))


def _strip_page(doi: str) -> str:
    """Remove what follows the DOI in the address of a page: a query, /full, .pdf, the version of a preprint."""
    stripped = _PREPRINT_VERSION.sub(r"\1", _PAGE_OF_ARTICLE.sub("", doi))
    return doi if stripped == doi else _strip_page(trim_doi(stripped))


def trim_doi(text: str) -> str:
    """Return the DOI in lower case without the punctuation that follows it in a sentence."""
    while text:
        last = text[-1]
        if last in ".,;:'’" or (last in _CLOSERS and text.count(last) > text.count(_CLOSERS[last])):
            text = text[:-1]
        else:
            break
    return text.lower()
