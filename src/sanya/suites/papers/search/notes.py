"""The note on a search of papers: how well the best result fits, and what would bring a better one."""

from __future__ import annotations

from typing import Any

from sanya.suite.search import Advice, CorpusSize, describe_fit
from sanya.suite.text import has_thai
from sanya.suites.papers.corpus import Corpus, CorpusState
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


async def build_search_note(
    query: PaperQuery, result: PaperSearchResult, corpus: Corpus, state: CorpusState
) -> dict[str, Any]:
    """Build the note. The papers are counted only where the size of the corpus matters: if nothing fits well."""
    fit = result.fit
    note: dict[str, Any] = {"fit": fit.level, "relevance": fit.best}
    if fit.level != "good":
        size = CorpusSize(await corpus.count_papers(state), "papers", "บทความ")
        advice = _WIDEN if query.paper_filter.filters else _SYNC
        note["documents"] = size.count
        note["message"] = describe_fit(fit, size, advice, "th" if has_thai(query.text) else "en")
    if result.words_only:
        return note | result.words_only.build_note("th" if has_thai(query.text) else "en", note.get("message"))
    if result.awaiting is not None and result.awaiting.awaiting:
        note["awaiting_vectors"] = result.awaiting.awaiting
        note["seconds_left"] = result.awaiting.seconds_left
    if result.fell_back:
        reason = _BY_WORDS_TH if has_thai(query.text) else _BY_WORDS
        note["searched_by"] = "words"
        note["message"] = f"{reason} {note['message']}" if "message" in note else reason
    return note
