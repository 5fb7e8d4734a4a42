"""The note on a search of papers: how well the best result fits, and what would bring a better one."""

from __future__ import annotations

from datetime import date
from typing import Any

from sanya.suite.search import Advice, CorpusSize, describe_fit, describe_unindexed
from sanya.suite.text import PaperIdentifier, find_identifiers, has_thai
from sanya.suites.papers.corpus import Corpus, CorpusState
from sanya.suites.papers.search.asked_years import AskedYears, find_asked_years
from sanya.suites.papers.search.paper_search import PaperQuery, PaperSearchResult

_SYNC = Advice(
    "pubmed_sync_incremental brings more papers from PubMed.",
    "ใช้ pubmed_sync_incremental เพื่อดึงบทความจาก PubMed เพิ่ม",
)
_WIDEN = Advice(
    "Search without the filters, or let pubmed_sync_incremental bring more papers from PubMed.",
    "ลองค้นโดยไม่ใช้ตัวกรอง หรือใช้ pubmed_sync_incremental เพื่อดึงบทความจาก PubMed เพิ่ม",
)

_BY_WORDS = "No chunk has a vector yet, so these papers were found by words instead of meaning."
_BY_WORDS_TH = "ยังไม่มีส่วนใดที่มีเวกเตอร์ จึงค้นด้วยคำแทนความหมาย"
_WORDLESS = "The query has no word to search for. Name a subject, such as a disease or a treatment."
_WORDLESS_TH = "คำค้นไม่มีคำที่ใช้ค้นได้ โปรดระบุเรื่องที่ต้องการ เช่น โรคหรือการรักษา"
_MAX_READ = 2000


async def build_search_note(
    query: PaperQuery, result: PaperSearchResult, corpus: Corpus, state: CorpusState, today: date
) -> dict[str, Any]:
    """Build the note. The papers are counted only where the size of the corpus matters: if nothing fits well."""
    fit, language = result.fit, "th" if has_thai(query.text) else "en"
    note: dict[str, Any] = {"fit": fit.level, "relevance": fit.best}
    if fit.level != "good":
        size = CorpusSize(await corpus.count_papers(state), "papers", "บทความ")
        advice = _WIDEN if query.paper_filter.filters else _SYNC
        note["documents"] = size.count
        note["message"] = describe_fit(fit, size, advice, language)
    if result.is_wordless:
        note["message"] = _WORDLESS_TH if language == "th" else _WORDLESS
    if hint := _describe_other_ways(query, today, language):
        note["message"] = " ".join(filter(None, [note.get("message"), hint]))
    if result.unindexed:
        note["unindexed"] = result.unindexed
        note["message"] = " ".join(filter(None, [describe_unindexed(language), note.get("message")]))
    if result.words_only:
        return note | result.words_only.build_note(language, note.get("message"))
    if result.awaiting is not None and result.awaiting.awaiting:
        note["awaiting_vectors"] = result.awaiting.awaiting
        note["seconds_left"] = result.awaiting.seconds_left
    if result.fell_back:
        reason = _BY_WORDS_TH if language == "th" else _BY_WORDS
        note["searched_by"] = "words"
        note["message"] = f"{reason} {note['message']}" if "message" in note else reason
    return note


def _describe_other_ways(query: PaperQuery, today: date, language: str) -> str | None:
    """Say how to get what the words of a query ask for and a search does not give: a paper by its id, or years."""
    text = query.text[:_MAX_READ]
    if identifiers := [found for found in find_identifiers(text) if not _is_year(found)]:
        return _describe_identifiers(identifiers, language)
    has_dates = query.paper_filter.date_from or query.paper_filter.date_to
    years = None if has_dates else find_asked_years(text, today)
    return _describe_years(years, language) if years else None


def _is_year(identifier: PaperIdentifier) -> bool:
    return identifier.kind == "pmid" and len(identifier.value) <= 4


def _describe_identifiers(identifiers: list[PaperIdentifier], language: str) -> str:
    named = ", ".join(identifier.value for identifier in identifiers[:3])
    if language == "th":
        return f"หากต้องการบทความ {named} โดยตรง ใช้ papers_resolve หรือดึงจาก PubMed ด้วย pubmed_fetch"
    return f"For the paper {named} itself use papers_resolve; pubmed_fetch brings it from PubMed."


def _describe_years(years: AskedYears, language: str) -> str:
    ends = (("filters.date_from", years.first), ("filters.date_to", years.last))
    named = [f"{field} = {year}" for field, year in ends if year]
    if language == "th":
        return f"ปีในคำค้นไม่ได้ใช้กรองผลลัพธ์ หากต้องการกรอง ให้ตั้ง {' และ '.join(named)}"
    return f"Years in the query do not filter; to filter, set {' and '.join(named)}."
