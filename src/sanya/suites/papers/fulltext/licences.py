"""Reads the licence of an article from its permissions.

The open-access subset of PubMed Central has many licences, and most of PubMed Central has none: those articles may be
read there and not copied. An article is kept only where a Creative Commons licence or the public domain is named.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from sanya.suites.papers.fulltext.article import ArticleLicence
from sanya.suites.papers.pubmed.markup import extract_text

_HREF = "{http://www.w3.org/1999/xlink}href"
_CREATIVE_COMMONS = re.compile(r"creativecommons\.org/licenses/([a-z-]+)(?:/(\d\.\d))?", re.IGNORECASE)
_PUBLIC_DOMAIN = re.compile(r"creativecommons\.org/publicdomain/(zero|mark)", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://creativecommons\.org/[^\s)>\"]+", re.IGNORECASE)
# Statements without an address. The longest come first: every licence begins with the words of the shortest.
_STATEMENTS = (
    (r"attribution[- ]non-?commercial[- ]no[- ]?deriv", "CC BY-NC-ND"),
    (r"attribution[- ]non-?commercial[- ]share[- ]?alike", "CC BY-NC-SA"),
    (r"attribution[- ]non-?commercial", "CC BY-NC"),
    (r"attribution[- ]share[- ]?alike", "CC BY-SA"),
    (r"attribution[- ]no[- ]?deriv", "CC BY-ND"),
    (r"creative commons attribution", "CC BY"),
    (r"creative commons (cc0|zero)|cc0 ", "CC0"),
    (r"public domain", "public domain"),
)
_STATEMENT_PATTERNS = tuple((re.compile(pattern, re.IGNORECASE), name) for pattern, name in _STATEMENTS)


def read_licence(meta: Element) -> ArticleLicence:
    """Return the licence of an `<article-meta>`. Older articles state it beside the copyright."""
    licence = meta.find("permissions/license")
    statements = [extract_text(found) for found in meta.iter("copyright-statement")]
    text = extract_text(licence) or next(filter(None, statements), None)
    addresses = [node.get(_HREF) or "" for node in (() if licence is None else licence.iter())]
    addresses += _ADDRESS.findall(text or "")
    url = next((address for address in addresses if "creativecommons.org" in address), None)
    return ArticleLicence(_name_licence(url, text), url, text)


def _name_licence(url: str | None, text: str | None) -> str | None:
    if url and (match := _CREATIVE_COMMONS.search(url)):
        return " ".join(filter(None, ("CC", match[1].upper(), match[2])))
    if url and (match := _PUBLIC_DOMAIN.search(url)):
        return "CC0" if match[1].lower() == "zero" else "public domain"
    return next((name for pattern, name in _STATEMENT_PATTERNS if text and pattern.search(text)), None)
