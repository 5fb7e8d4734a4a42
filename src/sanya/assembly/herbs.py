"""Opens the herbs suite: the starter graph, the shared search and, where one is set, a model that phrases answers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sanya.assembly.chat import require_endpoint
from sanya.assembly.citations import build_citation_worker, build_paper_reader
from sanya.assembly.herbs_ingest import build_ingest_tools
from sanya.assembly.home_resources import HomeResources
from sanya.assembly.prepared_folder import open_prepared_files
from sanya.kernel.contracts.suite import Suite
from sanya.settings import BadSetting, Settings
from sanya.suites.herbs import suite
from sanya.suites.herbs.answers.tools import QuestionTools
from sanya.suites.herbs.evaluation.store import EvaluationStore
from sanya.suites.herbs.evaluation.tools import EvaluationTools
from sanya.suites.herbs.graph.retractions import follow_retractions
from sanya.suites.herbs.graph.starter import load_starter
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.questions.people_words import FILE_NAME, BadWordList, PeopleWords, load_people_words
from sanya.suites.herbs.review.layer import rebuild_layer
from sanya.suites.herbs.safety.tools import SafetyTools


async def open_herbs(resources: HomeResources) -> Suite:
    await load_starter(resources.database, rebuild_layer)
    store = HerbStore(resources.database, build_paper_reader(resources))
    search = QuestionTools(
        SafetyTools(store, resources.cursors),
        resources.library,
        least_confidence=_check_confidence(resources.settings),
        words=_load_words(resources.settings),
        kept=open_prepared_files(resources.settings),
    )
    if resources.settings.phrasing_url:
        await _add_phraser(resources, search)
    evaluation = EvaluationTools(search, EvaluationStore(resources.database))
    built = suite.build(store, resources.cursors, search, evaluation, build_ingest_tools(resources, store))
    follow = partial(follow_retractions, resources.database)
    return replace(
        built,
        workers=(*built.workers, build_citation_worker("herbs", follow)),
        follow_citations=follow,
        prepare=search.prepare,
    )


def _load_words(settings: Settings) -> PeopleWords:
    """Load the words that people use, with those of the owner's file in the home."""
    try:
        return load_people_words(settings.home / "herbs" / FILE_NAME)
    except BadWordList as error:
        raise BadSetting(str(error)) from error


def _check_confidence(settings: Settings) -> float:
    if not 0 <= settings.answer_confidence <= 1:
        raise BadSetting(f"answer_confidence takes 0 to 1, got {settings.answer_confidence:g}")
    return settings.answer_confidence


async def _add_phraser(resources: HomeResources, search: QuestionTools) -> None:
    endpoint = require_endpoint(resources.settings)
    from sanya.sources.phrasing import open_phraser  # here: an HTTP client takes long to load

    phraser = open_phraser(endpoint, breakers=resources.breakers)
    search.phraser = await resources.stack.enter_async_context(phraser)
