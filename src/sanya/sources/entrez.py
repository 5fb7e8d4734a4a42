"""PubMed's E-utilities: search by the day of entry, summaries, records in full."""

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
from sanya.sources.asking import Asking, BadAnswer, Manners, Question, breaker_of
from sanya.sources.egress import Destination, Limits, Outside
from sanya.sources.pace import Budget, Clock
from sanya.suites.papers.entrez import MOST_LISTED, DocSummary, Listing
from sanya.suites.papers.pubmed_dates import medline_date, moment, partial_date
from sanya.suites.papers.pubmed_files import BadFile, Deletion, read_items
from sanya.suites.papers.record import Record
from sanya.suites.papers.search_windows import entrez_day, windows_of

PUBLIC_URL = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
TOOL = "sanya"
_LIMITS = Limits(max_bytes=64 * 1024 * 1024, total_s=60.0)
_LISTED_AT_ONCE = 5_000
_FETCHED_AT_ONCE = 200
_DATE = "%Y/%m/%d"
_MANNERS = Manners(
    name="PubMed",
    source="entrez",
    wait_hint="ask again later, or set entrez_api_key",
)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks. NCBI wants to know the tool and an address to write to; a key lifts its limit to 10 a second."""

    email: str = ""
    api_key: str = ""

    @property
    def fields(self) -> dict[str, str]:
        named = {"tool": TOOL, "email": self.email, "api_key": self.api_key}
        return {name: value for name, value in named.items() if value}


@asynccontextmanager
async def open_entrez(
    url: str,
    asker: Asker,
    budget: Budget,
    *,
    clock: Clock | None = None,
    limits: Limits = _LIMITS,
    breakers: Breakers | None = None,
) -> AsyncIterator[EntrezClient]:
    """An address other than NCBI's own is one that the owner wrote, so it may be a private one."""
    destination = Destination.of(url, private=url.rstrip("/") != PUBLIC_URL)
    async with Outside("ncbi", [destination], limits) as outside:
        asking = Asking(
            outside=outside,
            manners=_MANNERS,
            breaker=breaker_of(_MANNERS, breakers),
            budget=budget,
            clock=clock or Clock(),
        )
        yield EntrezClient(asking, url.rstrip("/"), asker)


class EntrezClient:
    def __init__(self, asking: Asking, url: str, asker: Asker) -> None:
        self._asking = asking
        self._url = url
        self._identity = asker.fields

    async def _ask(self, utility: str, question: Mapping[str, str], read: Callable[[bytes], T]) -> T:
        """Everything goes as POST: lists of ids are long, and a key in an address would end up in logs."""
        data = {**self._identity, **question}
        return await self._asking.ask(Question(utility, f"{self._url}/{utility}.fcgi", data=data), read)

    async def esearch(self, term: str, mindate: str, maxdate: str, datetype: str = "edat") -> Listing:
        """Lists by the history that PubMed keeps of the search, so that the pages are of one moment."""
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
            return Listing(first.count, None, first.warnings)
        pmids = list(first.pmids)
        while len(pmids) < first.count:
            page = await self._page(question, first.history, len(pmids))
            if not page:
                break  # fewer than counted: some were withdrawn meanwhile
            pmids += page
        return Listing(first.count, tuple(dict.fromkeys(pmids)), first.warnings)

    async def esearch_delta(self, term: str, mindate: str, maxdate: str, datetype: str = "edat") -> list[str]:
        first, last = (datetime.strptime(text, _DATE).date() for text in (mindate, maxdate))

        async def search(since: date, until: date) -> Listing:
            return await self.esearch(term, entrez_day(since), entrez_day(until), datetype)

        whole = await search(first, last)
        found = [pmid async for window in windows_of(search, first, last, whole) for pmid in window.pmids]
        return list(dict.fromkeys(found))

    async def esummary_batch(self, pmids: Sequence[str]) -> list[DocSummary]:
        found: list[DocSummary] = []
        for some in _portions(pmids):
            question = {"db": "pubmed", "id": ",".join(some), "retmode": "json"}
            found += await self._ask("esummary", question, _read_summaries)
        return found

    async def efetch(self, pmids: Sequence[str]) -> list[Record]:
        found: dict[str, Record] = {}
        for some in _portions(pmids):
            question = {"db": "pubmed", "id": ",".join(some), "retmode": "xml"}
            for record in await self._ask("efetch", question, _read_records):
                found[record.pmid] = record
        wanted = set(pmids)
        return [record for pmid, record in found.items() if pmid in wanted]

    async def _search(self, question: Mapping[str, str], start: int) -> _Search:
        paged = {**question, "retstart": str(start), "retmax": str(_LISTED_AT_ONCE)}
        return await self._ask("esearch", paged, _read_search)

    async def _page(self, question: Mapping[str, str], history: Mapping[str, str], start: int) -> tuple[str, ...]:
        """One more page of ids. Where PubMed gave no key to its history, the search is asked again instead."""
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


def _portions(pmids: Sequence[str]) -> list[list[str]]:
    """Each id once: asked twice, it would come twice."""
    once = list(dict.fromkeys(pmids))
    return [once[start : start + _FETCHED_AT_ONCE] for start in range(0, len(once), _FETCHED_AT_ONCE)]


def _read_json(body: bytes) -> dict[str, Any]:
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise BadAnswer(f"answered with {_kind(body)} instead of JSON") from None
    if not isinstance(found, dict) or "error" in found:
        raise BadAnswer(f"answered: {str(found)[:200]}")
    return found


def _kind(body: bytes) -> str:
    start = body[:200].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "an HTML page"
    return "nothing" if not start else "something cut off or else"


def _read_search(body: bytes) -> _Search:
    found = _read_json(body).get("esearchresult")
    if not isinstance(found, dict):
        raise BadAnswer("answered without a result")
    if "ERROR" in found:
        if "count" not in found and "Search Backend" not in str(found["ERROR"]):
            raise InvalidArgument(f"PubMed does not take this query: {str(found['ERROR'])[:200]}", field="query")
        raise BadAnswer(f"answered: {str(found['ERROR'])[:200]}")
    try:
        pmids = tuple(str(one) for one in found["idlist"])
        count = int(found["count"])
    except (KeyError, TypeError, ValueError):
        raise BadAnswer("answered without a count or without ids") from None
    if not all(map(_is_pmid, pmids)):
        raise BadAnswer("answered with ids that are no PMIDs")
    key, place = found.get("querykey"), found.get("webenv")
    history = {"query_key": str(key), "WebEnv": str(place)} if key and place else {}
    return _Search(count, pmids, history, _warnings(found))


def _warnings(found: Mapping[str, Any]) -> tuple[str, ...]:
    """What PubMed remarks: words it does not know, phrases it did not find. Finding nothing is no reason to warn."""
    said = []
    for part in ("errorlist", "warninglist"):
        for kind, words in (found.get(part) or {}).items():
            if isinstance(words, list) and kind != "outputmessages":
                said += [f"{kind}: {word}" for word in words]
    return tuple(said)


def _read_ids(body: bytes) -> tuple[str, ...]:
    ids = tuple(body.decode("utf-8", "replace").split())
    if not all(map(_is_pmid, ids)):
        raise BadAnswer(f"answered with {_kind(body)} instead of ids")
    return ids


def _is_pmid(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 12


def _read_records(body: bytes) -> list[Record]:
    try:
        return [item for item in read_items([body]) if not isinstance(item, Deletion)]
    except BadFile as problem:
        raise BadAnswer(f"gave records that cannot be read: the answer {problem}") from None


def _read_summaries(body: bytes) -> list[DocSummary]:
    result = _read_json(body).get("result")
    if not isinstance(result, dict):
        raise BadAnswer("answered without a result")
    given = [result.get(str(uid)) for uid in dict.fromkeys(result.get("uids") or ())]
    return [_summary(one) for one in given if isinstance(one, dict) and "error" not in one]


def _summary(found: Mapping[str, Any]) -> DocSummary:
    history = {one.get("pubstatus"): str(one.get("date", "")) for one in found.get("history") or ()}
    ids = {one.get("idtype"): one.get("value") for one in found.get("articleids") or ()}
    text = partial(_text_in, found)
    return DocSummary(
        pmid=str(found.get("uid", "")),
        title=text("title"),
        journal=text("fulljournalname") or text("source"),
        pub_types=[str(one) for one in found.get("pubtype") or ()],
        pdat=medline_date(text("epubdate") or "") or medline_date(text("pubdate") or ""),
        edat=_history_moment(history.get("entrez", "")),
        pmcid=ids.get("pmc") or None,
        authors=[str(one.get("name")) for one in found.get("authors") or () if one.get("name")],
    )


def _text_in(found: Mapping[str, Any], name: str) -> str | None:
    return str(found.get(name) or "").strip() or None


def _history_moment(text: str) -> str | None:
    """'2016/11/01 06:00'"""
    day, _, clock = text.partition(" ")
    parts = day.split("/")
    if len(parts) != 3 or partial_date(*parts) is None:
        return None
    hour, _, minute = clock.partition(":")
    return moment(*parts, hour or None, minute or None)
