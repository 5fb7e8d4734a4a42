"""PubMed's E-utilities on loopback: the true wire, from articles of our own or real ones, and trouble on demand."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal
from urllib.parse import parse_qs

import orjson

Kind = Literal["status", "html", "cut", "drip", "endless", "close", "no_history", "refused", "empty"]
FIRST_PMID = 9_800_000_001  # far beyond those that PubMed has given
_ENTREZ = re.compile(r'<PubMedPubDate PubStatus="entrez">\s*<Year>(\d+)</Year>\s*<Month>(\d+)</Month>\s*<Day>(\d+)<')
HTML = b"<!DOCTYPE html>\n<html><head><title>NCBI - WWW Error Blocked Diagnostic</title></head><body></body></html>"


@dataclass(frozen=True)
class Trouble:
    """What goes wrong with the next question to a utility."""

    utility: str
    kind: Kind
    status: int = 500
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class EUtils:
    """`articles` by PMID with the day of entry. `page` is the most that one answer lists."""

    port: int = 0
    articles: dict[str, tuple[date, str]] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    full_texts: dict[str, str] = field(default_factory=dict)
    """`<article>` elements by the number of their PubMed Central id."""
    troubles: list[Trouble] = field(default_factory=list)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    page: int = 10_000
    twice: bool = False
    """Ids and records are given twice."""
    _histories: list[list[str]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/entrez/eutils"

    def add(self, *documents: str) -> None:
        """Articles from their XML."""
        for xml in documents:
            pmid = re.search(r"<PMID[^>]*>(\d+)</PMID>", xml)
            entered = _ENTREZ.search(xml)
            assert pmid is not None and entered is not None
            self.articles[pmid[1]] = (date(*map(int, entered.groups())), xml)

    def count(self, utility: str) -> int:
        return sum(name == utility for name, _ in self.asked)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (question := await _read(reader)) is not None:
                utility, fields = question
                self.asked.append(question)
                trouble = self._trouble(utility)
                body = self._body(utility, fields, trouble)
                if not await _write(writer, body, trouble):
                    return
                if trouble is not None and trouble.kind == "drip":
                    await reader.read()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the one who asked is gone, or the test is over
        finally:
            writer.close()

    def _trouble(self, utility: str) -> Trouble | None:
        found = next((trouble for trouble in self.troubles if trouble.utility == utility), None)
        if found is not None:
            self.troubles.remove(found)
        return found

    def _body(self, utility: str, fields: dict[str, str], trouble: Trouble | None) -> bytes:
        match utility:
            case "esearch":
                return self._esearch(fields, trouble)
            case "esummary":
                return self._esummary(fields)
            case _:
                return self._efetch(fields)

    def _esearch(self, fields: dict[str, str], trouble: Trouble | None) -> bytes:
        if trouble is not None and trouble.kind == "refused":
            return orjson.dumps(
                {"header": {"type": "esearch", "version": "0.3"}, "esearchresult": {"ERROR": "Invalid db name"}}
            )
        first, last = (date(*map(int, fields[name].split("/"))) for name in ("mindate", "maxdate"))
        words = fields["term"].lower()
        found = [
            pmid
            for pmid, (entered, xml) in self.articles.items()
            if first <= entered <= last and (words == "all[sb]" or words in xml.lower())
        ]
        found.sort(key=int, reverse=True)
        self._histories.append(found)
        start, most = int(fields["retstart"]), min(int(fields["retmax"]), self.page)
        listed = found[start : start + most]
        has_key = trouble is None or trouble.kind != "no_history"
        result: dict[str, object] = {
            "count": str(len(found)),
            "retmax": str(len(listed)),
            "retstart": str(start),
            "querykey": "1" if has_key else "",
            "webenv": f"MCID_{len(self._histories) - 1}" if has_key else "",
            "idlist": listed * 2 if self.twice else listed,
            "translationset": [],
            "querytranslation": fields["term"],
        }
        if not found:
            result["errorlist"] = {"phrasesnotfound": [fields["term"]], "fieldsnotfound": []}
            result["warninglist"] = {
                "phrasesignored": [],
                "quotedphrasesnotfound": [],
                "outputmessages": ["No items found."],
            }
        return orjson.dumps({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result})

    def _there(self, fields: dict[str, str]) -> list[str]:
        ids = fields["id"].split(",")
        return [pmid for pmid in ids if pmid in self.articles and pmid not in self.withdrawn]

    def _efetch(self, fields: dict[str, str]) -> bytes:
        if fields.get("db") == "pmc":
            found = [self.full_texts[id] for id in fields["id"].split(",") if id in self.full_texts]
            return f"<pmc-articleset>{''.join(found)}</pmc-articleset>".encode()
        if fields.get("rettype") == "uilist":
            found = self._histories[int(fields["WebEnv"].removeprefix("MCID_"))]
            start, most = int(fields["retstart"]), min(int(fields["retmax"]), self.page)
            return "".join(f"{pmid}\n" for pmid in found[start : start + most]).encode()
        return article_set([self.articles[pmid][1] for pmid in self._there(fields)] * (2 if self.twice else 1))

    def _esummary(self, fields: dict[str, str]) -> bytes:
        there = self._there(fields)
        result: dict[str, object] = {"uids": there}
        for pmid in fields["id"].split(","):
            result[pmid] = (
                self._summary(pmid) if pmid in there else {"uid": pmid, "error": "cannot get document summary"}
            )
        return orjson.dumps({"header": {"type": "esummary", "version": "0.3"}, "result": result})

    def _summary(self, pmid: str) -> dict[str, object]:
        entered, xml = self.articles[pmid]
        title = re.search(r"<ArticleTitle>(.*?)</ArticleTitle>", xml)
        assert title is not None
        return {
            "uid": pmid,
            "pubdate": "2016 Oct 21",
            "epubdate": "",
            "source": "Gut",
            "authors": [{"name": "Person A", "authtype": "Author", "clusterid": ""}],
            "title": title[1],
            "pubtype": ["Journal Article"],
            "articleids": [{"idtype": "pubmed", "idtypen": 1, "value": pmid}],
            "history": [{"pubstatus": "entrez", "date": f"{entered:%Y/%m/%d} 06:00"}],
            "fulljournalname": "Gut",
        }


async def _read(reader: asyncio.StreamReader) -> tuple[str, dict[str, str]] | None:
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = await reader.readline()
        if not line:
            return None
        head += line
    length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    body = await reader.readexactly(int(length[1]) if length else 0)
    utility = re.search(rb"/(\w+)\.fcgi", head)
    assert utility is not None
    fields = {name: values[0] for name, values in parse_qs(body.decode()).items()}
    return utility[1].decode(), fields


async def _write(writer: asyncio.StreamWriter, body: bytes, trouble: Trouble | None) -> bool:
    """Whether the connection may be used again."""
    kind = trouble.kind if trouble is not None else None
    match kind:
        case "close":
            return False
        case "drip":
            writer.write(_head(200, len(body)) + body[:1])
        case "endless":
            writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")
            while True:
                writer.write(b" " * 65_536)
                await writer.drain()
        case "status":
            assert trouble is not None
            error = b'{"error":"API rate limit exceeded","count":"4"}' if trouble.status == 429 else b""
            writer.write(_head(trouble.status, len(error), trouble.headers) + error)
        case "html":
            writer.write(_head(200, len(HTML)) + HTML)
        case "empty":
            writer.write(_head(200, 0))
        case "cut":
            half = body[: len(body) // 2]
            writer.write(_head(200, len(half)) + half)
        case _:
            writer.write(_head(200, len(body)) + body)
    await writer.drain()
    return True


def _head(status: int, length: int, headers: dict[str, str] | None = None) -> bytes:
    lines = "".join(
        f"{name}: {value}\r\n" for name, value in {"content-length": str(length), **(headers or {})}.items()
    )
    return f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode("latin-1")


@asynccontextmanager
async def local_eutils(articles: Sequence[str] = (), kind: type[EUtils] = EUtils) -> AsyncIterator[EUtils]:
    utils = kind()
    utils.add(*articles)
    server = await asyncio.start_server(utils.answer, "127.0.0.1", 0)
    utils.port = server.sockets[0].getsockname()[1]
    try:
        yield utils
    finally:
        server.close()


def article_set(articles: Sequence[str], deleted: Sequence[str] = ()) -> bytes:
    ids = "".join(f'<PMID Version="1">{pmid}</PMID>' for pmid in deleted)
    end = f"<DeleteCitation>{ids}</DeleteCitation>\n" if deleted else ""
    return (
        '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
        '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n<PubmedArticleSet>\n'
        + "\n".join(articles)
        + f"\n{end}</PubmedArticleSet>"
    ).encode()


def article(number: int, words: str = "sample", *, entered: date | None = None, revised: date | None = None) -> str:
    """An article that nobody wrote, in PubMed's way of writing; its id says so."""
    pmid, day = FIRST_PMID + number, entered or date(2024, 1, 1) + timedelta(days=number)
    lr = revised or day
    return f"""<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">{pmid}</PMID>\
<DateRevised><Year>{lr.year}</Year><Month>{lr.month:02d}</Month><Day>{lr.day:02d}</Day></DateRevised>\
<Article PubModel="Print"><Journal><JournalIssue CitedMedium="Internet"><PubDate><Year>{day.year}</Year></PubDate>\
</JournalIssue><Title>Journal of samples</Title></Journal><ArticleTitle>Sample {number}: {words}.</ArticleTitle>\
<Abstract><AbstractText Label="METHODS" NlmCategory="METHODS">How sample {number} was made.</AbstractText>\
<AbstractText Label="RESULTS" NlmCategory="RESULTS">Nothing but {words}.</AbstractText></Abstract>\
<Language>eng</Language><PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType>\
</PublicationTypeList></Article><MedlineJournalInfo><MedlineTA>J Samples</MedlineTA></MedlineJournalInfo>\
</MedlineCitation><PubmedData><History><PubMedPubDate PubStatus="entrez"><Year>{day.year}</Year>\
<Month>{day.month}</Month><Day>{day.day}</Day><Hour>6</Hour><Minute>0</Minute></PubMedPubDate></History>\
<PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">{pmid}</ArticleId>\
</ArticleIdList></PubmedData></PubmedArticle>"""
