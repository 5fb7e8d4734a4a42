"""Handlers of tool.hybrid_search and tool.rag_answer.

The modules that answer questions take a second to import, so the first call imports them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from sanya.suite import Context, Example, ResourceLinks, Tool
from sanya.suites.herbs.answers.contract import RagAnswer, RagAnswerInput
from sanya.suites.herbs.dialect import DIALECT
from sanya.suites.herbs.graph.store import SUITE
from sanya.suites.herbs.safety.contract import LEFT_OUT_IN_SHORT as SAFETY_LEFT_OUT_IN_SHORT
from sanya.suites.herbs.safety.tools import SafetyTools
from sanya.suites.herbs.search.contract import HerbSearchAnswer, HybridSearchInput

if TYPE_CHECKING:
    from sanya.suite.search import LibraryOpener
    from sanya.suites.herbs.answers.phrasing import Phraser
    from sanya.suites.herbs.answers.question_service import QuestionService
    from sanya.suites.herbs.questions.people_words import PeopleWords
    from sanya.suites.herbs.questions.prepared_names import PreparedData

DEFAULT_CONFIDENCE = 0.6
_TIMEOUT_MS = 120_000
_LEFT_OUT_IN_SHORT = (
    "citations.*.used",
    "citations.*.strength",
    "citations.*.basis",
    "citations.*.review",
    "citations.*.sources.*.url",
    "phrased",
    *(f"safety.{path}" for path in SAFETY_LEFT_OUT_IN_SHORT),
)


@dataclass(slots=True)
class QuestionTools:
    """The two tools that take a question. Answers below `least_confidence` are withheld; `phraser` rewrites answers
    where the owner configured a model."""

    safety: SafetyTools
    open_library: LibraryOpener
    least_confidence: float = DEFAULT_CONFIDENCE
    phraser: Phraser | None = None
    words: PeopleWords | None = None
    """The words that people use, with the owner's; those of the suite where None."""
    kept: PreparedData | None = None
    """Where what takes long to build is kept for the next process."""
    _service: QuestionService | None = field(default=None, init=False)

    async def search_herbs(self, request: HybridSearchInput, context: Context) -> HerbSearchAnswer:
        return await self.get_service().search(request, context)

    async def answer_question(self, request: RagAnswerInput, context: Context) -> RagAnswer:
        return await self.get_service().answer(request, context)

    async def prepare(self) -> None:
        """Index the graph and load its names, which the first question would wait for."""
        await self.get_service().index.prepare()

    def get_service(self) -> QuestionService:
        if self._service is None:
            from sanya.suites.herbs.answers.question_service import QuestionService
            from sanya.suites.herbs.search.index import SearchIndex

            index = SearchIndex(self.safety.store, self.open_library, self.words, self.kept)
            self._service = QuestionService(index, self.safety, self.least_confidence, self.phraser)
        return self._service


def define_question_tools(tools: QuestionTools) -> tuple[Tool, ...]:
    # The first call in a new home indexes the graph.
    tool = partial(Tool, suite=SUITE, dialect=DIALECT, timeout_ms=_TIMEOUT_MS)
    return (
        tool(
            name="tool.hybrid_search",
            title="Search herbs",
            description="Finds herbs, formulations and papers by words, meaning or name. For an answer use "
            "tool.rag_answer, for safety tool.find_contraindications; a hit never proves an effect.",
            input=HybridSearchInput,
            links=(ResourceLinks("hits.*", "{uri}", "title"),),
            left_out_in_short=(
                "hits.*.score_parts",
                "hits.*.about",
                "hits.*.matched_lang",
                "hits.*.source",
            ),
            output=HerbSearchAnswer,
            handler=tools.search_herbs,
            examples=(
                Example("A symptom in Thai", {"query": "สมุนไพรแก้ท้องผูก", "top_k": 5}),
                Example("A Thai name in Latin letters", {"query": "fa thalai chon", "filters": {"types": ["herb"]}}),
            ),
        ),
        tool(
            name="tool.rag_answer",
            title="Answer from sources",
            description="Answers a question about Thai herbs in cited sentences, or withholds the answer and says "
            "why. For drugs or conditions use tool.find_contraindications; it never diagnoses.",
            input=RagAnswerInput,
            asks_about="ambiguous",
            links=(ResourceLinks("citations.*", "{uri}", "title"),),
            left_out_in_short=_LEFT_OUT_IN_SHORT,
            output=RagAnswer,
            handler=tools.answer_question,
            examples=(
                Example("A herb with a drug", {"question": "คนไข้กิน warfarin อยู่ กินขมิ้นชันได้ไหม"}),
                Example("Uses, in English", {"question": "What is green chiretta used for?", "lang": "en"}),
            ),
        ),
    )
