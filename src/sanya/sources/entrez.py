"""Client of PubMed's E-utilities: search by entry date, summaries, full records."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any, TypeVar

import orjson

from sanya.kernel.breaker import Breakers
from sanya.kernel.faults import InvalidArgument
from sanya.sources.egress import Destination, EgressClient, EgressLimits
from sanya.sources.pacing import Budget, Clock
from sanya.sources.upstream_client import (
    MalformedResponse,
    UpstreamClient,
    UpstreamProfile,
    UpstreamRequest,
    choose_breaker,
)
from sanya.suites.papers.fulltext.article import FullText
from sanya.suites.papers.fulltext.jats import BadArticle, parse_articles
from sanya.suites.papers.pubmed.dates import format_partial_date, format_utc_time, parse_medline_date
from sanya.suites.papers.pubmed.files import BadFile, Deletion, read_items
from sanya.suites.papers.pubmed.record import PaperRecord
from sanya.suites.papers.sync.date_windows import format_entrez_day, iterate_windows
from sanya.suites.papers.sync.entrez import MOST_LISTED, DocSummary, PmidListing

PUBLIC_URL = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
TOOL = "sanya"
_LIMITS = EgressLimits(max_bytes=64 * 1024 * 1024, total_s=60.0)
_LISTED_AT_ONCE = 5_000
_FETCHED_AT_ONCE = 200
_ARTICLES_AT_ONCE = 10  # a full text has up to some megabytes
_DATE = "%Y/%m/%d"
_PROFILE = UpstreamProfile(
    name="PubMed",
    source="entrez",
    wait_hint="try again later, or set entrez_api_key",
)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class EntrezIdentity:
    """The identity sent to NCBI: the tool, a contact address, and a key, which raises the limit to 10 requests a
    second."""

    email: str = ""
    api_key: str = ""

    @property
    def fields(self) -> dict[str, str]:
        named = {"tool": TOOL, "email": self.email, "api_key": self.api_key}
        return {name: value for name, value in named.items() if value}


@asynccontextmanager
async def open_entrez(
    url: str,
    asker: EntrezIdentity,
    budget: Budget,
    *,
    clock: Clock | None = None,
    limits: EgressLimits = _LIMITS,
    breakers: Breakers | None = None,
) -> AsyncIterator[EntrezClient]:
    """Open the client. An address other than NCBI's was written by the owner, so it may be private."""
    destination = Destination.from_url(url, private=url.rstrip("/") != PUBLIC_URL)
    async with EgressClient(_PROFILE.name, [destination], limits) as egress:
        client = UpstreamClient(
            egress=egress,
            profile=_PROFILE,
            breaker=choose_breaker(_PROFILE, breakers),
            budget=budget,
            clock=clock or Clock(),
        )
        yield EntrezClient(client, url.rstrip("/"), asker)


class EntrezClient:
    def __init__(self, client: UpstreamClient, url: str, asker: EntrezIdentity) -> None:
        self._client = client
        self._url = url
        self._identity = asker.fields

    async def _ask(self, utility: str, question: Mapping[str, str], read: Callable[[bytes], T]) -> T:
        """Send a POST: lists of ids are long, and a key in a URL would end up in logs."""
        data = {**self._identity, **question}
        return await self._client.send(UpstreamRequest(utility, f"{self._url}/{utility}.fcgi", data=data), read)

    async def esearch(self, term: str, mindate: str, maxdate: str, datetype: str = "edat") -> PmidListing:
        """List ids from PubMed's search history, so that all pages show the same result."""
        question = {
            "db": "pubmed",
            "term": term,
            "mindate": mindate,
            "maxdate": maxdate,
            "datetype": datetype,
            "usehistory": "y",
            "retmode": "json",
        }
        first = await self._search(question, 0)
        if first.count > MOST_LISTED:
            return PmidListing(first.count, None, first.warnings)
        pmids = list(first.pmids)
        while len(pmids) < first.count:
            page = await self._page(question, first.history, len(pmids))
            if not page:
                break  # fewer than counted: batch were withdrawn meanwhile
            pmids += page
        return PmidListing(first.count, tuple(dict.fromkeys(pmids)), first.warnings)

    async def esearch_delta(self, term: str, mindate: str, maxdate: str, datetype: str = "edat") -> list[str]:
        first, last = (datetime.strptime(text, _DATE).date() for text in (mindate, maxdate))

        async def search(since: date, until: date) -> PmidListing:
            return await self.esearch(term, format_entrez_day(since), format_entrez_day(until), datetype)

        whole = await search(first, last)
        found = [pmid async for window in iterate_windows(search, first, last, whole) for pmid in window.pmids]
        return list(dict.fromkeys(found))

    async def esummary_batch(self, pmids: Sequence[str]) -> list[DocSummary]:
        found: list[DocSummary] = []
        for batch in _split_ids(pmids):
            question = {"db": "pubmed", "id": ",".join(batch), "retmode": "json"}
            found += await self._ask("esummary", question, _read_summaries)
        return found

    async def efetch(self, pmids: Sequence[str]) -> list[PaperRecord]:
        found: dict[str, PaperRecord] = {}
        for batch in _split_ids(pmids):
            question = {"db": "pubmed", "id": ",".join(batch), "retmode": "xml"}
            for record in await self._ask("efetch", question, _read_records):
                found[record.pmid] = record
        wanted = set(pmids)
        return [record for pmid, record in found.items() if pmid in wanted]

    async def fetch_articles(self, pmcids: Sequence[str]) -> list[FullText]:
        """Return the articles of PubMed Central that exist, with their text where the publisher allows it."""
        found: dict[str, FullText] = {}
        for batch in _split_ids([pmcid.removeprefix("PMC") for pmcid in pmcids], _ARTICLES_AT_ONCE):
            question = {"db": "pmc", "id": ",".join(batch), "retmode": "xml"}
            for article in await self._ask("efetch", question, _read_articles):
                found[article.pmcid] = article
        return [found[pmcid] for pmcid in dict.fromkeys(pmcids) if pmcid in found]

    async def _search(self, question: Mapping[str, str], start: int) -> _Search:
        paged = {**question, "retstart": str(start), "retmax": str(_LISTED_AT_ONCE)}
        return await self._ask("esearch", paged, _read_search)

    async def _page(self, question: Mapping[str, str], history: Mapping[str, str], start: int) -> tuple[str, ...]:
        """Return one more page of ids. Without a history key from PubMed, repeat the search."""
        if not history:
            return (await self._search(question, start)).pmids
        listed = {"db": "pubmed", **history, "rettype": "uilist", "retmode": "text"}
        paged = {**listed, "retstart": str(start), "retmax": str(_LISTED_AT_ONCE)}
        return await self._ask("efetch", paged, _read_ids)


@dataclass(frozen=True, slots=True)
class _Search:
    count: int
    pmids: tuple[str, ...]
    history: dict[str, str]
    warnings: tuple[str, ...]


def _split_ids(pmids: Sequence[str], size: int = _FETCHED_AT_ONCE) -> list[list[str]]:
    """Split the ids into batches. An id given twice would be returned twice."""
    once = list(dict.fromkeys(pmids))
    return [once[start : start + size] for start in range(0, len(once), size)]


def _read_json(body: bytes) -> dict[str, Any]:
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise MalformedResponse(f"answered with {_describe_body(body)} instead of JSON") from None
    if not isinstance(found, dict) or "error" in found:
        raise MalformedResponse(f"answered: {str(found)[:200]}")
    return found


def _describe_body(body: bytes) -> str:
    start = body[:200].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "an HTML page"
    return "nothing" if not start else "something truncated"


def _read_search(body: bytes) -> _Search:
    found = _read_json(body).get("esearchresult")
    if not isinstance(found, dict):
        raise MalformedResponse("answered without a result")
    if "ERROR" in found:
        if "count" not in found and "Search Backend" not in str(found["ERROR"]):
            raise InvalidArgument(f"PubMed refuses this query: {str(found['ERROR'])[:200]}", field="query")
        raise MalformedResponse(f"answered: {str(found['ERROR'])[:200]}")
    try:
        pmids = tuple(str(pmid) for pmid in found["idlist"])
        count = int(found["count"])
    except (KeyError, TypeError, ValueError):
        raise MalformedResponse("answered without a count or without ids") from None
    if not all(map(_is_pmid, pmids)):
        raise MalformedResponse("answered with ids that are not PMIDs")
    key, place = found.get("querykey"), found.get("webenv")
    history = {"query_key": str(key), "WebEnv": str(place)} if key and place else {}
    return _Search(count, pmids, history, _list_warnings(found))


def _list_warnings(found: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the warnings of PubMed: unknown words, phrases without a match. An empty result is no warning."""
    warnings_found = []
    for part in ("errorlist", "warninglist"):
        for kind, words in (found.get(part) or {}).items():
            if isinstance(words, list) and kind != "outputmessages":
                warnings_found += [f"{kind}: {word}" for word in words]
    return tuple(warnings_found)


def _read_ids(body: bytes) -> tuple[str, ...]:
    ids = tuple(body.decode("utf-8", "replace").split())
    if not all(map(_is_pmid, ids)):
        raise MalformedResponse(f"answered with {_describe_body(body)} instead of ids")
    return ids


def _is_pmid(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 12


def _read_articles(body: bytes) -> list[FullText]:
    try:
        return list(parse_articles(body.decode("utf-8")))
    except (UnicodeDecodeError, BadArticle) as problem:
        raise MalformedResponse(f"gave articles that cannot be read: the answer {problem}") from None


def _read_records(body: bytes) -> list[PaperRecord]:
    try:
        return [item for item in read_items([body]) if not isinstance(item, Deletion)]
    except BadFile as problem:
        raise MalformedResponse(f"gave records that cannot be read: the answer {problem}") from None


def _read_summaries(body: bytes) -> list[DocSummary]:
    result = _read_json(body).get("result")
    if not isinstance(result, dict):
        raise MalformedResponse("answered without a result")
    given = [result.get(str(uid)) for uid in dict.fromkeys(result.get("uids") or ())]
    return [_build_summary(entry) for entry in given if isinstance(entry, dict) and "error" not in entry]


def _build_summary(found: Mapping[str, Any]) -> DocSummary:
    history = {event.get("pubstatus"): str(event.get("date", "")) for event in found.get("history") or ()}
    ids = {article_id.get("idtype"): article_id.get("value") for article_id in found.get("articleids") or ()}
    text = partial(_read_text, found)
    return DocSummary(
        pmid=str(found.get("uid", "")),
        title=text("title"),
        journal=text("fulljournalname") or text("source"),
        pub_types=[str(kind) for kind in found.get("pubtype") or ()],
        pdat=parse_medline_date(text("epubdate") or "") or parse_medline_date(text("pubdate") or ""),
        edat=_parse_history_time(history.get("entrez", "")),
        pmcid=ids.get("pmc") or None,
        authors=[str(author.get("name")) for author in found.get("authors") or () if author.get("name")],
    )


def _read_text(found: Mapping[str, Any], name: str) -> str | None:
    return str(found.get(name) or "").strip() or None


def _parse_history_time(text: str) -> str | None:
    """Parse a time such as '2016/11/01 06:00'."""
    day, _, clock = text.partition(" ")
    parts = day.split("/")
    if len(parts) != 3 or format_partial_date(*parts) is None:
        return None
    hour, _, minute = clock.partition(":")
    return format_utc_time(*parts, hour or None, minute or None)
