"""The herbs suite, with the starter graph in it, the shared search, and a model to phrase answers where one is set."""

from __future__ import annotations

from sanya.assembly.chat import chat_endpoint
from sanya.assembly.herbs_ingest import ingest_tools
from sanya.assembly.opened import Opened
from sanya.kernel.suite import Suite
from sanya.settings import BadSetting, Settings
from sanya.suites.herbs import suite
from sanya.suites.herbs.answers.tools import SearchTools
from sanya.suites.herbs.evaluation.store import EvaluationStore
from sanya.suites.herbs.evaluation.tools import EvaluationTools
from sanya.suites.herbs.graph.starter import load_starter
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.safety.tools import SafetyTools


async def open_herbs(opened: Opened) -> Suite:
    await load_starter(opened.database)
    store = HerbStore(opened.database)
    search = SearchTools(
        SafetyTools(store, opened.cursors), opened.library, least_confidence=_confidence(opened.settings)
    )
    if opened.settings.phrasing_url:
        await _add_phraser(opened, search)
    evaluation = EvaluationTools(search, EvaluationStore(opened.database))
    return suite.build(store, opened.cursors, search, evaluation, ingest_tools(opened, store))


def _confidence(settings: Settings) -> float:
    if not 0 <= settings.answer_confidence <= 1:
        raise BadSetting(f"answer_confidence takes 0 to 1, got {settings.answer_confidence:g}")
    return settings.answer_confidence


async def _add_phraser(opened: Opened, search: SearchTools) -> None:
    endpoint = chat_endpoint(opened.settings)
    from sanya.sources.phrasing import open_phraser  # here: an HTTP client takes long to load

    phraser = open_phraser(endpoint, breakers=opened.breakers)
    search.phraser = await opened.stack.enter_async_context(phraser)
