"""Imports a file of MeSH descriptors as NLM publishes it (desc20XX.xml, packed or not).

The file has some 300 MB, so it is parsed as a stream. It replaces all of an earlier file in one transaction.
"""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple
from xml.etree.ElementTree import Element, ParseError, XMLPullParser

from sanya.suite import InvalidArgument, Progress, ProgressSink
from sanya.suite.store import Database, advance_revision
from sanya.suites.papers.indexing.name_folding import fold_name

_BLOCK = 1 << 20
_ROOT = b"<DescriptorRecordSet"
_UI = re.compile(r"D[0-9]{6,10}")
_TREE_NUMBER = re.compile(r"[A-Z][0-9]{2}(\.[0-9]{3,})*")
_REPORT_EVERY = 500
_GZIP = b"\x1f\x8b"
_CLEAR = ("DELETE FROM mesh_tree", "DELETE FROM mesh_entry_terms", "DELETE FROM mesh_descriptors")
_ADD = "INSERT INTO mesh_descriptors (ui, name, folded, scope_note, release) VALUES (?, ?, ?, ?, ?)"
_ADD_PLACE = "INSERT INTO mesh_tree (number, ui) VALUES (?, ?)"
_ADD_TERM = "INSERT INTO mesh_entry_terms (folded, ui, term) VALUES (?, ?, ?) ON CONFLICT (folded, ui) DO NOTHING"


class Descriptor(NamedTuple):
    ui: str
    name: str
    scope_note: str | None
    tree_numbers: tuple[str, ...]
    entry_terms: tuple[str, ...]


class DescriptorCounts(NamedTuple):
    release: str
    descriptors: int
    places: int
    entry_terms: int


async def import_descriptors(database: Database, path: Path, progress: ProgressSink) -> DescriptorCounts:
    """Replace the stored descriptors by those of the file. Raise InvalidArgument for a file that is none."""
    descriptors = await asyncio.to_thread(_read_file, path, progress)
    if not descriptors:
        raise InvalidArgument(f"{path.name} holds no descriptor of MeSH", field="file")
    release = path.name.split(".")[0]
    places = [(number, item.ui) for item in descriptors for number in item.tree_numbers]
    terms = [(fold_name(term), item.ui, term) for item in descriptors for term in item.entry_terms]
    rows = [(item.ui, item.name, fold_name(item.name), item.scope_note, release) for item in descriptors]
    async with database.transaction() as transaction:
        for sql in _CLEAR:
            await transaction.execute(sql)
        await transaction.execute_many(_ADD, rows)
        await transaction.execute_many(_ADD_PLACE, places)
        await transaction.execute_many(_ADD_TERM, terms)
        await advance_revision(transaction, "papers")
    return DescriptorCounts(release, len(rows), len(places), len(terms))


def _read_file(path: Path, progress: ProgressSink) -> list[Descriptor]:
    """Read the whole file before anything is written: parsing takes long, and there is one writer at a time."""
    descriptors: list[Descriptor] = []
    with path.open("rb") as file:
        size = path.stat().st_size
        for descriptor in read_descriptors(file, path.name):
            descriptors.append(descriptor)
            if len(descriptors) % _REPORT_EVERY == 0:
                progress(Progress(file.tell(), size, f"{len(descriptors):,} headings"))
    return descriptors


def read_descriptors(file: IO[bytes], name: str) -> Iterator[Descriptor]:
    """Yield the descriptors of a file. Raise InvalidArgument for one that is cut off or of another kind."""
    try:
        yield from _parse(_iterate_blocks(file, name), name)
    except (ParseError, EOFError, OSError) as problem:
        raise InvalidArgument(f"{name} cannot be read: {problem}", field="file") from None


def _parse(blocks: Iterator[bytes], name: str) -> Iterator[Descriptor]:
    parser: Any = XMLPullParser(("start", "end"))
    root: Element | None = None
    for block in blocks:
        parser.feed(block)
        element: Element
        for event, element in parser.read_events():
            if root is None:
                root = element
                if element.tag != "DescriptorRecordSet":
                    raise InvalidArgument(
                        f"{name} holds <{element.tag[:40]}> and no <DescriptorRecordSet>; NLM's file is desc20XX.xml",
                        field="file",
                    )
            elif event == "end" and element.tag == "DescriptorRecord":
                yield _read_descriptor(element, name)
                root.clear()
    parser.close()


def _iterate_blocks(file: IO[bytes], name: str) -> Iterator[bytes]:
    """Yield the unpacked file, after a look at its head: entities could be declared only there."""
    packed = file.read(2) == _GZIP
    file.seek(0)
    stream = gzip.GzipFile(fileobj=file) if packed else file
    head = b""
    while _ROOT not in head and len(head) < _BLOCK and (block := stream.read(64 * 1024)):
        head += block
    if b"<!ENTITY" in head.partition(_ROOT)[0]:
        raise InvalidArgument(f"{name} declares entities; NLM's file declares none", field="file")
    yield head
    while block := stream.read(_BLOCK):
        yield block


def _read_descriptor(element: Element, name: str) -> Descriptor:
    ui, heading = element.findtext("DescriptorUI", "").strip(), element.findtext("DescriptorName/String", "").strip()
    numbers = [(node.text or "").strip() for node in element.findall("TreeNumberList/TreeNumber")]
    if not (_UI.fullmatch(ui) and heading and all(map(_TREE_NUMBER.fullmatch, numbers))):
        raise InvalidArgument(
            f"{name} has a descriptor that is none of MeSH's: {ui[:20]!r} {heading[:60]!r}", field="file"
        )
    terms = [(node.text or "").strip() for node in element.findall("ConceptList/Concept/TermList/Term/String")]
    notes = [
        (concept.findtext("ScopeNote") or "").strip()
        for concept in element.findall("ConceptList/Concept")
        if concept.get("PreferredConceptYN") == "Y"
    ]
    others = tuple(dict.fromkeys(term for term in terms if term and term != heading))
    return Descriptor(ui, heading, next(filter(None, notes), None), tuple(dict.fromkeys(numbers)), others)
