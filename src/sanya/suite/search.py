"""Search: the documents that a suite indexes, queries to its namespace, and how well a hit fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sanya.suite.lazy_names import load_by_name

# Names are loaded with their first use: `sanya call` reads a tool's dialect, and must not wait for pydantic shapes,
# segmenters or numpy. The table and the imports for type checkers say the same; a test compares them.
_ORIGINS = {
    "Advice": "sanya.retrieval.relevance",
    "AnswerPassage": "sanya.retrieval.answers",
    "AnswerSentence": "sanya.retrieval.answers",
    "AnyOf": "sanya.retrieval.documents",
    "Between": "sanya.retrieval.documents",
    "CorpusSize": "sanya.retrieval.relevance",
    "Document": "sanya.retrieval.documents",
    "DocumentText": "sanya.retrieval.documents",
    "EmbeddingStatus": "sanya.retrieval.embedding_status",
    "Equals": "sanya.retrieval.documents",
    "FieldValue": "sanya.retrieval.documents",
    "Filter": "sanya.retrieval.documents",
    "Fit": "sanya.retrieval.relevance",
    "FitLevel": "sanya.retrieval.relevance",
    "Hit": "sanya.retrieval.language_search",
    "JsonFields": "sanya.retrieval.json_fields",
    "Library": "sanya.retrieval.search",
    "LibraryOpener": "sanya.retrieval.search",
    "MAX_QUERY_CHARACTERS": "sanya.retrieval.terms",
    "SCORE_STEPS": "sanya.retrieval.score_rounding:STEPS",
    "SEARCH_LANGUAGES": "sanya.retrieval.terms:LANGUAGES",
    "ScoreArray": "sanya.retrieval.fusion",
    "SearchLanguage": "sanya.retrieval.terms",
    "SearchQuery": "sanya.retrieval.search",
    "WordsOnly": "sanya.retrieval.embedding",
    "describe_fit": "sanya.retrieval.relevance",
    "describe_unindexed": "sanya.retrieval.relevance",
    "detect_text_language": "sanya.retrieval.terms",
    "judge_fit": "sanya.retrieval.relevance",
    "load_general_lexicon": "sanya.retrieval.lexicon",
    "load_thai_stop_words": "sanya.retrieval.stop_words",
    "rate_relevance": "sanya.retrieval.relevance",
    "round_score": "sanya.retrieval.score_rounding",
    "stem_phrase": "sanya.retrieval.lexicon",
}
__all__ = [*_ORIGINS]

if TYPE_CHECKING:
    from sanya.retrieval.answers import AnswerPassage as AnswerPassage
    from sanya.retrieval.answers import AnswerSentence as AnswerSentence
    from sanya.retrieval.documents import AnyOf as AnyOf
    from sanya.retrieval.documents import Between as Between
    from sanya.retrieval.documents import Document as Document
    from sanya.retrieval.documents import DocumentText as DocumentText
    from sanya.retrieval.documents import Equals as Equals
    from sanya.retrieval.documents import FieldValue as FieldValue
    from sanya.retrieval.documents import Filter as Filter
    from sanya.retrieval.embedding import WordsOnly as WordsOnly
    from sanya.retrieval.embedding_status import EmbeddingStatus as EmbeddingStatus
    from sanya.retrieval.fusion import ScoreArray as ScoreArray
    from sanya.retrieval.json_fields import JsonFields as JsonFields
    from sanya.retrieval.language_search import Hit as Hit
    from sanya.retrieval.lexicon import load_general_lexicon as load_general_lexicon
    from sanya.retrieval.lexicon import stem_phrase as stem_phrase
    from sanya.retrieval.relevance import Advice as Advice
    from sanya.retrieval.relevance import CorpusSize as CorpusSize
    from sanya.retrieval.relevance import Fit as Fit
    from sanya.retrieval.relevance import FitLevel as FitLevel
    from sanya.retrieval.relevance import describe_fit as describe_fit
    from sanya.retrieval.relevance import describe_unindexed as describe_unindexed
    from sanya.retrieval.relevance import judge_fit as judge_fit
    from sanya.retrieval.relevance import rate_relevance as rate_relevance
    from sanya.retrieval.score_rounding import STEPS
    from sanya.retrieval.score_rounding import round_score as round_score
    from sanya.retrieval.search import Library as Library
    from sanya.retrieval.search import LibraryOpener as LibraryOpener
    from sanya.retrieval.search import SearchQuery as SearchQuery
    from sanya.retrieval.stop_words import load_thai_stop_words as load_thai_stop_words
    from sanya.retrieval.terms import LANGUAGES
    from sanya.retrieval.terms import MAX_QUERY_CHARACTERS as MAX_QUERY_CHARACTERS
    from sanya.retrieval.terms import SearchLanguage as SearchLanguage
    from sanya.retrieval.terms import detect_text_language as detect_text_language

    SCORE_STEPS = STEPS
    SEARCH_LANGUAGES = LANGUAGES
else:
    __getattr__ = load_by_name(__name__, _ORIGINS)
