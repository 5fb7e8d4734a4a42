"""tool.hybrid_search and tool.rag_answer. What answers them takes a second to load; the first call loads it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from sanya.kernel.call import Context
from sanya.kernel.tool import Example, Tool
from sanya.suites.herbs.answers.contract import RagAnswer, RagAnswerInput
from sanya.suites.herbs.dialect import DIALECT
from sanya.suites.herbs.graph.store import SUITE
from sanya.suites.herbs.safety.tools import SafetyTools
from sanya.suites.herbs.search.contract import HybridSearchInput, SearchAnswer

if TYPE_CHECKING:
    from sanya.retrieval.search import LibraryDoor
    from sanya.suites.herbs.answers.phrasing import Phraser
    from sanya.suites.herbs.answers.question_service import Desk

DEFAULT_CONFIDENCE = 0.6
_SLOW_MS = 120_000


@dataclass(slots=True)
class SearchTools:
    """`least_confidence` is below which no answer is given; `phraser` rewrites answers where the owner wants it."""

    safety: SafetyTools
    door: LibraryDoor
    least_confidence: float = DEFAULT_CONFIDENCE
    phraser: Phraser | None = None
    _desk: Desk | None = field(default=None, init=False)

    async def hybrid_search(self, request: HybridSearchInput, context: Context) -> SearchAnswer:
        return await self.desk().search(request, context)

    async def rag_answer(self, request: RagAnswerInput, context: Context) -> RagAnswer:
        return await self.desk().answer(request, context)

    def desk(self) -> Desk:
        if self._desk is None:
            from sanya.suites.herbs.answers.question_service import Desk
            from sanya.suites.herbs.search.index import SearchIndex

            index = SearchIndex(self.safety.store, self.door)
            self._desk = Desk(index, self.safety, self.least_confidence, self.phraser)
        return self._desk


def search_tools(tools: SearchTools) -> tuple[Tool, ...]:
    # The first call on a new home indexes the graph.
    tool = partial(Tool, suite=SUITE, dialect=DIALECT, timeout_ms=_SLOW_MS)
    return (
        tool(
            name="tool.hybrid_search",
            title="Search herbs",
            description="Herbs, formulations, papers and chunks by words, meaning and names, in Thai and English.",
            input=HybridSearchInput,
            output=SearchAnswer,
            handler=tools.hybrid_search,
            examples=(
                Example("A symptom in Thai", {"query": "สมุนไพรแก้ท้องผูก", "top_k": 5}),
                Example("A Thai name in Latin letters", {"query": "fa thalai chon", "filters": {"types": ["herb"]}}),
            ),
        ),
        tool(
            name="tool.rag_answer",
            title="Answer from sources",
            description="Answers in quoted, cited sentences, or withholds and says why. Facts, not medical advice.",
            input=RagAnswerInput,
            output=RagAnswer,
            handler=tools.rag_answer,
            examples=(
                Example("A herb with a drug", {"question": "คนไข้กิน warfarin อยู่ กินขมิ้นชันได้ไหม"}),
                Example("Uses, in English", {"question": "What is green chiretta used for?", "lang": "en"}),
            ),
        ),
    )
