"""Papers that the sources of a memory name, by PMID or DOI."""

from __future__ import annotations

from collections.abc import Iterable

from sanya.suite.text import find_identifiers
from sanya.suites.memory.storage.records import MemorySource


def list_paper_ids(sources: Iterable[MemorySource]) -> list[str]:
    """Return ids such as `pmid:12345` and `doi:10.1000/x`, as the kernel's port for citations takes them.

    The type stands before the reference: `pmid` makes a PMID of a bare number, and no other type does.
    """
    texts = (f"{source.type} {source.ref or ''} {source.citation or ''}" for source in sources)
    found = [identifier for text in texts for identifier in find_identifiers(text)]
    return list(dict.fromkeys(f"{kind}:{value}" for kind, value in found if kind != "pmcid"))
