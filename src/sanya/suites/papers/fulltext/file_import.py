"""Reads full texts from files: single articles in JATS, and the packages that PubMed Central publishes."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, Self

from sanya.suites.papers.fulltext.article import FullText
from sanya.suites.papers.fulltext.jats import BadArticle, parse_articles
from sanya.suites.papers.fulltext.store import FullTextStore, StoreOutcome

MAX_ARTICLE_BYTES = 64 * 1024 * 1024
_XML = (".nxml", ".xml")
_PACKAGES = (".tar.gz", ".tgz", ".tar")
_MAX_NAME_BYTES = 1024 * 1024
_NAME_TYPES = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)


class ArticleFile(NamedTuple):
    """A file, or a member of a package, and its bytes; None where it exceeds the limit."""

    name: str
    data: bytes | None


class _BoundedMember(tarfile.TarInfo):
    """A member whose long name and attributes are bounded: `tarfile` reads them into memory as a whole."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        member = super().frombuf(buf, encoding, errors)
        if member.type in _NAME_TYPES and member.size > _MAX_NAME_BYTES:
            raise tarfile.ReadError(f"the name of a member has {member.size} bytes; the package is damaged")
        return member


@dataclass(frozen=True, slots=True)
class ArticleReport:
    """The result of one file: an outcome of the store, or `bad` with the problem."""

    name: str
    pmcid: str | None
    outcome: StoreOutcome | str
    problem: str | None = None


def is_article_file(path: Path) -> bool:
    return path.name.lower().endswith((*_XML, *_PACKAGES))


def read_article_files(path: Path) -> Iterator[ArticleFile]:
    """Yield the articles of a file. A package is read member by member, and nothing of it is written to disk."""
    if path.name.lower().endswith(_XML):
        yield ArticleFile(path.name, path.read_bytes() if path.stat().st_size <= MAX_ARTICLE_BYTES else None)
        return
    with tarfile.open(path, mode="r|*", tarinfo=_BoundedMember) as package:
        for member in package:
            if member.isfile() and member.name.lower().endswith(_XML):
                file = package.extractfile(member) if member.size <= MAX_ARTICLE_BYTES else None
                yield ArticleFile(f"{path.name}/{member.name}", file.read() if file else None)


async def import_article_file(store: FullTextStore, file: ArticleFile, now: datetime) -> list[ArticleReport]:
    try:
        articles = parse_article_file(file)
    except BadArticle as problem:
        return [ArticleReport(file.name, None, "bad", str(problem))]
    return [ArticleReport(file.name, article.pmcid, await store.put(article, now)) for article in articles]


def parse_article_file(file: ArticleFile) -> list[FullText]:
    if file.data is None:
        raise BadArticle(f"it is larger than {MAX_ARTICLE_BYTES // 1024**2} MB")
    try:
        return list(parse_articles(file.data.decode("utf-8-sig")))
    except UnicodeDecodeError:
        raise BadArticle("it is not UTF-8 text") from None
